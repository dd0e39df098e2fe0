import { describe, expect, test } from "bun:test";
import { createJumpDetector, createSystemClock } from "../src/clock.ts";
import { createLogger } from "../src/log.ts";
import { shiftClock } from "./support/clock.ts";
import { eventually } from "./support/eventually.ts";

const HOUR = 3_600_000;
const log = createLogger({ level: "silent" });

/** In this file alone, because it replaces the clock of the whole process. */
describe("the system clock", () => {
  test("a task of each second goes on if the clock jumps back or ahead", async () => {
    let runs = 0;
    const cancel = createSystemClock(log).every(1000, () => runs++);
    await eventually(() => runs > 0);
    for (const jump of [-HOUR, HOUR]) {
      using _ = shiftClock(jump);
      const before = runs;
      await eventually(() => runs > before + 1);
    }
    cancel();
  }, 300_000);

  test("listeners are called with a jump before the new time is returned", () => {
    const clock = createSystemClock(log);
    const jumps: number[] = [];
    clock.onJump(({ from, to }) => jumps.push(Math.round((to - from) / 1000)));
    const before = clock.now();
    using _ = shiftClock(-HOUR);
    expect(clock.now()).toBeLessThan(before);
    clock.now();
    expect(jumps).toEqual([-3600]);
  });

  test("a task that fails is logged and runs again", async () => {
    const errors: unknown[] = [];
    const failing = createLogger({ level: "silent" });
    failing.error = (...given: unknown[]) => void errors.push(given);
    const clock = createSystemClock(failing);
    const cancel = clock.every(1000, () => Promise.reject(new Error("failed")));
    clock.after(0, () => {
      throw new Error("failed");
    });
    await eventually(() => errors.length >= 3);
    cancel();
  });

  test.each([0, 500, 7000, 90_000])("a period of %d ms is rejected", (ms) => {
    expect(() => createSystemClock(log).every(ms, () => {})).toThrow(`got ${ms} ms`);
  });
});

test("a clock that is corrected little by little does not jump", () => {
  const detect = createJumpDetector({ wall: 0, monotonic: 0 });
  for (let at = 0; at <= 100_000_000; at += 5000)
    expect(detect({ wall: at * 1.001, monotonic: at })).toBeNull();
});

test.each([-600, 600, 1e9])("a difference of %d ms is a jump, found once", (by) => {
  const detect = createJumpDetector({ wall: 5000, monotonic: 0 });
  expect(detect({ wall: 6000 + by, monotonic: 1000 })).toEqual({ from: 6000, to: 6000 + by });
  expect(detect({ wall: 7000 + by, monotonic: 2000 })).toBeNull();
});

test("nothing in the runner and the alerts reads the time or waits without a clock", async () => {
  const forbidden =
    /Date\.now\(|new Date\(\)|performance\.now\(|setTimeout\(|setInterval\(|setImmediate\(|Bun\.sleep|new Cron\(/;
  const found: string[] = [];
  for await (const path of new Bun.Glob("src/{runner,alerts}/**/*.ts").scan())
    if (forbidden.test(await Bun.file(path).text())) found.push(path);
  expect(found).toEqual([]);
});
