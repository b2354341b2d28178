/**
 * The browser's page, as far as the model wants to know it.
 */
import type { Page } from "../model/panel.js";

export const browserPage: Page = {
  get visible(): boolean {
    return document.visibilityState === "visible";
  },
  onVisible(call: () => void): void {
    document.addEventListener("visibilitychange", () => {
      if (this.visible) {
        call();
      }
    });
  },
};
