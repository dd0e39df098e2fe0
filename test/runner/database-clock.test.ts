import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ClockJump } from "../../src/clock.ts";
import { StorageFault } from "../../src/errors.ts";
import { createLogger } from "../../src/log.ts";
import { createDatabaseClock, createTimeEstimate, openClock } from "../../src/runner/database-clock.ts";
import { createTestClock, shiftClock, systemClock } from "../support/clock.ts";

const log = createLogger({ level: "silent" });
const HOUR = 3_600_000;
const START = Date.UTC(2027, 5, 1, 12);

/** A database whose clock is `ahead` of the monotonic clock, and that takes `[there, back]` to answer; milliseconds. */
async function start() {
  const system = createTestClock(0);
  const database = { ahead: START, takes: [0, 0] as [number, number], isAway: false, tries: 0 };
  const source = {
    async readTime() {
      database.tries++;
      if (database.isAway) throw new StorageFault(new Error("away"));
      const [there, back] = database.takes;
      await system.sleep(there);
      const time = system.monotonic() + database.ahead;
      await system.sleep(back);
      return time;
    },
  };
  const made = createDatabaseClock(source, { system, log });
  const jumps: ClockJump[] = [];
  made.clock.onJump((jump) => jumps.push(jump));
  const sample = async () => {
    const followed = made.follow();
    await system.advance(database.takes[0] + database.takes[1]);
    await followed;
  };
  await sample();
  const error = () => made.clock.now() - (system.monotonic() + database.ahead);
  return { ...made, system, database, jumps, sample, error };
}

describe("the clock of the database", () => {
  test("behavior 12.5: is followed, whatever the clock of the machine shows", async () => {
    const { clock, system, jumps, error } = await start();
    using _ = shiftClock(HOUR);
    await system.advance(90_000);
    expect(Math.abs(error())).toBeLessThanOrEqual(2);
    expect(clock.now()).toBeInteger();
    expect(jumps).toEqual([]);
  });

  test("is known more closely from a short round trip than from a long one", async () => {
    const { database, sample, error } = await start();
    database.takes = [400, 0];
    await sample();
    expect(Math.abs(error())).toBeLessThanOrEqual(2);
  });

  test("behavior 12.5: that is set makes the clock jump, once", async () => {
    const { clock, database, jumps, sample, error } = await start();
    const before = clock.now();
    database.ahead -= HOUR;
    await sample();
    await sample();
    expect(Math.abs(error())).toBeLessThanOrEqual(2);
    expect(jumps).toHaveLength(1);
    expect(jumps[0]?.from).toBeWithin(before, before + 10);
    expect((jumps[0]?.from ?? 0) - (jumps[0]?.to ?? 0)).toBeWithin(HOUR - 10, HOUR + 10);
  });

  test("that is corrected by little turns no time back", async () => {
    const { clock, system, database, jumps, sample, error } = await start();
    const before = clock.now();
    database.ahead -= 200;
    await sample();
    expect(clock.now()).toBe(before);
    await system.advance(300);
    expect(Math.abs(error())).toBeLessThanOrEqual(2);
    expect(jumps).toEqual([]);
  });

  test("continues while the database is away, of which two errors in a row are the sign", async () => {
    const { clock, system, database, sample, isAway } = await start();
    database.isAway = true;
    database.tries = 0;
    const before = clock.now();
    await sample();
    expect([isAway(), database.tries]).toEqual([true, 2]);
    await system.advance(5000);
    expect(clock.now()).toBeWithin(before + 4990, before + 5010);
    database.isAway = false;
    await sample();
    expect(isAway()).toBe(false);
  });

  test("repeats a task at the whole seconds of the database, one run at a time", async () => {
    const { clock, system } = await start();
    const runs: number[] = [];
    const stop = clock.every(1000, async () => {
      runs.push(Math.round((clock.now() - START) / 100) / 10);
      if (runs.length === 2) await system.sleep(2500);
    });
    await system.advance(7500);
    stop();
    await system.advance(5000);
    expect(runs).toEqual([1, 2, 5, 6, 7]);
  });

  test("is not used where the database has none", async () => {
    const own = await openClock({ readTime: async () => null }, log);
    expect(own.isShared).toBe(false);
    const before = systemClock().now();
    expect(own.clock.now()).toBeWithin(before, systemClock().now() + 1);
  });
});

test("an estimate is within half of the shortest round trip, after any samples of a clock that drifts", () => {
  const sample = fc.record({ pause: fc.nat(60_000), there: fc.nat(300), back: fc.nat(300) });
  fc.assert(
    fc.property(fc.array(sample, { minLength: 1 }), fc.integer({ min: -500, max: 500 }), (samples, drift) => {
      const estimate = createTimeEstimate();
      const shiftAt = (time: number) => START + (time * drift) / 1e6;
      let time = 0;
      for (const { pause, there, back } of samples) {
        const before = time + pause;
        const asked = before + there;
        time = asked + back;
        const shift = estimate.add({ before, remote: Math.floor(asked + shiftAt(asked)), after: time });
        expect(Math.abs(shift - shiftAt(time))).toBeLessThanOrEqual((there + back) / 2 + 2);
      }
    }),
  );
});
