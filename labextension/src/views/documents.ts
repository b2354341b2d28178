/**
 * The documents the panel follows: the notebook or console the person was in last, and its kernel.
 *
 * Rules: the kernel is asked what it is before it is sent anything of ours; the answer counts only
 * while the same kernel is still the document's.
 */
import type { ISessionContext } from "@jupyterlab/apputils";
import type { ConsolePanel, IConsoleTracker } from "@jupyterlab/console";
import type { INotebookTracker, NotebookPanel } from "@jupyterlab/notebook";
import { NotebookActions } from "@jupyterlab/notebook";
import type { Kernel } from "@jupyterlab/services";
import { Channel } from "../channel.js";
import type { PanelModel } from "../model/panel.js";

/** The name that the kernel gives as its implementation. */
const IMPLEMENTATION = "keelbook";

type KernelDocument = NotebookPanel | ConsolePanel;

export class Documents {
  constructor(
    private readonly notebooks: INotebookTracker,
    private readonly consoles: IConsoleTracker | null,
  ) {}

  /** Attach the model to the current document's kernel, from now on. */
  follow(model: PanelModel): void {
    const choose = (_: unknown, chosen: KernelDocument | null): void => {
      this.choose(
        model,
        chosen ?? this.notebooks.currentWidget ?? this.consoles?.currentWidget ?? null,
      );
    };
    this.notebooks.currentChanged.connect(choose);
    this.consoles?.currentChanged.connect(choose);
    choose(undefined, this.notebooks.currentWidget);
  }

  /** Put a request into the current document as an agent cell and run it. */
  ask(text: string): boolean {
    const code = `%%agent\n${text}`;
    if (this.current === null || this.current.isDisposed) {
      return false;
    }
    if (isNotebook(this.current)) {
      return askInNotebook(this.current, code);
    }
    void this.current.console.inject(code);
    return true;
  }

  private choose(model: PanelModel, chosen: KernelDocument | null): void {
    if (chosen === this.current) {
      return;
    }
    this.context?.kernelChanged.disconnect(this.onKernel, this);
    this.current = chosen;
    this.context = chosen?.sessionContext ?? null;
    this.model = model;
    this.context?.kernelChanged.connect(this.onKernel, this);
    this.onKernel();
  }

  private onKernel(): void {
    void this.attach(this.context?.session?.kernel ?? null);
  }

  private async attach(kernel: Kernel.IKernelConnection | null): Promise<void> {
    this.kernel = kernel;
    if (kernel === null) {
      this.model?.attach("none");
      return;
    }
    this.model?.attach("connecting");
    let implementation: string;
    try {
      ({ implementation } = await kernel.info);
    } catch {
      return; // the kernel went before it said anything; the next one comes as a change
    }
    if (this.kernel === kernel) {
      this.model?.attach(implementation === IMPLEMENTATION ? new Channel(kernel) : "foreign");
    }
  }

  private model: PanelModel | null = null;
  private current: KernelDocument | null = null;
  private context: ISessionContext | null = null;
  private kernel: Kernel.IKernelConnection | null = null;
}

function isNotebook(document: KernelDocument): document is NotebookPanel {
  return "content" in document && "widgets" in document.content;
}

/** Below the active cell, or in it where it is empty. */
function askInNotebook(panel: NotebookPanel, code: string): boolean {
  const notebook = panel.content;
  if (notebook.model === null || notebook.model.readOnly) {
    return false;
  }
  const active = notebook.activeCell?.model;
  if (active?.type !== "code" || active.sharedModel.getSource().trim() !== "") {
    NotebookActions.insertBelow(notebook);
    NotebookActions.changeCellType(notebook, "code");
  }
  notebook.activeCell?.model.sharedModel.setSource(code);
  void NotebookActions.run(notebook, panel.sessionContext);
  return true;
}
