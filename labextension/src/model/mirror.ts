/**
 * What the host says, held for as long as somebody looks: the last state fetched over one line.
 *
 * Rules: it never guesses; a push names topics and those are fetched. A gap in `seq` or another boot
 * id means everything is fetched, and so do a new connection and a page that becomes visible. One
 * fetch runs at a time; what comes in meanwhile is fetched by the next one.
 */
import type { IDisposable } from "@lumino/disposable";
import type { ISignal } from "@lumino/signaling";
import { Signal } from "@lumino/signaling";
import type { Line } from "../channel.js";
import { Failure } from "../channel.js";
import type { State, StateGet, WireEvent } from "../wire.js";
import { WIRE_VERSION } from "../wire.js";

type Topic = NonNullable<StateGet["topics"]>[number];

/** Every topic this client shows. */
const TOPICS: readonly Topic[] = ["agent", "todos"];

/** Milliseconds between two polls of a visible page; they cover a push that was lost. */
export const SLOW_POLL = 15_000;

/** How the mirror stands to the host. `outdated`: the kernel speaks another wire version. */
export type Standing = "connecting" | "live" | "lost" | "outdated";

export class Mirror implements IDisposable {
  constructor(private readonly line: Line) {
    line.pushed.connect(this.onPush, this);
    line.connected.connect(this.onConnected, this);
    this.refetch();
  }

  /** Emits whenever `state` or `standing` is new. */
  get changed(): ISignal<this, undefined> {
    return this._changed;
  }

  get state(): State {
    return this._state;
  }

  get standing(): Standing {
    return this._standing;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  dispose(): void {
    this._isDisposed = true;
    Signal.clearData(this);
  }

  /** Fetch every topic, now or right after the fetch that is running. */
  refetch(): void {
    this.want(TOPICS);
  }

  private onPush(_: Line, push: WireEvent): void {
    const known = push.bootId === this.bootId;
    if (known && push.seq <= this.seq) {
      return; // a fetch that is back already included it
    }
    const follows = known && push.seq === this.seq + 1;
    this.bootId = push.bootId;
    this.seq = push.seq;
    this.want(follows ? push.topics : TOPICS);
  }

  private onConnected(_: Line, connected: boolean): void {
    if (connected) {
      this.refetch();
    } else {
      this.stand("lost");
    }
  }

  private want(topics: readonly Topic[]): void {
    for (const topic of topics) {
      this.wanted.add(topic);
    }
    if (!this.fetching) {
      void this.fetch();
    }
  }

  private async fetch(): Promise<void> {
    this.fetching = true;
    try {
      while (this.wanted.size > 0 && !this._isDisposed) {
        const topics = [...this.wanted];
        this.wanted.clear();
        await this.fetchTopics(topics);
      }
    } finally {
      this.fetching = false;
    }
  }

  private async fetchTopics(topics: Topic[]): Promise<void> {
    try {
      const answer = await this.line.request("state.get", { topics });
      if (this._isDisposed) {
        return;
      }
      if (answer.wire !== WIRE_VERSION) {
        this.stand("outdated");
        return;
      }
      this.note(answer, topics.length === TOPICS.length);
      for (const topic of topics) {
        Object.assign(this._state, { [topic]: answer.result[topic] });
      }
      this._standing = "live";
      this._changed.emit(undefined);
    } catch (failure) {
      if (!(failure instanceof Failure)) {
        throw failure;
      }
      this.stand(failure.code === "unknown-op" ? "outdated" : "lost");
    }
  }

  /** Where the pushes stand. Only a whole fetch says so: a partial one left other topics out. */
  private note(answer: { bootId: string; seq: number }, whole: boolean): void {
    const known = answer.bootId === this.bootId;
    if (whole) {
      this.seq = known ? Math.max(this.seq, answer.seq) : answer.seq;
      this.bootId = answer.bootId;
    } else if (!known) {
      this.want(TOPICS);
    }
  }

  private stand(standing: Standing): void {
    if (!this._isDisposed && standing !== this._standing) {
      this._standing = standing;
      this._changed.emit(undefined);
    }
  }

  private bootId = "";
  private seq = 0;
  private fetching = false;
  private readonly wanted = new Set<Topic>();
  private readonly _state: State = { agent: null, todos: null };
  private _standing: Standing = "connecting";
  private _isDisposed = false;
  private readonly _changed = new Signal<this, undefined>(this);
}
