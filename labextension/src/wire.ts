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

/**
 * One call of the model's.
 *
 * `code` is what it runs, in `language`; a tool that runs nothing has `arguments` instead.
 * `text` is the beginning of the result where it is not shown as outputs below the card;
 * `sentence` says why a call failed or was refused.
 */
export interface CallCard {
  call: string;
  turn: number;
  tool: string;
  status: "running" | "done" | "failed" | "refused";
  code: string | null;
  language: "python" | "bash" | null;
  arguments: unknown;
  text: string;
  cut: boolean;
  sentence: string;
  dispatches: Dispatch[];
}

/** A tool called by the code of a call: the tool, what it was given in short, how it ended. */
export interface Dispatch {
  call: string;
  tool: string;
  brief: string;
  status: "running" | "done" | "failed" | "refused";
}

/** An event of the log; `at` is seconds since 1970, `data` its fields, long texts cut. */
export interface EventInfo {
  seq: number;
  at: number;
  tag: string;
  data: Record<string, unknown>;
}

/** Result of `session.events`, newest first. `next` is null at the end. */
export interface EventPage {
  events: EventInfo[];
  total: number;
  next: number | null;
}

/** Words that reached the agent while it worked. `source` is `person` or a row's name. */
export interface MessageCard {
  turn: number;
  source: string;
  words: string;
}

/** Topic `todos`. `available` is false where the profile has the row off. */
export interface Plan {
  available: boolean;
  items: PlanItem[];
  summary: string;
}

/** The agent's plan as it stands in this turn; `summary` counts it. */
export interface PlanCard {
  turn: number;
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

/** One row of the profile: where it sits, what it brings, whether it does nothing here. */
export interface RowInfo {
  name: string;
  seams: string[];
  tools: string[];
  commands: string[];
  inert: boolean;
}

/** Result of `rows.get`: outermost first. */
export interface RowTable {
  profile: string;
  rows: RowInfo[];
}

/** Args of `rows.get`. */
export type RowsGet = Record<string, never>;

/**
 * Args of `session.events`: the newest `size` with a `seq` below `before` (0: all).
 *
 * `tags` names the event types wanted; none means all.
 */
export interface SessionEvents {
  before?: number;
  size?: number;
  tags?: string[];
}

/** A session on this machine; times are seconds since 1970. `current`: this kernel's. */
export interface SessionInfo {
  session: string;
  origin: string;
  created: number;
  active: number;
  current: boolean;
}

/** Args of `session.list`. */
export interface SessionList {
  cursor?: number;
  size?: number;
}

/** Result of `session.list`, the most recently active first. `next` is null at the end. */
export interface SessionPage {
  sessions: SessionInfo[];
  total: number;
  next: number | null;
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

/** The foot of a turn: how it ended and why. */
export interface TurnCard {
  turn: number;
  ended: "done" | "aborted" | "limited" | "failed";
  reason: string;
  sentence: string;
  steps: number;
}

/** A variable: nothing of the user's ran to describe it. */
export interface VariableInfo {
  name: string;
  type: string;
  size: string;
  preview: string;
}

/** Result of `variables.list`. `next` is null at the end. */
export interface VariablePage {
  variables: VariableInfo[];
  total: number;
  next: number | null;
}

/** Args of `variables.list`: those whose names start with `prefix`. */
export interface VariablesList {
  prefix?: string;
  cursor?: number;
  size?: number;
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
  "rows.get": { args: RowsGet; result: RowTable };
  "session.list": { args: SessionList; result: SessionPage };
  "session.events": { args: SessionEvents; result: EventPage };
  "variables.list": { args: VariablesList; result: VariablePage };
}

/** Every card's payload by its kind. */
export interface Cards {
  call: CallCard;
  plan: PlanCard;
  message: MessageCard;
  turn: TurnCard;
}

/** The mime type of each kind's payload. */
export const MIMES: { readonly [Kind in keyof Cards]: string } = {
  call: "application/vnd.keelbook.call.v1+json",
  plan: "application/vnd.keelbook.plan.v1+json",
  message: "application/vnd.keelbook.message.v1+json",
  turn: "application/vnd.keelbook.turn.v1+json",
};
