import type { Answer } from "dns-packet";
import type { Replier, Reply } from "../../../test/support/servers/dns-server.ts";
import {
  breaks,
  type Change,
  course,
  down,
  keeps,
  type Monitor,
  missing,
  PRESENT,
  type Scenario,
  silent,
  type Truth,
  unhealthy,
} from "../scenario.ts";
import { all, repliesDns, resolvesTo } from "../world/changes.ts";
import { DNS_PORT } from "../world/dns-port.ts";
import type { Spot } from "../world/spot.ts";
import { dnsMonitor, GOOD_DNS, GOOD_NAME, httpByName } from "./plain.ts";

/** The way to the servers of a name is behind the DNS servers of stillup: if they don't answer, nobody can know why. */
const SILENT: Pick<Truth, "isSilent" | "layers"> = { isSilent: true, layers: ["dns", "unknown"] };

/** Answers of the DNS for a name. */
export const names: Scenario[] = [
  gone("nxdomain", "the name no longer exists", "nxdomain", () => ({ code: "NXDOMAIN" })),
  gone("no-data", "the name has no addresses any more", "no_data", () => []),
  gone("servfail", "the server answers SERVFAIL for this name only", "servfail", () => ({
    code: "SERVFAIL",
  })),
  gone("name-refused", "the server answers REFUSED for this name only", "refused", () => ({
    code: "REFUSED",
  })),
  gone("not-implemented", "the server answers NOTIMP", "error", () => ({ code: "NOTIMP" })),
  gone(
    "name-silence",
    "the server answers no query for this name, and all others",
    "timeout",
    () => "silence",
  ),
  gone("name-garbage", "answers are garbage behind their header", "malformed", () => "garbage"),
  gone("wrong-id", "answers have another ID, like forged ones", "timeout", () => "wrong id"),
  gone("wrong-question", "answers are about another name", "timeout", () => "wrong question"),
  gone("no-tcp", "answers are truncated, and none comes over TCP", "timeout", () => overTcp("silence")),
  gone("garbage-over-tcp", "answers are truncated, and garbage over TCP", "malformed", () =>
    overTcp("garbage"),
  ),
  gone("short-address", "the address of a record has three bytes", "malformed", (spot) =>
    changed(spot, shortened),
  ),
  gone("cut-record", "the packet ends within a record", "malformed", (spot) =>
    changed(spot, (packet) => packet.subarray(0, -2)),
  ),
  gone("pointer-loop", "a name points to itself", "malformed", (spot) => changed(spot, pointingToItself)),
  gone("cname-loop", "two aliases point to each other", "no_data", ({ host }) => [
    alias(host, `b.${host}`),
    alias(`b.${host}`, host),
  ]),
  gone("dangling-cname", "the name is an alias of nothing", "no_data", ({ host }) => [
    alias(host, `b.${host}`),
  ]),
  gone("other-name", "the only record belongs to another name", "no_data", () => [
    { type: "A", name: "evil.test", data: "127.9.9.9" },
  ]),
  siteGone("site-nxdomain", "the name of a website no longer exists", { code: "NXDOMAIN" }, "dns_not_found"),
  siteGone("site-servfail", "the zone of a website is broken", { code: "SERVFAIL" }, "dns_failed"),
  siteGone("site-silence", "nothing answers for the zone of a website", "silence", "dns_failed"),
  course("new-value", "the address changes, and changes back", dnsMonitor(), [
    GOOD_DNS,
    [resolvesTo(2), unhealthy("changed", "content", { also: ["present"] })],
    [resolvesTo(1), PRESENT],
  ]),
  course(
    "unexpected-value",
    "the address is another one than the expected",
    (spot) => dnsMonitor({ expected: [spot.address()], recordType: "A" })(spot),
    [GOOD_DNS, [resolvesTo(2), unhealthy("changed", "content")], GOOD_DNS],
  ),
  course("growing-pool", "the pool gets a third address", dnsMonitor(), [
    [resolvesTo(1, 2), PRESENT],
    [resolvesTo(1, 2, 3), unhealthy("changed", "content", { also: ["present"] })],
    [resolvesTo(1, 2), PRESENT],
  ]),
  changesValue("mail-server", "MX", [mx(10, "a")], [mx(10, "b")]),
  changesValue("mail-priority", "MX", [mx(10, "a"), mx(20, "b")], [mx(20, "a"), mx(10, "b")]),
  changesValue("text", "TXT", [txt("v=spf1 -all")], [txt("v=spf1 +all")]),
  changesValue("name-server", "NS", [ns("a.test"), ns("b.test")], [ns("evil.test"), ns("b.test")]),
  keepsValue("more-texts-shuffled", "TXT", [txt("a"), txt("b"), txt("c")], [txt("c"), txt("a"), txt("b")]),
  keepsValue("mail-server-case", "MX", [mx(10, "A.Test")], [mx(10, "a.test")]),
  keepsValue("fewer-servers", "NS", [ns("a.test"), ns("b.test")], [ns("b.test")]),
  odd("doubled", "each record is there twice", (spot) => [addressOf(spot), addressOf(spot)]),
  odd("hundred", "there are 100 addresses, more than a datagram holds", (spot) => ({
    truncated: [addressOf(spot), ...Array.from({ length: 99 }, () => addressOf(spot, spot.host))],
  })),
  odd("truncated", "answers come only over TCP", (spot) => ({ truncated: records(spot) })),
  odd("slow-answers", "each answer takes 200 ms", (spot) => ({ late: records(spot), ms: 200 })),
  odd("other-case", "answers have the name in capitals", (spot) => [
    addressOf(spot, spot.host.toUpperCase()),
  ]),
  odd("long-chain", "twelve aliases lead to the address", (spot) => chain(spot, 12)),
  odd("shuffled-chain", "aliases are in the opposite order", (spot) => chain(spot, 4).reverse()),
  odd("more-records", "the answer has records of other names and types too", (spot) => [
    { type: "TXT", name: "evil.test", data: "more" },
    addressOf(spot),
    { type: "A", name: "evil.test", data: "127.9.9.9" },
  ]),
  odd("lost-packets", "every second query is not answered", (spot) => {
    return (times) => (times % 2 === 1 ? "silence" : records(spot));
  }),
  keeps(
    "rotation",
    "two of four addresses are answered, by turns, with a TTL of 0",
    dnsMonitor(),
    rotates(),
    [resolvesTo(1, 2, 3, 4), PRESENT],
  ),
  keeps(
    "silent-aaaa",
    "queries for AAAA are never answered",
    dnsMonitor(),
    answersA(records, "silence"),
    GOOD_DNS,
  ),
  keeps(
    "site-silent-aaaa",
    "queries for AAAA are never answered",
    httpByName(),
    answersA(records, "silence"),
    GOOD_NAME,
  ),
  keeps(
    "site-failing-aaaa",
    "queries for AAAA fail",
    httpByName(),
    answersA(records, { code: "SERVFAIL" }),
    GOOD_NAME,
  ),
  keepsWith("old-server", "the server does not know EDNS", (spot) => {
    return (_, { hasEdns }) => (hasEdns ? { code: "FORMERR" } : records(spot));
  }),
  keepsWith("edns-dropped", "queries with EDNS are dropped", (spot) => {
    return (_, { hasEdns }) => (hasEdns ? "silence" : records(spot));
  }),
  keepsWith("lame-first", "the first of two servers refuses every query", () => ({ code: "REFUSED" })),
  keepsWith("dead-first", "the first of two servers answers nothing", () => "silence"),
  breaks(
    "dead-both",
    "both servers of the zone answer nothing",
    ownServers,
    [
      all(
        zone(() => "silence", 1),
        zone(() => "silence", 2),
      ),
      { ...missing("timeout"), isSilent: true },
    ],
    [all(zone(records, 1), zone(records, 2)), PRESENT],
  ),
];

type ReplyOf = (spot: Spot) => Reply | Replier;

function gone(name: string, about: string, reason: string, replyOf: ReplyOf): Scenario {
  const truth = reason === "timeout" ? { ...missing(reason), ...SILENT } : missing(reason);
  return breaks(name, about, dnsMonitor(), [repliesDns(replyOf), truth], GOOD_DNS);
}

function siteGone(name: string, about: string, reply: Reply, reason: string): Scenario {
  const truth = reply === "silence" ? silent(["dns", "unknown"], reason) : down("dns", reason);
  return breaks(name, about, httpByName(), [repliesDns(() => reply), truth], GOOD_NAME);
}

type Make = (host: string) => Answer;

function mx(preference: number, exchange: string): Make {
  return (name) => ({ type: "MX", name, data: { preference, exchange } });
}

function txt(data: string): Make {
  return (name) => ({ type: "TXT", name, data });
}

function ns(data: string): Make {
  return (name) => ({ type: "NS", name, data });
}

/** The monitor expects the first records, which are then others. */
function changesValue(name: string, recordType: "MX" | "NS" | "TXT", first: Make[], then: Make[]): Scenario {
  const answers = (made: Make[]) => repliesDns(({ host }) => made.map((make) => make(host)));
  return course(`${name}-changes`, `other ${recordType} records are answered`, dnsMonitor({ recordType }), [
    [answers(first), PRESENT],
    [answers(then), unhealthy("changed", "content", { also: ["present"] })],
    [answers(first), PRESENT],
  ]);
}

/** The records are the same in other words, or some of them are gone, which is no change. */
function keepsValue(name: string, recordType: "MX" | "NS" | "TXT", first: Make[], then: Make[]): Scenario {
  const answers = (made: Make[]) => repliesDns(({ host }) => made.map((make) => make(host)));
  return keeps(
    name,
    `${recordType} records are answered in another way`,
    dnsMonitor({ recordType }),
    answers(then),
    [answers(first), PRESENT],
  );
}

function odd(name: string, about: string, replyOf: ReplyOf): Scenario {
  return keeps(name, about, dnsMonitor(), answersA(replyOf), GOOD_DNS);
}

/** @param aaaa the reply to queries for AAAA */
function answersA(replyOf: ReplyOf = records, aaaa: Reply = []): Change {
  return repliesDns((spot) => ({ A: replyOf(spot), AAAA: aaaa }));
}

/** The monitor asks two servers in their order, and the first one is odd. */
function keepsWith(name: string, about: string, replyOf: ReplyOf): Scenario {
  const good = [all(zone(records, 1), zone(records, 2)), PRESENT] as const;
  return keeps(name, about, ownServers, zone(replyOf, 1), good);
}

function zone(replyOf: ReplyOf, nth: number): Change {
  return repliesDns((spot) => ({ A: replyOf(spot), AAAA: [] }), nth);
}

function ownServers(spot: Spot): Monitor {
  return dnsMonitor({ servers: [1, 2].map((nth) => `${spot.address(nth)}:${DNS_PORT}`) })(spot);
}

/** Answers two of four addresses, other ones each time. */
function rotates(): Change {
  return answersA((spot) => {
    return (times) => [0, 1].map((at) => addressOf(spot, spot.host, 1 + ((times + at) % 4)));
  });
}

function overTcp(tcp: Reply): Reply {
  return { udp: { truncated: [] }, tcp };
}

function addressOf(spot: Spot, name = spot.host, nth = 1): Answer {
  return { type: "A", name, data: spot.address(nth), ttl: 0 };
}

function records(spot: Spot): Answer[] {
  return [addressOf(spot)];
}

function alias(name: string, data: string): Answer {
  return { type: "CNAME", name, data };
}

function chain(spot: Spot, length: number): Answer[] {
  const names = [spot.host, ...Array.from({ length }, (_, at) => `alias-${at}.test`)];
  const aliases = names.slice(1).map((name, at) => alias(names[at] ?? "", name));
  return [...aliases, addressOf(spot, names.at(-1))];
}

function changed(spot: Spot, by: (packet: Buffer) => Buffer): Reply {
  return { changed: records(spot), by };
}

/** The length of the data of the only record, which ends the packet, is 3. */
function shortened(packet: Buffer): Buffer {
  const changed = Buffer.from(packet.subarray(0, -1));
  changed.writeUInt16BE(3, changed.length - 5);
  return changed;
}

/** The name of the only record is a pointer to itself. Behind it are type, class, TTL, length and address. */
function pointingToItself(packet: Buffer): Buffer {
  const rest = packet.subarray(-14);
  const question = questionOf(packet);
  const pointer = Buffer.alloc(2);
  pointer.writeUInt16BE(0xc000 | question.length);
  return Buffer.concat([question, pointer, rest]);
}

/** The header and the question of a packet. */
function questionOf(packet: Buffer): Buffer {
  return packet.subarray(0, packet.indexOf(0, 12) + 5);
}
