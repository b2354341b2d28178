/**
 * The plugin records of the extension, and nothing else: what each one does is in views/.
 */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";

const panel: JupyterFrontEndPlugin<void> = {
  id: "keelbook:panel",
  description: "The Keelbook panel in the right side bar.",
  autoStart: true,
  activate: (_app: JupyterFrontEnd) => undefined,
};

export default [panel];
