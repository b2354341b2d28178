/**
 * The head of the panel: what the agent is doing, with which model, and the stop button.
 */
import type { TranslationBundle } from "@jupyterlab/translation";
import type { PanelModel } from "../model/panel.js";
import type { AgentState } from "../wire.js";
import { endWord } from "./cards.js";
import { element, say, show } from "./dom.js";
import { Section } from "./section.js";

export class HeadSection extends Section {
  constructor(
    model: PanelModel,
    private readonly trans: TranslationBundle,
  ) {
    super(model, trans.__("Agent"), "head");
    this.stop = element(
      "button",
      { class: "jp-mod-styled jp-mod-warn keelbook-stop", type: "button" },
      trans.__("Stop"),
    );
    this.stop.addEventListener("click", () => {
      if (this.model.working) {
        void this.model.cancel();
      }
    });
    this.body.append(
      element("div", { class: "keelbook-head-line" }, this.state, this.stop),
      this.sentence,
      this.about,
      this.notice,
    );
    this.refresh();
  }

  override refresh(): void {
    const agent = this.model.agent;
    const live = this.model.attachment === "live" && agent !== null;
    say(this.state, live ? this.words(agent) : this.detached());
    this.state.dataset.state = live ? agent.state : this.model.attachment;
    // Not `disabled`: a button that has the focus keeps it when the turn ends.
    this.stop.setAttribute("aria-disabled", String(!this.model.working));
    show(this.stop, live);
    say(this.sentence, live ? agent.sentence : "");
    show(this.sentence, live && agent.sentence !== "");
    say(this.about, live ? this.details(agent) : "");
    show(this.about, live && this.about.textContent !== "");
    say(this.notice, this.model.notice);
    show(this.notice, this.model.notice !== "");
  }

  private words(agent: AgentState): string {
    switch (agent.state) {
      case "idle":
        return this.trans.__("Idle");
      case "working":
        return this.trans.__("Working, step %1", agent.step);
      case "waiting":
        return this.trans.__("Waiting for you");
      case "ended":
        return this.trans.__("Ended: %1", endWord(agent.kind ?? "done", this.trans));
    }
  }

  private details(agent: AgentState): string {
    const parts = [
      agent.model === ""
        ? this.trans.__("No model is set")
        : this.trans.__("Model %1", agent.model),
    ];
    if (agent.profile !== "") {
      parts.push(this.trans.__("profile %1", agent.profile));
    }
    if (agent.turn > 0) {
      parts.push(this.trans.__("turn %1", agent.turn));
    }
    return parts.join(" · ");
  }

  private detached(): string {
    switch (this.model.attachment) {
      case "none":
        return this.trans.__(
          "Open a notebook with the Keelbook kernel, and what its agent does appears here.",
        );
      case "foreign":
        return this.trans.__(
          "This document's kernel is not Keelbook's; change the kernel to Keelbook to have an agent here.",
        );
      case "outdated":
        return this.trans.__(
          "This kernel and this page are of different Keelbook versions; restart the kernel and reload the page.",
        );
      case "lost":
        return this.trans.__("The kernel does not answer; trying again.");
      default:
        return this.trans.__("Waiting for the kernel.");
    }
  }

  private readonly state = element("div", {
    class: "keelbook-state",
    role: "status",
    "aria-live": "polite",
  });
  private readonly stop: HTMLButtonElement;
  private readonly sentence = element("p", { class: "keelbook-sentence" });
  private readonly about = element("p", { class: "keelbook-about" });
  private readonly notice = element("p", { class: "keelbook-notice", role: "alert" });
}
