import { expect, test } from "bun:test";
import { createFollowingClock } from "../../src/probes/probe-clock.ts";
import { startProbeThread } from "../../src/probes/probe-thread.ts";
import { closedPort } from "../support/servers/tcp-server.ts";

const HOUR = 3_600_000;
const NOW = Date.UTC(2027, 5, 1, 12);

test("behavior 12.5: the probe thread works by the clock that it follows, whose monotonic clock has another beginning", () => {
  const { clock, follow } = createFollowingClock();
  const own = clock.monotonic();
  const reading = (late: number) => ({ now: NOW, monotonic: 1e9 + clock.monotonic() - own - late });
  follow({ ...reading(50), now: NOW - 50 });
  expect(clock.now()).toBeWithin(NOW - 55, NOW + 10);
  follow(reading(0));
  expect(clock.now()).toBeWithin(NOW - 5, NOW + 10);
  // A message that arrives late does not set the clock back.
  follow({ ...reading(500), now: NOW - 500 });
  expect(clock.now()).toBeWithin(NOW - 5, NOW + 20);
});

test("behavior 12.5: a check starts and ends by the clock that the probe thread follows", async () => {
  const clock = { now: () => Date.now() + HOUR, monotonic: () => performance.now() };
  const entry = new URL("../../src/probes/probe-worker.ts", import.meta.url);
  const thread = startProbeThread(entry, { privateTargets: "allow" }, () => {}, clock);
  const config = { host: "127.0.0.1", port: await closedPort(), interval: 60 };
  const ended: number[] = [];
  const startAt = clock.now() + 200;
  await thread.run({ type: "TCP", config, startAt, timeout: 1000 }, { onEnd: (at) => ended.push(at) });
  expect(ended[0]).toBeWithin(startAt - 50, clock.now() + 50);
  thread.stop();
});
