/**
 * The mirror fetches what changed, and everything when it cannot know what did (lab W2, P1).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../src/channel.js";
import { Mirror } from "../src/model/mirror.js";
import { Host, IDLE, settled } from "./host.js";

const ALL = ["agent", "todos"];

async function live(): Promise<{ host: Host; mirror: Mirror }> {
  const host = new Host();
  const mirror = new Mirror(host);
  await settled();
  assert.equal(mirror.standing, "live");
  return { host, mirror };
}

test("a new mirror fetches everything", async () => {
  const { host, mirror } = await live();
  assert.deepEqual(host.fetches, [ALL]);
  assert.equal(mirror.state.agent?.model, "scripted");
});

test("a push that follows the last one fetches only its topics", async () => {
  const { host, mirror } = await live();
  host.agent = { ...IDLE, state: "working", step: 2 };
  host.push(["agent"]);
  await settled();
  assert.deepEqual(host.fetches.at(-1), ["agent"]);
  assert.equal(mirror.state.agent?.step, 2);
  assert.deepEqual(mirror.state.todos?.items, []);
});

test("a gap in the sequence fetches everything", async () => {
  const { host } = await live();
  host.push(["agent"], 1);
  await settled();
  assert.deepEqual(host.fetches.at(-1), ALL);
});

test("another boot id fetches everything, even where the sequence begins again", async () => {
  const { host } = await live();
  host.push(["agent"]);
  await settled();
  host.bootId = "boot-2";
  host.seq = 0;
  host.push(["agent"]);
  await settled();
  assert.deepEqual(host.fetches.at(-1), ALL);
  host.push(["todos"]);
  await settled();
  assert.deepEqual(host.fetches.at(-1), ["todos"]);
});

test("a push that a whole fetch already included fetches nothing", async () => {
  const host = new Host();
  host.seq = 5;
  const mirror = new Mirror(host);
  await settled();
  host.seq = 4;
  host.push(["agent"]);
  await settled();
  assert.equal(host.fetches.length, 1);
  mirror.dispose();
});

test("a partial fetch does not swallow a push about another topic", async () => {
  const { host, mirror } = await live();
  let open: () => void = () => undefined;
  host.gate = new Promise((resolve) => (open = resolve));
  host.push(["agent"]);
  // The host moves on while the agent's fetch is under way, and its answer overtakes the push.
  const late = host.compose(["todos"]);
  host.plan = { ...host.plan, summary: "changed" };
  open();
  await settled();
  host.deliver(late);
  await settled();
  assert.equal(mirror.state.todos?.summary, "changed");
});

test("what is pushed during a fetch is fetched by one more", async () => {
  const { host } = await live();
  let open: () => void = () => undefined;
  host.gate = new Promise((resolve) => (open = resolve));
  host.push(["agent"]);
  for (let count = 0; count < 20; count += 1) {
    host.push(["agent"]);
  }
  open();
  await settled();
  assert.equal(host.fetches.length, 3);
});

test("a lost connection is said, and a new one fetches everything", async () => {
  const { host, mirror } = await live();
  host.connect(false);
  assert.equal(mirror.standing, "lost");
  host.connect(true);
  await settled();
  assert.equal(mirror.standing, "live");
  assert.deepEqual(host.fetches, [ALL, ALL]);
});

test("a kernel that does not answer is lost until it does", async () => {
  const { host, mirror } = await live();
  host.failure = new Failure("silent", "The kernel does not answer.");
  mirror.refetch();
  await settled();
  assert.equal(mirror.standing, "lost");
  host.failure = null;
  mirror.refetch();
  await settled();
  assert.equal(mirror.standing, "live");
});

test("a kernel of another wire version is outdated, and nothing of its state is shown", async () => {
  const host = new Host();
  host.wire += 1;
  const mirror = new Mirror(host);
  await settled();
  assert.equal(mirror.standing, "outdated");
  assert.equal(mirror.state.agent, null);
});

test("a disposed mirror is silent", async () => {
  const { host, mirror } = await live();
  let changes = 0;
  mirror.changed.connect(() => (changes += 1));
  mirror.refetch();
  mirror.dispose();
  host.connect(true);
  await settled();
  assert.equal(changes, 0);
});
