/**
 * The panel in the right side bar: its sections, one under the other.
 */
import type { TranslationBundle } from "@jupyterlab/translation";
import { Panel } from "@lumino/widgets";
import type { PanelModel } from "../model/panel.js";
import { AskSection } from "./ask.js";
import { HeadSection } from "./head.js";
import { keelbookIcon } from "./icon.js";
import { PlanSection } from "./plan.js";

export class KeelbookPanel extends Panel {
  constructor(model: PanelModel, trans: TranslationBundle) {
    super();
    this.id = "keelbook-panel";
    this.addClass("keelbook-panel");
    this.title.icon = keelbookIcon;
    this.title.caption = trans.__("Keelbook");
    this.node.setAttribute("role", "region");
    this.node.setAttribute("aria-label", trans.__("Keelbook"));
    this.ask = new AskSection(model, trans);
    this.addWidget(new HeadSection(model, trans));
    this.addWidget(this.ask);
    this.addWidget(new PlanSection(model, trans));
  }

  /** Put the cursor into the prompt box. */
  focusAsk(): void {
    this.ask.focus();
  }

  private readonly ask: AskSection;
}
