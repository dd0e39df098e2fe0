import { expect, test } from "bun:test";
import { createLogger } from "../../src/log.ts";
import { createFaultLog, createLoop } from "../../src/runner/loop.ts";
import { createTestClock } from "../support/clock.ts";

type Options = Partial<Parameters<typeof createLoop>[0]>;

/** A loop whose runs end one by one. */
function start(options: Options = {}) {
  const clock = createTestClock();
  const runs: (PromiseWithResolvers<void> & { at: number })[] = [];
  const logged: string[] = [];
  const log = createLogger({ level: "silent" });
  log.error = (...[, message = ""]: unknown[]) => void logged.push(String(message));
  let running = 0;
  const loop = createLoop({
    clock,
    async task() {
      expect(++running).toBe(1);
      const run = { ...Promise.withResolvers<void>(), at: clock.monotonic() };
      runs.push(run);
      await run.promise.finally(() => running--);
    },
    faults: createFaultLog(log, "a run failed"),
    ...options,
  });
  loop.start();
  return {
    loop,
    clock,
    logged,
    /** When each run began. */
    begun: () => runs.map(({ at }) => at),
    async end(error?: Error) {
      const run = runs.at(-1);
      if (error) run?.reject(error);
      else run?.resolve();
      await clock.settle();
    },
  };
}

/** Whether a promise has been resolved yet. */
function watch(promise: Promise<void>): () => boolean {
  let isResolved = false;
  void promise.then(() => {
    isResolved = true;
  });
  return () => isResolved;
}

test("a wake runs the task before it returns, and without a timer nothing else does", async () => {
  const { loop, begun, end, clock } = start();
  await clock.advance(60_000);
  expect(begun()).toEqual([]);
  loop.wake();
  expect(begun()).toEqual([60_000]);
  await end();
  await clock.advance(60_000);
  expect(begun()).toHaveLength(1);
});

test("wakes during a run cause exactly one further run, after it", async () => {
  const { loop, begun, end } = start();
  for (let wakes = 0; wakes < 5; wakes++) loop.wake();
  expect(begun()).toHaveLength(1);
  await end();
  expect(begun()).toHaveLength(2);
  await end();
  expect(begun()).toHaveLength(2);
  loop.wake();
  expect(begun()).toHaveLength(3);
});

test("`run` resolves after a run that began after the call, also if it fails", async () => {
  const { loop, begun, end } = start();
  const first = watch(loop.run());
  const [second, third] = [watch(loop.run()), watch(loop.run())];
  await end();
  expect([first(), second(), third()]).toEqual([true, false, false]);
  await end(new Error("away"));
  expect([second(), third()]).toEqual([true, true]);
  expect(begun()).toHaveLength(2);
});

test("a tick is skipped while the run of an earlier tick lasts", async () => {
  const { clock, begun, end } = start({ every: 1000 });
  await clock.advance(2500);
  expect(begun()).toEqual([1000]);
  await end();
  expect(begun()).toEqual([1000]);
  await clock.advance(1000);
  expect(begun()).toEqual([1000, 3000]);
});

test("a tick during a run that was requested causes a further one", async () => {
  const { loop, clock, begun, end } = start({ every: 1000 });
  await clock.advance(500);
  loop.wake();
  await clock.advance(3000);
  await end();
  expect(begun()).toEqual([500, 3500]);
});

test("if ticks wake the loop, one during a run causes a further one", async () => {
  const started: ReturnType<typeof start> = start({ every: 1000, onTick: () => started.loop.wake() });
  const { clock, begun, end } = started;
  await clock.advance(2500);
  expect(begun()).toEqual([1000]);
  await end();
  expect(begun()).toEqual([1000, 2500]);
});

test("with a pause, the first of several requests runs at once, and later ones share a run after the pause", async () => {
  const { loop, clock, begun, end } = start({ pause: () => 20 });
  for (let requests = 0; requests < 10; requests++) loop.wake();
  expect(begun()).toEqual([]);
  await clock.advance(5);
  for (let requests = 0; requests < 10; requests++) loop.wake();
  expect(begun()).toEqual([0]);
  await end();
  for (let requests = 0; requests < 10; requests++) loop.wake();
  await clock.advance(100);
  expect(begun()).toEqual([0, 25]);
  await end();
  await clock.advance(100);
  loop.wake();
  await clock.advance(0);
  expect(begun()).toEqual([0, 25, 205]);
});

test("a stop ends the timer and waits for the current run, and nothing runs after it", async () => {
  const { loop, clock, begun, end } = start({ every: 1000 });
  await clock.advance(1000);
  loop.wake();
  const requested = watch(loop.run());
  const stopped = watch(loop.stop());
  expect(loop.isStopped()).toBe(true);
  const afterwards = watch(loop.run());
  await clock.advance(5000);
  expect([requested(), stopped(), afterwards()]).toEqual([false, false, false]);
  await end();
  expect([requested(), stopped(), afterwards()]).toEqual([true, true, true]);
  loop.wake();
  await loop.run();
  await clock.advance(5000);
  expect(begun()).toEqual([1000]);
});

test("a stop during the pause leaves out the run that was requested, and nobody waits for it", async () => {
  const { loop, clock, begun } = start({ pause: () => 20 });
  const requested = watch(loop.run());
  await loop.stop();
  await clock.advance(100);
  expect(begun()).toEqual([]);
  expect(requested()).toBe(true);
});

test("a lasting fault is logged once, and again after a success", async () => {
  const { loop, end, logged } = start();
  for (const error of [new Error("away"), new Error("away"), undefined, new Error("away")]) {
    loop.wake();
    await end(error);
  }
  expect(logged).toEqual(["a run failed", "a run failed"]);
});

test("jumps of the clock are passed on from the start to the stop", async () => {
  const jumps: number[] = [];
  const { loop, clock } = start({ onJump: ({ from, to }) => void jumps.push(to - from) });
  clock.jump(-5000);
  await loop.stop();
  clock.jump(7000);
  expect(jumps.map(Math.round)).toEqual([-5000]);
});
