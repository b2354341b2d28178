/**
 * The other end of a line, as a test wants it: answers when told to, pushes what it is told.
 */
import type { ISignal } from "@lumino/signaling";
import { Signal } from "@lumino/signaling";
import type { Answer, Line } from "../src/channel.js";
import { Failure } from "../src/channel.js";
import type { AgentState, Ops, Plan, State, WireEvent } from "../src/wire.js";
import { WIRE_VERSION } from "../src/wire.js";

export const IDLE: AgentState = {
  state: "idle",
  model: "scripted",
  profile: "stable",
  session: "s",
  turn: 0,
  step: 0,
  kind: null,
  reason: "",
  sentence: "",
  queued: 0,
};

export const NO_PLAN: Plan = { available: true, items: [], summary: "The plan is empty." };

interface Asked {
  op: string;
  args: unknown;
}

export class Host implements Line {
  agent = IDLE;
  plan = NO_PLAN;
  bootId = "boot-1";
  seq = 0;
  wire: number = WIRE_VERSION;
  /** Every request that came, oldest first. */
  readonly asked: Asked[] = [];
  /** When set, requests fail with it. */
  failure: Failure | null = null;
  /** When set, requests wait for it. */
  gate: Promise<void> = Promise.resolve();
  isDisposed = false;

  get pushed(): ISignal<Line, WireEvent> {
    return this._pushed;
  }

  get connected(): ISignal<Line, boolean> {
    return this._connected;
  }

  dispose(): void {
    this.isDisposed = true;
    Signal.clearData(this);
  }

  async request<K extends keyof Ops>(
    op: K,
    args: Ops[K]["args"],
  ): Promise<Answer<Ops[K]["result"]>> {
    this.asked.push({ op, args });
    await this.gate;
    if (this.failure !== null) {
      throw this.failure;
    }
    return { result: this.answer(op, args), ...this.place() };
  }

  /** Say that topics changed; `lost` counts pushes before it that never arrive. */
  push(topics: WireEvent["topics"], lost = 0): void {
    this.seq += lost;
    this.deliver(this.compose(topics));
  }

  /** A push that is on its way: it has its number, and nobody has it yet. */
  compose(topics: WireEvent["topics"]): WireEvent {
    this.seq += 1;
    return { topics, ...this.place() };
  }

  deliver(push: WireEvent): void {
    this._pushed.emit(push);
  }

  connect(connected: boolean): void {
    this._connected.emit(connected);
  }

  /** The topics of each `state.get` so far. */
  get fetches(): string[][] {
    return this.asked
      .filter((asked) => asked.op === "state.get")
      .map((asked) => [...((asked.args as Ops["state.get"]["args"]).topics ?? [])].sort());
  }

  private place(): { bootId: string; seq: number; wire: number } {
    return { bootId: this.bootId, seq: this.seq, wire: this.wire };
  }

  private answer<K extends keyof Ops>(op: K, args: Ops[K]["args"]): Ops[K]["result"] {
    const results: { [Name in keyof Ops]?: () => Ops[Name]["result"] } = {
      "state.get": () => this.state((args as Ops["state.get"]["args"]).topics ?? []),
      "turn.ask": () => ({ turn: 1, steered: this.agent.state === "working" }),
      "turn.cancel": () => ({ cancelled: this.agent.state === "working" }),
      "todos.get": () => this.plan,
    };
    const result = results[op];
    if (result === undefined) {
      throw new Failure("unknown-op", `There is no op ${op}.`);
    }
    return result();
  }

  private state(topics: readonly string[]): State {
    return {
      agent: topics.includes("agent") ? this.agent : null,
      todos: topics.includes("todos") ? this.plan : null,
    };
  }

  private readonly _pushed = new Signal<this, WireEvent>(this);
  private readonly _connected = new Signal<this, boolean>(this);
}

/** Let everything that is ready run. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
