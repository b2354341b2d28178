/**
 * The line to one kernel: requests on its control channel, pushes from its iopub channel.
 *
 * Rules: a request settles exactly once, with the host's result or a `Failure` whose sentence is for
 * the person; the kernel's busy and idle status plays no part; what a push means is not decided here.
 */
import type { Kernel } from "@jupyterlab/services";
import { KernelMessage } from "@jupyterlab/services";
import { UUID } from "@lumino/coreutils";
import type { IDisposable } from "@lumino/disposable";
import type { ISignal } from "@lumino/signaling";
import { Signal } from "@lumino/signaling";
import type { Ops, WireError, WireEvent, WireReply, WireRequest } from "./wire.js";
import { EVENT, REQUEST } from "./wire.js";

/** Why a request had no result: the host's code, or one of this side's. */
export type FailureCode = WireError["code"] | "lost" | "silent";

/** A request that had no result. `message` is the sentence for the person. */
export class Failure extends Error {
  constructor(
    readonly code: FailureCode,
    sentence: string,
  ) {
    super(sentence);
  }
}

/** A result, and where the host's pushes stood when it was made. */
export interface Answer<T> {
  result: T;
  bootId: string;
  seq: number;
  wire: number;
}

/** What the model needs of a line. */
export interface Line extends IDisposable {
  /** Pushes, in the order they came. */
  readonly pushed: ISignal<Line, WireEvent>;
  /** Emits true when the connection is there again, false when it is gone. */
  readonly connected: ISignal<Line, boolean>;
  /** Ask the host; rejects with a `Failure`. */
  request<K extends keyof Ops>(op: K, args: Ops[K]["args"]): Promise<Answer<Ops[K]["result"]>>;
}

/** Milliseconds without an answer after which the kernel counts as silent. */
const PATIENCE = 10_000;

export class Channel implements Line {
  constructor(private readonly kernel: Kernel.IKernelConnection) {
    kernel.iopubMessage.connect(this.onIOPub, this);
    kernel.connectionStatusChanged.connect(this.onConnection, this);
    kernel.statusChanged.connect(this.onStatus, this);
    kernel.disposed.connect(this.dispose, this);
  }

  get pushed(): ISignal<this, WireEvent> {
    return this._pushed;
  }

  get connected(): ISignal<this, boolean> {
    return this._connected;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Let go of the kernel; requests still open fail as lost. */
  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this.dropAll();
    Signal.clearData(this);
  }

  async request<K extends keyof Ops>(
    op: K,
    args: Ops[K]["args"],
  ): Promise<Answer<Ops[K]["result"]>> {
    const content: WireRequest = { id: UUID.uuid4(), op, args: { ...args } };
    const reply = await this.exchange(content);
    if (!reply.ok) {
      const error = reply.error ?? { code: "failed", sentence: "The kernel gave no reason." };
      throw new Failure(error.code, error.sentence);
    }
    return {
      result: reply.result as Ops[K]["result"],
      bootId: reply.bootId,
      seq: reply.seq,
      wire: reply.wire,
    };
  }

  private exchange(content: WireRequest): Promise<WireReply> {
    if (this._isDisposed || this.kernel.status === "dead") {
      return Promise.reject(new Failure("lost", "The kernel is gone."));
    }
    // The message type is ours, so it is not in JupyterLab's closed list of them.
    const message = KernelMessage.createMessage({
      msgType: REQUEST,
      channel: "control",
      session: this.kernel.clientId,
      username: this.kernel.username,
      content,
    } as unknown as KernelMessage.IOptions<KernelMessage.IDebugRequestMsg>);
    return new Promise<WireReply>((resolve, reject) => {
      const future = this.kernel.sendControlMessage(message, true, false);
      const settle = (): void => {
        clearTimeout(timer);
        this.open.delete(drop);
        future.dispose();
      };
      const drop = (): void => {
        settle();
        reject(new Failure("lost", "The kernel is gone."));
      };
      const timer = setTimeout(() => {
        settle();
        reject(new Failure("silent", "The kernel does not answer."));
      }, PATIENCE);
      this.open.add(drop);
      future.onReply = (answer: KernelMessage.IControlMessage): void => {
        settle();
        resolve(answer.content as unknown as WireReply);
      };
    });
  }

  private onIOPub(_: Kernel.IKernelConnection, message: KernelMessage.IIOPubMessage): void {
    if ((message.header.msg_type as string) === EVENT) {
      this._pushed.emit(message.content as unknown as WireEvent);
    }
  }

  private onConnection(_: Kernel.IKernelConnection, status: Kernel.ConnectionStatus): void {
    if (status !== "connected") {
      this.dropAll();
    }
    this._connected.emit(status === "connected");
  }

  private onStatus(_: Kernel.IKernelConnection, status: Kernel.Status): void {
    if (status === "restarting" || status === "autorestarting" || status === "dead") {
      this.dropAll();
      this._connected.emit(false);
    }
  }

  private dropAll(): void {
    for (const drop of [...this.open]) {
      drop();
    }
  }

  private readonly open = new Set<() => void>();
  private readonly _pushed = new Signal<this, WireEvent>(this);
  private readonly _connected = new Signal<this, boolean>(this);
  private _isDisposed = false;
}
