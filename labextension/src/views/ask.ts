/**
 * The prompt box. Enter sends, Shift+Enter starts a line; what was not sent stays in the box.
 */
import type { TranslationBundle } from "@jupyterlab/translation";
import type { PanelModel } from "../model/panel.js";
import { element, say, show } from "./dom.js";
import { Section } from "./section.js";

export class AskSection extends Section {
  constructor(
    model: PanelModel,
    private readonly trans: TranslationBundle,
  ) {
    super(model, trans.__("Ask"), "ask");
    this.box.setAttribute("aria-label", trans.__("Ask the agent"));
    this.send.textContent = trans.__("Send");
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        event.stopPropagation();
        void this.submit();
      }
    });
    this.send.addEventListener("click", () => {
      void this.submit();
    });
    this.body.append(
      this.box,
      element("div", { class: "keelbook-ask-line" }, this.when, this.send),
      this.empty,
    );
    this.refresh();
  }

  /** Put the cursor into the box. */
  focus(): void {
    this.box.focus();
  }

  override refresh(): void {
    const live = this.model.attachment === "live";
    for (const node of [this.box, this.when, this.send]) {
      show(node, live);
    }
    say(this.empty, this.trans.__("A box to ask the agent in appears here once it is attached."));
    show(this.empty, !live);
    const working = this.model.working;
    this.box.placeholder = working
      ? this.trans.__("Steer the agent")
      : this.trans.__("Ask the agent");
    say(this.when, this.waiting(working));
  }

  private waiting(working: boolean): string {
    const queued = this.model.agent?.queued ?? 0;
    if (!working) {
      return this.trans.__("Enter sends, Shift+Enter starts a new line.");
    }
    return queued > 0
      ? this.trans._n(
          "%1 message is read at the next step.",
          "%1 messages are read at the next step.",
          queued,
        )
      : this.trans.__("What you send now is read at the next step.");
  }

  private async submit(): Promise<void> {
    const words = this.box.value;
    if (this.sending || words.trim() === "") {
      return;
    }
    this.sending = true;
    try {
      if (await this.model.ask(words)) {
        this.box.value = "";
      }
    } finally {
      this.sending = false;
    }
  }

  private sending = false;
  private readonly box = element("textarea", { class: "jp-mod-styled keelbook-box", rows: "3" });
  private readonly when = element("span", { class: "keelbook-when" });
  private readonly send = element("button", {
    class: "jp-mod-styled jp-mod-accept keelbook-send",
    type: "button",
  });
  private readonly empty = element("p", { class: "keelbook-empty" });
}
