import { afterEach, beforeEach, expect, test } from "bun:test";
import { nextCheckAt } from "../../src/domain/checks/check-slot.ts";
import { PROTOCOL } from "../../src/domain/locations/protocol.ts";
import { createHttpLink } from "../../src/remote-probe/http-link.ts";
import { eventually } from "../support/eventually.ts";
import { HEALTHY, monitor, REFUSED, TestProbe } from "../support/remote-probe/test-probe.ts";
import { LocationServer, refused } from "../support/servers/location-server.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const HOUR = 3_600_000;

let dir: TempDir;
let server: LocationServer;
const running: TestProbe[] = [];

beforeEach(() => {
  dir = tempDir();
  server = new LocationServer();
});
afterEach(async () => {
  for (const probe of running.splice(0)) await probe.stop();
  await server[Symbol.asyncDispose]();
  dir[Symbol.dispose]();
});

function start(options: Partial<ConstructorParameters<typeof TestProbe>[1]> = {}): TestProbe {
  const probe = new TestProbe(dir.path, { server, ...options });
  running.push(probe);
  return probe;
}

const count = (id: string, least: number) => eventually(() => server.of(id).length >= least);

/** The numbers of the slots in which checks began. */
const slotsOf = (id: string) => server.of(id).map(({ startAt }) => nextCheckAt(id, 1, startAt) / 1000);

test("behavior 13.41: each monitor is checked at once and then in its slots, by the clock of the server", async () => {
  server.ahead = -5 * HOUR;
  server.setMonitors([monitor("a")]);
  const probe = start();
  await count("a", 4);
  expect(probe.connected).toEqual(["fra"]);
  const [, ...slots] = slotsOf("a").map(Math.floor);
  expect(slots).toEqual(slots.map((_, at) => (slots[0] ?? 0) + at));
  for (const { at } of server.of("a")) expect(Math.abs(at - server.now)).toBeLessThan(60_000);
});

test("behavior 20.38: each request for work says whether the probe may ping", async () => {
  server.setMonitors([monitor("a")]);
  start();
  await count("a", 1);
  expect(server.polls.map((query) => query.get("ping"))).not.toContain(null);
  expect(server.polls[0]?.get("ping")).toBe("open");
});

test("behavior 26.31: each request for work says that the probe knows configs of reach", async () => {
  server.setMonitors([monitor("a")]);
  start();
  await count("a", 1);
  expect(server.polls.map((query) => query.get("can"))).not.toContain(null);
  expect(server.polls[0]?.get("can")).toBe("reach");
});

test("behavior 13.41: changes of the work arrive at once, while the request is held", async () => {
  server.setMonitors([monitor("a", { interval: 3600 })]);
  start();
  await count("a", 1);
  server.setMonitors([monitor("b", { interval: 3600 })]);
  await count("b", 1);
  expect(server.of("a")).toHaveLength(1);
});

test("behavior 13.41: a check that the server asks for is made once, at once, and its observation sent at once", async () => {
  server.setMonitors([monitor("a", { interval: 3600 })]);
  start();
  await count("a", 1);
  // Later than the first check, also by the clock of the probe: otherwise that check would be the answer.
  server.ask({ monitorId: "a", at: server.now + 100 });
  await count("a", 2);
  server.setMonitors([monitor("a", { interval: 3600 }), monitor("b", { interval: 3600 })]);
  await count("b", 1);
  expect(server.of("a")).toHaveLength(2);
});

test("what a check saw of a monitor that was changed meanwhile is not sent", async () => {
  const release = Promise.withResolvers<void>();
  const see = async (url: string) => {
    if (url.endsWith("/slow")) await release.promise;
    return HEALTHY;
  };
  server.setMonitors([monitor("slow", { interval: 3600 })]);
  const probe = start({ see });
  await eventually(() => probe.checked.length === 1);
  server.setMonitors([monitor("slow", { interval: 3600, revision: 2 })]);
  await eventually(() => probe.checked.length === 2);
  release.resolve();
  await count("slow", 1);
  expect(server.of("slow").map(({ revision }) => revision)).toEqual([2]);
});

test("behavior 13.42: what was recorded without an answer is sent again with the same numbers", async () => {
  server.losesAnswers = true;
  server.setMonitors([monitor("a", { interval: 3600 })]);
  start();
  await count("a", 1);
  server.losesAnswers = false;
  await eventually(() => server.repeated > 0);
  expect(server.of("a")).toHaveLength(1);
});

test("behavior 13.43: checks go on while the server is away, and what they see arrives afterwards, once", async () => {
  server.setMonitors([monitor("a")]);
  const probe = start();
  await count("a", 1);
  await server.close();
  const before = probe.checked.length;
  await eventually(() => probe.checked.length >= before + 3);
  expect(probe.logged.filter((line) => line.includes("can't be reached"))).toHaveLength(1);
  server.listen();
  await count("a", before + 4);
  const slots = slotsOf("a").slice(1).sort().map(Math.floor);
  expect(new Set(slots).size).toBe(slots.length);
  expect(slots.at(-1)).toBe((slots[0] ?? 0) + slots.length - 1);
});

test("behavior 13.43: after a restart without the server, checks go on with the last list, by the same clock", async () => {
  server.ahead = HOUR;
  server.setMonitors([monitor("a")]);
  const first = start();
  await count("a", 1);
  await first.stop();
  await server.close();
  const second = start();
  await eventually(() => second.checked.length >= 2);
  expect(Math.abs(second.time.clock.now() - server.now)).toBeLessThan(60_000);
  const known = server.recorded.length;
  server.listen();
  await count("a", known + 2);
  expect(second.connected).toEqual(["fra"]);
});

test("an unreachable server at the start is tried until it answers", async () => {
  await server.close();
  server.setMonitors([monitor("a")]);
  const probe = start();
  await eventually(() => probe.logged.some((line) => line.includes("can't be reached")));
  server.listen();
  await count("a", 1);
});

test("behavior 13.44: what fails or changes is sent at once, the rest within a second", async () => {
  let isDown = false;
  server.setMonitors([monitor("a"), monitor("b")]);
  start({ see: (url) => (isDown && url.endsWith("/a") ? REFUSED : HEALTHY) });
  await count("a", 2);
  isDown = true;
  const failed = await eventually(() => server.of("a").find(({ evidence }) => evidence.outcome === "failed"));
  const batch = server.batches.find(({ observations }) =>
    observations.some(({ sequence }) => sequence === failed.sequence),
  );
  // It did not wait for others.
  expect(batch?.observations.length).toBeLessThanOrEqual(2);
});

test("behavior 13.45: with a key that is not accepted, nothing is checked, and what was seen is kept", async () => {
  server.setMonitors([monitor("a")]);
  const first = start();
  await count("a", 1);
  server.fail(() => refused(401));
  await eventually(() => first.logged.some((line) => line.includes("does not accept the key")));
  const known = first.checked.length;
  await first.stop();
  expect(first.checked.length).toBeLessThanOrEqual(known + 1);
  await server.close();
  const second = start();
  await eventually(() => second.logged.some((line) => line.includes("can't be reached")));
  expect(second.checked).toEqual([]);
});

test("behavior 13.40: with a server of another protocol, checks go on, and the log says what to update", async () => {
  server.setMonitors([monitor("a")]);
  const probe = start();
  await count("a", 1);
  server.fail(() => refused(422, { protocol: PROTOCOL + 2 }));
  await eventually(() => probe.logged.some((line) => line.includes("update this probe")));
  const known = probe.checked.length;
  await eventually(() => probe.checked.length > known + 1);
});

test("what another location saw is not sent for this one", async () => {
  server.setMonitors([monitor("a")]);
  const first = start();
  await count("a", 1);
  server.fail(() => refused(503));
  await eventually(() => first.checked.length > 3);
  await first.stop();
  // A key that is not accepted in between changes nothing.
  server.fail(() => refused(401));
  const between = start();
  await eventually(() => between.logged.some((line) => line.includes("does not accept the key")));
  await between.stop();
  expect(between.checked).toEqual([]);
  server.location = { id: "another", name: "nyc" };
  server.recorded = [];
  server.fault = undefined;
  server.setMonitors([monitor("b")]);
  const second = start();
  await count("b", 1);
  expect(server.of("a")).toEqual([]);
  expect(second.logged.some((line) => line.includes("another location"))).toBe(true);
});

test("behavior 13.48: at the end, it waits for running checks and sends what is left", async () => {
  const release = Promise.withResolvers<void>();
  server.setMonitors([monitor("a", { interval: 3600 })]);
  const probe = start({
    see: async () => {
      await release.promise;
      return HEALTHY;
    },
  });
  await eventually(() => probe.checked.length === 1);
  const stopped = probe.stop();
  release.resolve();
  await stopped;
  expect(server.of("a")).toHaveLength(1);
});

test("behavior 13.45: an observation that the server refuses does not keep the others from being sent", async () => {
  server.setMonitors(["a", "b", "bad", "c"].map((id) => monitor(id, { interval: 3600 })));
  const link = createHttpLink({ server: server.url, key: server.key, version: "1" });
  const probe = start({
    link: {
      poll: link.poll,
      sendLook: link.sendLook,
      send: async (batch) => {
        if (!batch.observations.some(({ monitorId }) => monitorId === "bad")) return link.send(batch);
        server.fault = () => refused(422);
        try {
          return await link.send(batch);
        } finally {
          server.fault = undefined;
        }
      },
    },
  });
  for (const id of ["a", "b", "c"]) await count(id, 1);
  await eventually(() => probe.logged.some((line) => line.includes("it is lost")));
});
