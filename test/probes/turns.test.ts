import { expect, test } from "bun:test";
import { createNetwork } from "../../src/probes/connections/network.ts";
import { Lifetime } from "../../src/probes/lifetime.ts";
import { observe, type ProbeContext, type Seen } from "../../src/probes/observe.ts";
import { ProbeError } from "../../src/probes/probe-error.ts";
import { Turns } from "../../src/probes/turns.ts";

const network = createNetwork({ privateTargets: "allow" });
const REACHED: Seen = { outcome: "reached", latencyMs: 1, detail: {} };

/** A check that does what it is given. */
function check(work: (context: ProbeContext) => Promise<Seen>, timeout = 20_000) {
  const lifetime = new Lifetime();
  return { lifetime, seen: observe({ timeout, network, lifetime }, work) };
}

/** A check that takes a turn and keeps it until it is told to end. */
function holder(turns: Turns) {
  const taken = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const { lifetime, seen } = check(async (context) => {
    await turns.take(context);
    taken.resolve();
    await end.promise;
    return REACHED;
  });
  return { lifetime, seen, taken: taken.promise, end: () => end.resolve() };
}

test("behavior 1.63: turns are given in the order in which checks ask, and to no more at a time", async () => {
  const turns = new Turns(2, { sure: 60_000 });
  const order: number[] = [];
  const holders = [0, 1, 2, 3].map((number) => {
    const one = holder(turns);
    void one.taken.then(() => order.push(number));
    return one;
  });
  await Promise.all([holders[0]?.taken, holders[1]?.taken]);
  expect(order).toEqual([0, 1]);
  holders[1]?.end();
  await holders[2]?.taken;
  holders[0]?.lifetime.close();
  await holders[3]?.taken;
  expect(order).toEqual([0, 1, 2, 3]);
  holders[2]?.end();
  holders[3]?.end();
  expect(await holders[3]?.seen).toMatchObject({ outcome: "reached" });
});

test("behavior 1.63: a check that is cancelled while it waits gives its place to the next", async () => {
  const turns = new Turns(1, { sure: 60_000 });
  const [first, cancelled, last] = [holder(turns), holder(turns), holder(turns)];
  await first.taken;
  cancelled.lifetime.close();
  first.end();
  await last.taken;
  last.end();
  expect(await cancelled.seen).toMatchObject({ outcome: "inconclusive" });
  expect(await last.seen).toMatchObject({ outcome: "reached" });
});

test("behavior 1.63: a turn that is too long ends inconclusively once another check waits", async () => {
  const turns = new Turns(1, { sure: 0 });
  const slow = holder(turns);
  await slow.taken;
  const next = holder(turns);
  await next.taken;
  expect(await slow.seen).toMatchObject({ outcome: "inconclusive" });
  next.end();
  expect(await next.seen).toMatchObject({ outcome: "reached" });
});

test("behavior 1.63: the timeout of a check does not count the time for which it waits for its turn", async () => {
  const turns = new Turns(1, { sure: 60_000 });
  const first = holder(turns);
  await first.taken;
  let waited = 0;
  const waiting = check(async (context) => {
    await turns.take(context);
    waited = context.waited;
    return REACHED;
  }, 50);
  // It has a timeout of 50 ms, and another check with the same timeout and no turn ends meanwhile.
  const other = check(() => new Promise<Seen>(() => {}), 50);
  expect(await other.seen).toMatchObject({ outcome: "failed", reason: "timeout" });
  first.end();
  expect(await waiting.seen).toMatchObject({ outcome: "reached" });
  expect(waited).toBeGreaterThan(0);
});

test.each([
  ["breaks off", new ProbeError("bad_body", "the connection ended"), "inconclusive"],
  ["is reset", Object.assign(new Error("reset"), { code: "ECONNRESET" }), "inconclusive"],
  ["is not as expected", new ProbeError("unexpected", "no match"), "failed"],
] as const)("behavior 1.63: an answer that %s after a long wait", async (_, error, outcome) => {
  const { seen } = check(async (context) => {
    await context.wait(() => Bun.sleep(300));
    throw error;
  });
  expect(await seen).toMatchObject({ outcome });
});
