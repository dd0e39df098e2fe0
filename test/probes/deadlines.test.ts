import { expect, test } from "bun:test";
import { Deadlines } from "../../src/probes/probe-clock.ts";

/** A clock that runs tasks only when it is moved, and counts its timers. */
class ManualClock {
  timers: { at: number; task: () => void }[] = [];
  #now = 0;

  monotonic = () => this.#now;
  after = (ms: number, task: () => void) => void this.timers.push({ at: this.#now + ms, task });

  moveTo(time: number): void {
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= time).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers.splice(this.timers.indexOf(next), 1);
      this.#now = Math.max(this.#now, next.at);
      next.task();
    }
    this.#now = time;
  }
}

function start() {
  const clock = new ManualClock();
  const expired: [name: string, at: number][] = [];
  const deadlines = new Deadlines<string>(clock, (name) => expired.push([name, clock.monotonic()]));
  return { clock, expired, deadlines };
}

test("each deadline expires at its time, never earlier, with one timer for each duration", () => {
  const { clock, expired, deadlines } = start();
  deadlines.add(1000, "a");
  clock.moveTo(300);
  deadlines.add(1000, "b");
  deadlines.add(500, "c");
  clock.moveTo(700.5);
  deadlines.add(1000, "d");
  expect(clock.timers).toHaveLength(2);
  clock.moveTo(5000);
  expect(expired).toEqual([
    ["c", 800],
    ["a", 1000],
    ["b", 1300],
    ["d", 1701],
  ]);
});

test("a deadline that was deleted does not expire, and leaves no timer behind", () => {
  const { clock, expired, deadlines } = start();
  for (let at = 0; at < 100; at++) {
    deadlines.add(1000, `check ${at}`);
    clock.moveTo(at * 10);
    deadlines.delete(1000, `check ${at}`);
  }
  expect(clock.timers).toHaveLength(1);
  clock.moveTo(5000);
  expect(expired).toEqual([]);
  expect(clock.timers).toEqual([]);
});

test("a deadline that is added while another one expires has its whole time", () => {
  const clock = new ManualClock();
  const expired: [name: string, at: number][] = [];
  const deadlines = new Deadlines<string>(clock, (name) => {
    expired.push([name, clock.monotonic()]);
    if (name === "first") deadlines.add(1000, "second");
  });
  deadlines.add(1000, "first");
  clock.moveTo(5000);
  expect(expired).toEqual([
    ["first", 1000],
    ["second", 2000],
  ]);
});
