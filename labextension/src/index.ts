/**
 * The plugin records of the extension, and nothing else: what each one does is in views/.
 */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { ILayoutRestorer } from "@jupyterlab/application";
import { ICommandPalette } from "@jupyterlab/apputils";
import { IEditorLanguageRegistry } from "@jupyterlab/codemirror";
import { IConsoleTracker } from "@jupyterlab/console";
import { INotebookTracker } from "@jupyterlab/notebook";
import { IRenderMimeRegistry } from "@jupyterlab/rendermime";
import { ITranslator, nullTranslator } from "@jupyterlab/translation";
import { PanelModel } from "./model/panel.js";
import { addCardRenderers, highlighter } from "./views/cardRenderer.js";
import { addCommands } from "./views/commands.js";
import { Documents } from "./views/documents.js";
import { browserPage } from "./views/page.js";
import { KeelbookPanel } from "./views/panel.js";

const panel: JupyterFrontEndPlugin<void> = {
  id: "keelbook:panel",
  description: "The Keelbook panel in the right side bar, and its commands.",
  autoStart: true,
  requires: [INotebookTracker],
  optional: [IConsoleTracker, ICommandPalette, ILayoutRestorer, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    notebooks: INotebookTracker,
    consoles: IConsoleTracker | null,
    palette: ICommandPalette | null,
    restorer: ILayoutRestorer | null,
    translator: ITranslator | null,
  ): void => {
    const trans = (translator ?? nullTranslator).load("keelbook");
    const documents = new Documents(notebooks, consoles);
    const model = new PanelModel(browserPage, (text) => documents.ask(text));
    const widget = new KeelbookPanel(model, trans);
    documents.follow(model);
    app.shell.add(widget, "right", { rank: 650 });
    restorer?.add(widget, widget.id);
    addCommands(app, widget, model, trans, palette);
  },
};

const cards: JupyterFrontEndPlugin<void> = {
  id: "keelbook:cards",
  description: "Draws the cards of an agent cell.",
  autoStart: true,
  requires: [IRenderMimeRegistry],
  optional: [IEditorLanguageRegistry, ITranslator],
  activate: (
    _app: JupyterFrontEnd,
    registry: IRenderMimeRegistry,
    languages: IEditorLanguageRegistry | null,
    translator: ITranslator | null,
  ): void => {
    const trans = (translator ?? nullTranslator).load("keelbook");
    addCardRenderers(registry, { trans, highlight: highlighter(languages) });
  },
};

export default [panel, cards];
