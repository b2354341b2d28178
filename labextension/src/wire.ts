// Generated from the host's wire types by `.ci/wire`; edit those, not this file.

export const WIRE_VERSION = 1;
export const REQUEST = "keelbook_request";
export const REPLY = "keelbook_reply";
export const EVENT = "keelbook_event";

/**
 * Topic `agent`: what the agent is doing.
 *
 * `idle`: no turn yet. `working`: step `step` of turn `turn`. `waiting`: for the person.
 * `ended`: the last turn ended as `kind` says, for `reason`; `sentence` is for the person.
 * `queued` counts messages to be read at the next step.
 */
export interface AgentState {
  state: "idle" | "working" | "waiting" | "ended";
  model: string;
  profile: string;
  session: string;
  turn: number;
  step: number;
  kind: "done" | "aborted" | "limited" | "failed" | null;
  reason: string;
  sentence: string;
  queued: number;
}

/** Topic `todos`. `available` is false where the profile has the row off. */
export interface Plan {
  available: boolean;
  items: PlanItem[];
  summary: string;
}

/**
 * One item of the plan.
 *
 * `waits_for`: the prerequisites not completed yet. `worked`: ids of the calls that did the
 * work. `unevidenced`: completed with none.
 */
export interface PlanItem {
  content: string;
  status: "pending" | "in_progress" | "completed";
  waitsFor: string[];
  worked: string[];
  unevidenced: boolean;
  source: string;
}

/** Result of `state.get`: the topics asked for, the others are null. */
export interface State {
  agent: AgentState | null;
  todos: Plan | null;
}

/** Args of `state.get`: which topics; none means all. */
export interface StateGet {
  topics?: ("agent" | "todos")[];
}

/** Args of `todos.get`. */
export type TodosGet = Record<string, never>;

/** Args of `turn.ask`. */
export interface TurnAsk {
  text: string;
}

/** Result of `turn.ask`. `steered`: a turn was running, it reads this at its next step. */
export interface TurnAsked {
  turn: number;
  steered: boolean;
}

/** Args of `turn.cancel`. */
export type TurnCancel = Record<string, never>;

/** Result of `turn.cancel`. `cancelled` is false when no turn was running. */
export interface TurnCancelled {
  cancelled: boolean;
}

/** Why nothing happened: a code of a closed set and a sentence for the person. */
export interface WireError {
  code: "unknown-op" | "bad-arguments" | "refused" | "busy" | "failed";
  sentence: string;
}

/**
 * Content of `keelbook_event`: these topics changed. `seq` counts pushes without gaps.
 *
 * A new `boot_id` means another kernel process: everything is to be fetched again.
 */
export interface WireEvent {
  bootId: string;
  seq: number;
  topics: ("agent" | "todos")[];
  wire: number;
}

/** Content of `keelbook_reply`: a result or an error, and where the pushes stand. */
export interface WireReply {
  id: string;
  ok: boolean;
  bootId: string;
  seq: number;
  wire: number;
  result: unknown;
  error: WireError | null;
}

/** Content of `keelbook_request`. `id` comes back in the reply; `op` is a key of OPS. */
export interface WireRequest {
  id: string;
  op: string;
  args?: Record<string, unknown>;
  bootId?: string | null;
}

/** Every op with its args and its result. */
export interface Ops {
  "state.get": { args: StateGet; result: State };
  "turn.ask": { args: TurnAsk; result: TurnAsked };
  "turn.cancel": { args: TurnCancel; result: TurnCancelled };
  "todos.get": { args: TodosGet; result: Plan };
}
