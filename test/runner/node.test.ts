import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { AppError } from "../../src/errors.ts";
import { createLogger } from "../../src/log.ts";
import { createNode, type Node } from "../../src/runner/node.ts";
import { createTestClock, type TestClock } from "../support/clock.ts";
import { Life, mortalStore } from "../support/outbox/life.ts";
import { engineOfTests } from "../support/store/engines.ts";
import type { TestStore } from "../support/store/test-store.ts";

// The first one may start a database server.
setDefaultTimeout(300_000);

let opened: TestStore;
let clock: TestClock;
let logged: string[];

beforeEach(async () => {
  opened = await engineOfTests().open();
  clock = createTestClock();
  logged = [];
});

afterEach(() => opened[Symbol.asyncDispose]());

/** @param checks how many it has recorded @param given by default the store of the test */
async function start(checks = () => 0, given = opened.store): Promise<Node> {
  const log = createLogger({ level: "silent" });
  log.warn = (...[, message = ""]: unknown[]) => void logged.push(String(message));
  const store = mortalStore(given, { clock, life: new Life() });
  const node = createNode({ store, clock, log, name: "web", version: "1.2.3", retentionDays: 90, checks });
  await node.start();
  return node;
}

const list = () => opened.store.nodes.list(clock.now());

test("behavior 12.20, 12.21: a node joins the list under a free name, and knows its place among the others", async () => {
  const nodes = [await start(), await start()];
  expect(nodes.map((node) => node.name())).toEqual(["web", "web-2"]);
  await clock.advance(1000);
  const claimants = nodes.map((node) => node.claimant());
  expect(claimants.map(({ nodes }) => nodes)).toEqual([2, 2]);
  expect(claimants.map(({ place }) => place).toSorted()).toEqual([0, 1]);
  expect(claimants[0]?.node).not.toBe(claimants[1]?.node ?? 0);
});

test("behavior 12.20: a node gives a sign of life every second, with its checks per second", async () => {
  await start(() => Math.floor(clock.monotonic() / 250));
  await clock.advance(90_000);
  expect(await list()).toEqual([
    { name: "web", version: "1.2.3", lastSeenAt: clock.now(), checksPerSecond: 4 },
  ]);
});

test("behavior 12.23: a node that stops leaves the list, and the others take its part", async () => {
  const [first, second] = [await start(), await start()];
  await first.stop();
  await clock.advance(1000);
  expect((await list()).map(({ name }) => name)).toEqual(["web-2"]);
  expect(second.claimant()).toMatchObject({ place: 0, nodes: 1 });
});

test("a node that cannot record its heartbeat logs it once, and stops all the same", async () => {
  const node = await start();
  const repair = await opened.db.breakWrites("read-only");
  await clock.advance(5000);
  await node.stop();
  expect(logged).toEqual([
    "could not record the heartbeat of this node",
    "could not release claims: other nodes wait until they expire",
  ]);
  await repair();
});

test("a sign of life under way does not follow the end of a node", async () => {
  const calls: string[] = [];
  const { store } = opened;
  let held: Promise<void> | undefined;
  const nodes: typeof store.nodes = {
    ...store.nodes,
    async note(...given) {
      await held;
      const claimant = await store.nodes.note(...given);
      calls.push("note");
      return claimant;
    },
    async leave(pk) {
      calls.push("leave");
      await store.nodes.leave(pk);
    },
  };
  const node = await start(() => 0, { ...store, nodes });
  const gate = Promise.withResolvers<void>();
  held = gate.promise;
  const ticked = clock.advance(1000);
  await Bun.sleep(0);
  const stopped = node.stop();
  gate.resolve();
  await Promise.all([ticked, stopped]);
  expect(calls).toEqual(["note", "note", "leave"]);
});

test("behavior 12.78: a node gives no sign of life once a newer version has migrated the database", async () => {
  let isOutdated = false;
  const refused = new AppError(
    "refused",
    "a newer version of stillup migrated this database: use that version",
  );
  const assertCompatible = async () => {
    if (isOutdated) throw refused;
  };
  const { store } = opened;
  const node = await start(() => 0, { ...store, nodes: { ...store.nodes, assertCompatible } });
  const before = clock.now();
  isOutdated = true;
  await clock.advance(5000);
  expect(await node.outdated).toBe(refused);
  expect(await list()).toMatchObject([{ lastSeenAt: before }]);
  expect(logged).toEqual([]);
});
