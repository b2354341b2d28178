/**
 * What the panel shows and does, without a widget: the kernel it is attached to, the host's state,
 * and the sentence about the last thing that did not work.
 *
 * Rules: everything shown comes from the mirror; nothing here outlives a page load.
 */
import type { IDisposable } from "@lumino/disposable";
import type { ISignal } from "@lumino/signaling";
import { Signal } from "@lumino/signaling";
import type { Line } from "../channel.js";
import { Failure } from "../channel.js";
import type { AgentState, Plan } from "../wire.js";
import type { Standing } from "./mirror.js";
import { Mirror, SLOW_POLL } from "./mirror.js";

/** A document without a line: no kernel at all, another kernel, or one that is still starting. */
export type Unattached = "none" | "foreign" | "connecting";

export type Attachment = Unattached | Standing;

/** Puts a request into the document the person works in; false when there is no such document. */
export type CellAsker = (text: string) => boolean;

/** The browser's page: whether anybody can see it, and a call each time that begins. */
export interface Page {
  readonly visible: boolean;
  onVisible(call: () => void): void;
}

export class PanelModel implements IDisposable {
  constructor(
    page: Page,
    private readonly askInCell: CellAsker,
  ) {
    page.onVisible(() => {
      this.mirror?.refetch();
    });
    this.poll = setInterval(() => {
      if (page.visible) {
        this.mirror?.refetch();
      }
    }, SLOW_POLL);
  }

  /** Emits whenever anything shown is new. */
  get changed(): ISignal<this, undefined> {
    return this._changed;
  }

  get attachment(): Attachment {
    return this.mirror?.standing ?? this.unattached;
  }

  get agent(): AgentState | null {
    return this.mirror?.state.agent ?? null;
  }

  get plan(): Plan | null {
    return this.mirror?.state.todos ?? null;
  }

  /** A turn is running, so words are read at its next step. */
  get working(): boolean {
    const state = this.agent?.state;
    return this.attachment === "live" && (state === "working" || state === "waiting");
  }

  /** About the last thing that did not work; empty when all is well. */
  get notice(): string {
    return this._notice;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  dispose(): void {
    this._isDisposed = true;
    clearInterval(this.poll);
    this.attach("none");
    Signal.clearData(this);
  }

  /** Show the kernel behind a line, or say why there is none. The line is disposed with it. */
  attach(to: Line | Unattached): void {
    this.mirror?.dispose();
    this.line?.dispose();
    const line = typeof to === "string" ? null : to;
    this.unattached = typeof to === "string" ? to : "none";
    this.line = line;
    this._notice = "";
    this.mirror = line === null ? null : new Mirror(line);
    this.mirror?.changed.connect(() => {
      this._changed.emit(undefined);
    });
    this._changed.emit(undefined);
  }

  /**
   * Ask the agent. While a turn runs it reads this at its next step; else the request becomes an
   * agent cell of the document, so that the notebook holds what was asked and what came of it.
   *
   * @returns whether the words are on their way.
   */
  async ask(text: string): Promise<boolean> {
    const words = text.trim();
    if (words === "") {
      return false;
    }
    if (!this.working && this.attachment === "live" && this.askInCell(words)) {
      return true;
    }
    return this.attempt((line) => line.request("turn.ask", { text: words }));
  }

  /** Stop the turn that is running. */
  async cancel(): Promise<boolean> {
    return this.attempt((line) => line.request("turn.cancel", {}));
  }

  private async attempt(action: (line: Line) => Promise<unknown>): Promise<boolean> {
    let notice = "";
    try {
      if (this.line === null) {
        throw new Failure("lost", "No Keelbook kernel is attached.");
      }
      await action(this.line);
    } catch (failure) {
      if (!(failure instanceof Failure)) {
        throw failure;
      }
      notice = failure.message;
    }
    this._notice = notice;
    this._changed.emit(undefined);
    return notice === "";
  }

  private line: Line | null = null;
  private mirror: Mirror | null = null;
  private unattached: Unattached = "none";
  private _notice = "";
  private _isDisposed = false;
  private readonly poll: ReturnType<typeof setInterval>;
  private readonly _changed = new Signal<this, undefined>(this);
}
