/**
 * The panel's model: where a request goes, what is attached, and what is said when it fails.
 */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Failure } from "../src/channel.js";
import { SLOW_POLL } from "../src/model/mirror.js";
import type { CellAsker } from "../src/model/panel.js";
import { PanelModel } from "../src/model/panel.js";
import { Host, IDLE, settled } from "./host.js";

class TestPage {
  visible = true;
  calls: (() => void)[] = [];

  onVisible(call: () => void): void {
    this.calls.push(call);
  }
}

interface Scene {
  host: Host;
  model: PanelModel;
  page: TestPage;
  cells: string[];
}

async function scene(hasDocument = true): Promise<Scene> {
  const cells: string[] = [];
  const askInCell: CellAsker = (text) => {
    if (hasDocument) {
      cells.push(text);
    }
    return hasDocument;
  };
  const page = new TestPage();
  const model = new PanelModel(page, askInCell);
  const host = new Host();
  model.attach(host);
  await settled();
  return { host, model, page, cells };
}

function asks(host: Host): unknown[] {
  return host.asked.filter(({ op }) => op === "turn.ask").map(({ args }) => args);
}

test("an idle agent is asked in a cell of the document", async () => {
  const { host, model, cells } = await scene();
  assert.equal(await model.ask("  count them \n"), true);
  assert.deepEqual(cells, ["count them"]);
  assert.deepEqual(asks(host), []);
  model.dispose();
});

test("a working agent is steered over the wire", async () => {
  const { host, model, cells } = await scene();
  host.agent = { ...IDLE, state: "working", turn: 1, step: 1 };
  host.push(["agent"]);
  await settled();
  assert.equal(model.working, true);
  assert.equal(await model.ask("use medians"), true);
  assert.deepEqual(cells, []);
  assert.deepEqual(asks(host), [{ text: "use medians" }]);
  model.dispose();
});

test("without a document to write into, the wire takes the request", async () => {
  const { host, model } = await scene(false);
  assert.equal(await model.ask("count them"), true);
  assert.deepEqual(asks(host), [{ text: "count them" }]);
  model.dispose();
});

test("blank words go nowhere", async () => {
  const { host, model, cells } = await scene();
  assert.equal(await model.ask(" \n "), false);
  assert.deepEqual(cells, []);
  assert.deepEqual(asks(host), []);
  model.dispose();
});

test("a refusal is said and is gone after the next thing that works", async () => {
  const { host, model } = await scene(false);
  host.failure = new Failure("refused", "No model is set.");
  assert.equal(await model.ask("count them"), false);
  assert.equal(model.notice, "No model is set.");
  host.failure = null;
  assert.equal(await model.ask("count them"), true);
  assert.equal(model.notice, "");
  model.dispose();
});

test("nothing attached is said, not thrown", async () => {
  const { model } = await scene(false);
  model.attach("foreign");
  assert.equal(model.attachment, "foreign");
  assert.equal(model.agent, null);
  assert.equal(await model.cancel(), false);
  assert.equal(model.notice, "No Keelbook kernel is attached.");
  model.dispose();
});

test("attaching to another kernel lets go of the first", async () => {
  const { host, model } = await scene();
  const second = new Host();
  second.agent = { ...IDLE, model: "other" };
  model.attach(second);
  await settled();
  assert.equal(host.isDisposed, true);
  assert.equal(model.agent?.model, "other");
  model.dispose();
  assert.equal(second.isDisposed, true);
});

test("a page that becomes visible fetches, and a visible one polls slowly", async () => {
  mock.timers.enable({ apis: ["setInterval"] });
  const { host, model, page } = await scene();
  page.calls.forEach((call) => {
    call();
  });
  await settled();
  assert.equal(host.fetches.length, 2);
  mock.timers.tick(SLOW_POLL);
  await settled();
  assert.equal(host.fetches.length, 3);
  page.visible = false;
  mock.timers.tick(SLOW_POLL);
  await settled();
  assert.equal(host.fetches.length, 3);
  model.dispose();
  mock.timers.reset();
});
