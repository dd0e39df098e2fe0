import { expect, test } from "bun:test";
import type { Lookup, Observation, Reason } from "../../src/domain/checks/observation.ts";
import { createOwnNetwork, type NetworkState } from "../../src/probes/network-state.ts";
import { byAddress, type OfAddress } from "../support/checks/by-address.ts";
import { createTestClock, type TestClock } from "../support/clock.ts";

/** How long a look without an answer takes. */
const PATIENCE = 2000;

const failed = (reason: Reason): OfAddress => ({ outcome: "failed", reason, detail: { message: reason } });
const OFFLINE = { outcome: "inconclusive", isOffline: true };

function start() {
  const clock = createTestClock();
  const states: NetworkState[] = [];
  /** @property isRetried whether a look that began offline is answered at its end, because its packets were sent again */
  const network = { isUp: true, looks: 0, isRetried: false };
  const own = createOwnNetwork({
    isAnswered: async () => {
      network.looks++;
      const { isUp } = network;
      if (!isUp) await clock.sleep(PATIENCE);
      return isUp || network.isRetried;
    },
    onState: (state) => void states.push(state),
    clock: probeClock(clock),
  });
  /** A check that has lasted for some time when it fails. */
  const discount = (observation: Observation, lasted = 100) =>
    own.discount(observation, clock.monotonic() - lasted);
  return { clock, states, network, own, discount };
}

function probeClock({ monotonic, after }: TestClock) {
  return { monotonic, after };
}

/** The outcome, after enough time. */
async function after(clock: TestClock, outcome: Promise<Observation>, ms = PATIENCE): Promise<Observation> {
  await clock.advance(ms);
  return outcome;
}

const lookup = (failure: Lookup["failure"], values: string[] = []) =>
  ({ recordType: "A", values, failure }) as Lookup;
const lookedUp = (...lookups: Lookup[]): Observation => ({
  outcome: "looked_up",
  answer: { hostname: "a.test", lookups },
});

test.each<[string, Observation]>([
  ["a timeout", failed("timeout")],
  ["a timeout at each address", byAddress([failed("timeout"), failed("unreachable")])],
  ["an unreachable host", failed("unreachable")],
  ["a name without an answer", failed("dns_failed")],
  ["a DNS monitor without an answer", lookedUp(lookup("timeout"), lookup("no_data"))],
  ["a DNS monitor whose servers can't be reached", { outcome: "inconclusive", message: "none" }],
])("behavior 13.50: offline, %s says nothing about the target", async (_, observation) => {
  const { clock, network, discount } = start();
  network.isUp = false;
  expect(await after(clock, discount(observation))).toMatchObject(OFFLINE);
});

test.each<[string, Observation]>([
  ["a refused connection", failed("refused")],
  ["a refused connection at one address", byAddress([failed("timeout"), failed("refused")])],
  ["a reset connection", failed("reset")],
  ["an unknown name", failed("dns_not_found")],
  ["an invalid certificate", failed("tls_invalid")],
  ["an answer", { outcome: "reached", latencyMs: 1, detail: {} }],
  ["an answer of the DNS", lookedUp(lookup("timeout"), lookup(null, ["192.0.2.1"]))],
  ["a name that does not exist", lookedUp(lookup("nxdomain"))],
  ["a lack of descriptors", { outcome: "inconclusive", message: "few", isShortage: true }],
])("behavior 13.50: offline, %s stays what it is, and is no reason to look", async (_, observation) => {
  const { network, discount } = start();
  network.isUp = false;
  expect(await discount(observation)).toEqual(observation);
  expect(network.looks).toBe(0);
});

test("behavior 13.50: online, a timeout is a timeout", async () => {
  const { discount, states } = start();
  expect(await discount(failed("timeout"))).toEqual(failed("timeout"));
  expect(states).toEqual(["online"]);
});

test("behavior 13.51: checks that fail together share a look; one that fails later needs a look of its own", async () => {
  const { clock, network, discount } = start();
  await Promise.all(Array.from({ length: 100 }, () => discount(failed("timeout"))));
  expect(network.looks).toBe(1);
  await clock.advance(1);
  await discount(failed("timeout"));
  expect(network.looks).toBe(2);
});

test("behavior 13.51: an answer to a look that began before the failure proves nothing", async () => {
  const { clock, network, own, discount } = start();
  const before = own.look();
  // Its server has answered already when the network goes.
  await clock.advance(0);
  await before;
  network.isUp = false;
  expect(await after(clock, discount(failed("timeout")))).toMatchObject(OFFLINE);
});

test("behavior 13.52: a check that began offline is inconclusive, although the network is back when it fails", async () => {
  const { clock, network, own, discount } = start();
  network.isUp = false;
  void own.look();
  await clock.advance(PATIENCE);
  network.isUp = true;
  await clock.advance(5000);
  expect(await own.look()).toBe("online");
  expect(await discount(failed("timeout"), 6000)).toMatchObject(OFFLINE);
  expect(await discount(failed("timeout"), 1000)).toEqual(failed("timeout"));
});

test("behavior 13.52: a check is inconclusive that began before the first answer after an outage of the network", async () => {
  const { clock, network, own, discount } = start();
  network.isUp = false;
  void own.look();
  await clock.advance(PATIENCE + 1500);
  expect(network.looks).toBe(2);
  Object.assign(network, { isUp: true, isRetried: true });
  // It began between the two looks.
  expect(await after(clock, discount(failed("timeout"), 1000))).toMatchObject(OFFLINE);
  await clock.advance(1000);
  expect(await discount(failed("timeout"), 1000)).toEqual(failed("timeout"));
});

test("behavior 13.52: the network is looked at while checks wait, but not more than once per second", async () => {
  const { clock, network, own, discount } = start();
  for (let check = 0; check < 50; check++) own.suspect();
  expect(network.looks).toBe(1);
  await clock.advance(999);
  own.suspect();
  expect(network.looks).toBe(1);
  network.isUp = false;
  await clock.advance(1);
  own.suspect();
  await clock.advance(PATIENCE);
  network.isUp = true;
  await clock.advance(3000);
  // Nothing but the suspicion has noticed that the network was gone.
  expect(await discount(failed("timeout"), 6000)).toMatchObject(OFFLINE);
});

test("behavior 13.53: an offline network is looked at every second until it is back", async () => {
  const { clock, network, own, states } = start();
  network.isUp = false;
  void own.look();
  await clock.advance(3 * (PATIENCE + 1000));
  expect(network.looks).toBe(4);
  network.isUp = true;
  await clock.advance(PATIENCE + 1000);
  expect(states).toEqual(["offline", "online"]);
  const { looks } = network;
  await clock.advance(60_000);
  expect(network.looks).toBe(looks);
});

test("behavior 13.71: an answer shows that the network is online, although the servers of the setting can't be reached", async () => {
  const { clock, network, own, discount, states } = start();
  network.isUp = false;
  const hung = discount(failed("timeout"));
  expect(await after(clock, hung)).toMatchObject(OFFLINE);
  expect(states).toEqual(["offline"]);
  await discount({ outcome: "reached", latencyMs: 1, detail: {} });
  expect(states).toEqual(["offline", "online"]);
  expect(await own.look()).toBe("online");
});

test("behavior 13.71: while checks are answered, the network stays online", async () => {
  const { clock, network, own, discount, states } = start();
  await own.look();
  network.isUp = false;
  for (let second = 0; second < 10; second++) {
    const hung = discount(failed("timeout"));
    await clock.advance(1000);
    own.answered();
    // A check without an answer is judged by the servers of the setting.
    expect(await after(clock, hung)).toMatchObject(OFFLINE);
  }
  expect(states).toEqual(["online"]);
});

test("behavior 13.71: after the last answer, the network is offline with the next look", async () => {
  const { clock, network, own, states } = start();
  network.isUp = false;
  own.answered();
  expect(await own.look()).toBe("online");
  await clock.advance(PATIENCE);
  const look = own.look();
  await clock.advance(PATIENCE);
  expect(await look).toBe("offline");
  expect(states).toEqual(["offline"]);
});
