/**
 * The cards of a turn, drawn from their payloads; one function for each kind.
 *
 * Rules: a payload is somebody else's data, also in a notebook nobody trusts, so it becomes text
 * nodes and nothing else; a state is a word before it is a colour.
 */
import type { TranslationBundle } from "@jupyterlab/translation";
import type { CallCard, Cards, Dispatch, MessageCard, PlanCard, TurnCard } from "../wire.js";
import { element } from "./dom.js";
import { planItem } from "./plan.js";

/** Colours code in place, later; without it code is plain. */
export type Highlighter = (code: string, language: string, into: HTMLElement) => void;

/** What a card is drawn with. */
export interface Pen {
  trans: TranslationBundle;
  highlight: Highlighter;
}

type Tone = "plain" | "good" | "bad" | "busy";

/** A drawing function for each kind. */
export const DRAW: { [Kind in keyof Cards]: (card: Cards[Kind], pen: Pen) => HTMLElement } = {
  call: drawCall,
  plan: drawPlan,
  message: drawMessage,
  turn: drawTurn,
};

function frame(title: string, state: string, tone: Tone, ...body: (Node | null)[]): HTMLElement {
  return element(
    "section",
    {
      class: "keelbook-card",
      "data-tone": tone,
      role: "group",
      "aria-label": state === "" ? title : `${title}: ${state}`,
    },
    element(
      "header",
      { class: "keelbook-card-head" },
      element("strong", {}, title),
      state === "" ? null : element("span", { class: "keelbook-card-state" }, state),
    ),
    ...body,
  );
}

function paragraph(text: string): HTMLElement | null {
  return text === "" ? null : element("p", { class: "keelbook-card-words" }, text);
}

function drawCall(card: CallCard, pen: Pen): HTMLElement {
  const { trans } = pen;
  return frame(
    card.tool,
    statusWord(card.status, trans),
    callTone(card.status),
    given(card, pen),
    dispatches(card.dispatches, trans),
    paragraph(card.sentence),
    result(card, trans),
  );
}

/** What the call was given: its code, coloured, or its arguments by name. */
function given(card: CallCard, pen: Pen): HTMLElement | null {
  if (card.code !== null) {
    const code = element("code", {}, card.code);
    if (card.language !== null) {
      pen.highlight(card.code, card.language, code);
    }
    return element("pre", { class: "keelbook-card-code", tabindex: "0" }, code);
  }
  if (typeof card.arguments !== "object" || card.arguments === null) {
    return null;
  }
  const rows = Object.entries(card.arguments).flatMap(([name, value]) => [
    element("dt", {}, name),
    element("dd", {}, typeof value === "string" ? value : JSON.stringify(value)),
  ]);
  return rows.length === 0 ? null : element("dl", { class: "keelbook-card-arguments" }, ...rows);
}

function dispatches(made: Dispatch[], trans: TranslationBundle): HTMLElement | null {
  if (made.length === 0) {
    return null;
  }
  const items = made.map((each) =>
    element(
      "li",
      {},
      element("code", {}, `${each.tool}(${each.brief})`),
      element("span", { class: "keelbook-card-state" }, statusWord(each.status, trans)),
    ),
  );
  return element("ul", { class: "keelbook-card-dispatches" }, ...items);
}

function result(card: CallCard, trans: TranslationBundle): HTMLElement | null {
  if (card.text === "") {
    return null;
  }
  const text = card.cut ? `${card.text}\n…` : card.text;
  return element(
    "details",
    { class: "keelbook-card-result" },
    element("summary", {}, card.cut ? trans.__("Result (its beginning)") : trans.__("Result")),
    element("pre", { class: "keelbook-card-code", tabindex: "0" }, element("code", {}, text)),
  );
}

function statusWord(status: CallCard["status"], trans: TranslationBundle): string {
  switch (status) {
    case "running":
      return trans.__("running");
    case "done":
      return trans.__("done");
    case "failed":
      return trans.__("failed");
    case "refused":
      return trans.__("refused");
  }
}

function callTone(status: CallCard["status"]): Tone {
  switch (status) {
    case "running":
      return "busy";
    case "done":
      return "good";
    default:
      return "bad";
  }
}

function drawPlan(card: PlanCard, { trans }: Pen): HTMLElement {
  const items = card.items.map((item) => planItem(item, trans));
  const list = items.length === 0 ? null : element("ol", { class: "keelbook-items" }, ...items);
  return frame(trans.__("Plan"), card.summary, "plain", list);
}

function drawMessage(card: MessageCard, { trans }: Pen): HTMLElement {
  const title =
    card.source === "person"
      ? trans.__("You, while it worked")
      : trans.__("Note by %1", card.source);
  return frame(title, "", "plain", paragraph(card.words));
}

function drawTurn(card: TurnCard, { trans }: Pen): HTMLElement {
  const steps = trans._n("%1 step", "%1 steps", card.steps);
  const state = trans.__("%1 after %2", endWord(card.ended, trans), steps);
  const tone = card.ended === "done" ? "good" : "bad";
  return frame(trans.__("Turn %1", card.turn), state, tone, paragraph(card.sentence));
}

/** The word for how a turn ended. */
export function endWord(ended: TurnCard["ended"], trans: TranslationBundle): string {
  switch (ended) {
    case "done":
      return trans.__("done");
    case "aborted":
      return trans.__("stopped");
    case "limited":
      return trans.__("limit reached");
    case "failed":
      return trans.__("failed");
  }
}
