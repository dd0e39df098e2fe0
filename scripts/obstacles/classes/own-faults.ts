import type { Reply } from "../../../test/support/servers/dns-server.ts";
import {
  ACTIVE,
  type Change,
  down,
  type Monitor,
  noCert,
  PRESENT,
  type Scenario,
  type Stage,
  silent,
  type Truth,
  UP,
} from "../scenario.ts";
import { all, deafens, once, refuses, resolvesTo, serves } from "../world/changes.ts";
import { DNS_PORT } from "../world/dns-port.ts";
import { BROKEN, http, late, OK } from "../world/http.ts";
import { addressRecords, type Spot } from "../world/spot.ts";
import { tls } from "../world/tls.ts";
import { dnsMonitor, GOOD_HTTPS, httpMonitor, httpsMonitor, tcpMonitor, tlsMonitor } from "./plain.ts";

/** Where the DNS servers of stillup are, and an address that answers no attempt to connect. */
const [FIRST, SECOND, DEAF] = [8, 9, 4];
const SERVFAIL: Reply = { code: "SERVFAIL" };
const TARGETS = serves(tls("valid"));

const BY_NAME: Scenario["monitors"] = {
  site: httpsMonitor(),
  port: (spot) => tcpMonitor({ host: spot.host })(spot),
  certificate: tlsMonitor(),
};
const MONITORS: Scenario["monitors"] = {
  ...BY_NAME,
  name: dnsMonitor({ recordType: "A" }),
  address: tcpMonitor(),
};
type Truths = Record<string, Truth>;
const GOOD_BY_NAME: Truths = { site: UP, port: UP, certificate: ACTIVE };
const GOOD: Truths = { ...GOOD_BY_NAME, name: PRESENT, address: UP };
/** Only what is checked by its address is seen. */
const UNSEEN: Truths = { ...unseen(GOOD), address: UP };
const CLOSED: Truths = {
  site: down("port", "refused"),
  port: down("port", "refused"),
  certificate: noCert("port"),
};

/** Faults of stillup, of its machine and of its network: nothing may be said but what is true of the targets. */
export const ownFaults: Scenario[] = [
  withoutDns("dns-silent", "answers nothing", dns(FIRST, "silence")),
  withoutDns("dns-closed", "no longer runs", (spot) => spot.closeDns(FIRST)),
  withoutDns("dns-servfail", "answers SERVFAIL to everything", dns(FIRST, SERVFAIL)),
  withoutDns("dns-refuses", "answers REFUSED to everything", dns(FIRST, { code: "REFUSED" })),
  withoutDns("dns-garbage", "answers garbage to everything", dns(FIRST, "garbage")),
  oneOfTwo("first-dns-silent", "the first of two DNS servers answers nothing", dns(FIRST, "silence")),
  oneOfTwo("first-dns-closed", "the first of two DNS servers no longer runs", (spot) => spot.closeDns(FIRST)),
  oneOfTwo("first-dns-servfail", "the first of two DNS servers answers SERVFAIL", dns(FIRST, SERVFAIL)),
  oneOfTwo("second-dns-closed", "the second of two DNS servers no longer runs", (spot) =>
    spot.closeDns(SECOND),
  ),
  oneOfTwo("dns-loses-packets", "a DNS server loses every second query", losesPackets(FIRST)),
  {
    name: "dies-while-dns-is-silent",
    about: "targets die while the DNS server of stillup is silent, which is known when it answers again",
    monitors: MONITORS,
    server: usesDns(FIRST),
    stages: [
      { change: all(TARGETS, dns(FIRST)), truths: GOOD },
      { change: dns(FIRST, "silence"), truths: UNSEEN },
      { change: refuses(), truths: { ...UNSEEN, address: down("port", "refused") } },
      { change: dns(FIRST), truths: { ...CLOSED, name: PRESENT, address: down("port", "refused") } },
      { change: TARGETS, truths: GOOD },
    ],
  },
  checksNetwork("network-gone", "neither the targets nor the servers of the network check are in reach", [
    { change: resolvesTo(DEAF), truths: unseen(GOOD_BY_NAME) },
    { change: resolvesTo(1), truths: GOOD_BY_NAME },
  ]),
  checksNetwork("dies-while-network-is-gone", "targets die while the network of stillup is gone", [
    { change: resolvesTo(DEAF), truths: unseen(GOOD_BY_NAME), lasts: 4 },
    { change: all(refuses(), resolvesTo(1)), truths: CLOSED },
    { change: TARGETS, truths: GOOD_BY_NAME },
  ]),
  {
    name: "network-works",
    about: "a target is silent, and a server of the network check answers",
    monitors: { site: (spot) => httpMonitor({ url: `http://${spot.host}:${spot.port}/` })(spot) },
    server: checking((spot) => spot.address(2)),
    stages: [
      { change: all(serves(http(OK), 1, 2), resolvesTo(1), once(deafens(DEAF))), truths: { site: UP } },
      { change: resolvesTo(DEAF), truths: { site: silent("dns", "timeout") } },
      { change: resolvesTo(1), truths: { site: UP } },
    ],
  },
  {
    name: "only-network-check-gone",
    about: "no server of the network check is in reach, and all else is: an answer of a target counts",
    monitors: { site: httpMonitor({ expect: {} }), port: tcpMonitor() },
    server: checking((spot) => spot.address(DEAF)),
    stages: [
      { change: all(serves(http(OK)), once(deafens(DEAF))), truths: { site: UP, port: UP } },
      { change: serves(http(BROKEN)), truths: { site: down("content", "unexpected"), port: UP } },
      { change: serves(http(OK)), truths: { site: UP, port: UP } },
    ],
  },
  stalls("stopped-briefly", "the process is stopped six times for 0.4 s", stops(400, 6)),
  stalls("stopped", "the process is stopped for 1.5 s, with answers and timeouts meanwhile", stops(1500)),
  stalls("stopped-for-long", "the process is stopped for 6 s", stops(6000)),
  stalls("stopped-often", "the process is stopped three times for 1.1 s", stops(1100, 3)),
  {
    name: "dies-while-stopped",
    about: "targets die while the process is stopped, which is known when it goes on",
    monitors: BY_NAME,
    server: () => ({}),
    stages: [
      { change: GOOD_HTTPS[0], truths: GOOD_BY_NAME },
      { change: whileStopped(2500, refuses()), truths: CLOSED },
      { change: whileStopped(2500, GOOD_HTTPS[0]), truths: GOOD_BY_NAME },
    ],
  },
];

/** The only DNS server has a fault. */
function withoutDns(name: string, what: string, fault: Change): Scenario {
  return {
    name: `own-${name}`,
    about: `the only DNS server of stillup ${what}`,
    monitors: MONITORS,
    server: usesDns(FIRST),
    stages: [
      { change: all(TARGETS, dns(FIRST)), truths: GOOD },
      { change: fault, truths: UNSEEN },
      { change: dns(FIRST), truths: GOOD },
    ],
  };
}

/** One of two DNS servers has a fault. */
function oneOfTwo(name: string, about: string, fault: Change): Scenario {
  const good = all(dns(FIRST), dns(SECOND));
  return {
    name: `own-${name}`,
    about,
    monitors: MONITORS,
    server: usesDns(FIRST, SECOND),
    stages: [
      { change: all(TARGETS, good), truths: GOOD },
      { change: fault, truths: GOOD },
      { change: good, truths: GOOD },
    ],
  };
}

/** The targets and the server of the network check have the same name. */
function checksNetwork(name: string, about: string, stages: Stage[]): Scenario {
  return {
    name,
    about,
    monitors: BY_NAME,
    server: checking((spot) => spot.host),
    stages: [{ change: all(TARGETS, resolvesTo(1), once(deafens(DEAF))), truths: GOOD_BY_NAME }, ...stages],
  };
}

/** Nothing happens to the targets, of which one answers after 0.7 s of one that it has. */
function stalls(name: string, about: string, stall: Change): Scenario {
  const truths = { ...GOOD, late: UP };
  return {
    name,
    about,
    monitors: { ...MONITORS, late: lateSite },
    server: () => ({}),
    stages: [
      { change: all(GOOD_HTTPS[0], serves(http(late(700)), 2)), truths },
      { change: stall, truths },
      { change: stall, truths },
    ],
  };
}

function lateSite(spot: Spot): Monitor {
  return httpMonitor({ url: `http://${spot.address(2)}:${spot.port}/` })(spot);
}

function stops(ms: number, times = 1): Change {
  return async (spot) => {
    for (let nth = 0; nth < times; nth++) {
      if (nth > 0) await Bun.sleep(600);
      await whileStopped(ms)(spot);
    }
  };
}

/** @param ms for which the process is stopped at least */
function whileStopped(ms: number, change: Change = () => {}): Change {
  return async (spot) => {
    spot.server?.signal("SIGSTOP");
    await Promise.all([Bun.sleep(ms), change(spot)]);
    spot.server?.signal("SIGCONT");
  };
}

function usesDns(...servers: number[]) {
  return (spot: Spot) => ({ dns: servers.map((nth) => `${spot.address(nth)}:${DNS_PORT}`).join() });
}

/** @param hostOf the host of its network check */
function checking(hostOf: (spot: Spot) => string) {
  return (spot: Spot) => ({ env: { STILLUP_NETWORK_CHECK: `${hostOf(spot)}:${spot.port}` } });
}

/** @param fault its answer to everything; default: it is good */
function dns(nth: number, fault?: Reply): Change {
  return (spot) => {
    const reply = fault ?? addressRecords(spot.host, spot.address());
    return spot.resolveAt(nth, reply, fault && { root: fault });
  };
}

function losesPackets(nth: number): Change {
  return (spot) => {
    const { A } = addressRecords(spot.host, spot.address());
    return spot.resolveAt(nth, { A: (times) => (times % 2 === 1 ? "silence" : A), AAAA: [] });
  };
}

function unseen(truths: Truths): Truths {
  return Object.fromEntries(
    Object.entries(truths).map(([label, truth]) => [label, { ...truth, isUnseen: true }]),
  );
}
