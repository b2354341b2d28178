/**
 * The commands of the extension and their entries in the command palette.
 */
import type { JupyterFrontEnd } from "@jupyterlab/application";
import type { ICommandPalette } from "@jupyterlab/apputils";
import type { TranslationBundle } from "@jupyterlab/translation";
import type { PanelModel } from "../model/panel.js";
import { keelbookIcon } from "./icon.js";
import type { KeelbookPanel } from "./panel.js";

export const OPEN = "keelbook:open-panel";
export const ASK = "keelbook:ask";
export const STOP = "keelbook:stop-turn";

/** Add the commands, and to the palette where there is one. */
export function addCommands(
  app: JupyterFrontEnd,
  panel: KeelbookPanel,
  model: PanelModel,
  trans: TranslationBundle,
  palette: ICommandPalette | null,
): void {
  const { commands, shell } = app;
  commands.addCommand(OPEN, {
    label: trans.__("Open the Keelbook Panel"),
    icon: keelbookIcon,
    describedBy: { args: {} },
    execute: () => {
      shell.activateById(panel.id);
    },
  });
  commands.addCommand(ASK, {
    label: trans.__("Ask the Agent"),
    describedBy: { args: {} },
    isEnabled: () => model.attachment === "live",
    execute: () => {
      shell.activateById(panel.id);
      // The palette gives the focus back to the document once the command returned.
      setTimeout(() => {
        panel.focusAsk();
      });
    },
  });
  commands.addCommand(STOP, {
    label: trans.__("Stop the Agent's Turn"),
    describedBy: { args: {} },
    isEnabled: () => model.working,
    execute: () => model.cancel(),
  });
  model.changed.connect(() => {
    commands.notifyCommandChanged();
  });
  for (const command of [OPEN, ASK, STOP]) {
    palette?.addItem({ command, category: trans.__("Keelbook") });
  }
}
