/**
 * The agent's plan, item by item; every status is a word as well as a colour.
 */
import type { TranslationBundle } from "@jupyterlab/translation";
import type { PanelModel } from "../model/panel.js";
import type { PlanItem } from "../wire.js";
import { element } from "./dom.js";
import { Section } from "./section.js";

/** The word for an item's status. */
export function statusWord(status: PlanItem["status"], trans: TranslationBundle): string {
  switch (status) {
    case "pending":
      return trans.__("open");
    case "in_progress":
      return trans.__("under way");
    case "completed":
      return trans.__("done");
  }
}

/** One item of a plan as a list item. */
export function planItem(item: PlanItem, trans: TranslationBundle): HTMLLIElement {
  const notes: string[] = [];
  if (item.waitsFor.length > 0) {
    notes.push(trans.__("waits for: %1", item.waitsFor.join(", ")));
  }
  if (item.worked.length > 0) {
    notes.push(trans.__("done by: %1", item.worked.join(", ")));
  }
  if (item.unevidenced) {
    notes.push(trans.__("unevidenced: no call did this work"));
  }
  return element(
    "li",
    { class: "keelbook-item", "data-status": item.status },
    element("span", { class: "keelbook-status" }, statusWord(item.status, trans)),
    element("span", { class: "keelbook-content" }, item.content),
    ...notes.map((note) => element("span", { class: "keelbook-item-note" }, note)),
  );
}

export class PlanSection extends Section {
  constructor(
    model: PanelModel,
    private readonly trans: TranslationBundle,
  ) {
    super(model, trans.__("Plan"), "plan");
    this.refresh();
  }

  override refresh(): void {
    const plan = this.model.attachment === "live" ? this.model.plan : null;
    const shown = JSON.stringify(plan);
    if (shown === this.shown) {
      return;
    }
    this.shown = shown;
    if (plan === null || plan.items.length === 0) {
      this.body.replaceChildren(element("p", { class: "keelbook-empty" }, this.emptySentence()));
      return;
    }
    const items = plan.items.map((item) => planItem(item, this.trans));
    this.body.replaceChildren(
      element("p", { class: "keelbook-about" }, plan.summary),
      element("ol", { class: "keelbook-items" }, ...items),
    );
  }

  private emptySentence(): string {
    return this.model.plan?.available === false
      ? this.trans.__("This profile has no plan; the profile stable turns it on.")
      : this.trans.__("The steps the agent plans appear here.");
  }

  private shown = "";
}
