import { expect, test } from "bun:test";
import { TimedQueue } from "../../../scripts/simulator/world/timed-queue.ts";
import { EventLoop, VirtualTime } from "../../../scripts/simulator/world/virtual-time.ts";

test("events come by time, and those of one time in the order in which they were added", () => {
  const queue = new TimedQueue();
  const seen: string[] = [];
  for (const [at, name] of [
    [3, "c"],
    [1, "a"],
    [3, "d"],
    [2, "b"],
    [3, "e"],
  ] as const)
    queue.add(at, () => seen.push(name));
  queue.add(2, () => seen.push("cancelled")).cancelled = true;
  while (queue.next() < Number.POSITIVE_INFINITY) queue.take()?.run();
  expect(seen.join("")).toBe("abcde");
});

test("a frozen event loop runs late what was due meanwhile, in order", () => {
  const { time, loop, seen } = world();
  loop.after(100, () => seen.push(["a", time.now]));
  loop.after(200, () => seen.push(["b", time.now]));
  loop.freeze(1500);
  time.run(5000);
  expect(seen).toEqual([
    ["a", 1500],
    ["b", 1500],
  ]);
});

test("timers do not count the time for which the machine is suspended", () => {
  const { time, loop, seen } = world();
  loop.after(100, () => seen.push(["a", time.now]));
  time.at(1050, () => {
    time.suspended += 1000;
    loop.freeze(2050);
  });
  time.run(5000);
  expect(seen).toEqual([["a", 2100]]);
  expect(loop.monotonic()).toBe(4000);
});

test("promises settle before time moves", () => {
  const { time, loop, seen } = world();
  const wait = (ms: number) => new Promise<void>((resolve) => void loop.after(ms, resolve));
  const work = async (name: string) => {
    await wait(10);
    await Promise.resolve();
    seen.push([name, time.now]);
    await wait(10);
    seen.push([name, time.now]);
  };
  void work("a");
  time.run(2000);
  expect(seen).toEqual([
    ["a", 1010],
    ["a", 1020],
  ]);
});

test("a program that never waits is found", () => {
  const { time, loop } = world();
  const again = () => void loop.after(0, again);
  again();
  expect(() => time.run(5000)).toThrow("does not wait at 1970-01-01T00:00:01.000Z");
});

function world() {
  const time = new VirtualTime(1000);
  const loop = new EventLoop(time);
  time.add(loop);
  return { time, loop, seen: [] as [string, number][] };
}
