/**
 * One collapsible section of the panel: a native disclosure, so the keyboard works by itself.
 */
import { Widget } from "@lumino/widgets";
import type { PanelModel } from "../model/panel.js";
import { element } from "./dom.js";

export abstract class Section extends Widget {
  protected readonly body = element("div", { class: "keelbook-section-body" });

  constructor(
    protected readonly model: PanelModel,
    title: string,
    name: string,
  ) {
    const summary = element("summary", { class: "keelbook-section-title" }, title);
    const node = element(
      "details",
      { class: `keelbook-section keelbook-${name}`, open: "" },
      summary,
    );
    super({ node });
    node.append(this.body);
    model.changed.connect(this.refresh, this);
  }

  /** Bring the body up to what the model says. */
  abstract refresh(): void;
}
