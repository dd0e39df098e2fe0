import { describe, expect, test } from "bun:test";
import { type Answer, decode, encode } from "dns-packet";
import { type Lookup, RECORD_TYPES, type RecordType } from "../../../src/domain/checks/observation.ts";
import { isIPv4, isIPv6 } from "../../../src/domain/network/client-address.ts";
import { readAnswer } from "../../../src/probes/dns/dns-packet.ts";
import { isLong } from "../../support/long.ts";
import { observation } from "../../support/probes/observation.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";

const name = "cut.test";
const a: Answer = { type: "A", name, data: "127.0.0.1" };

/** One record of each type. */
const records: Record<RecordType, Answer> = {
  A: a,
  AAAA: { type: "AAAA", name, data: "::1" },
  CNAME: { type: "CNAME", name, data: "other.test" },
  MX: { type: "MX", name, data: { preference: 10, exchange: "mail.test" } },
  NS: { type: "NS", name, data: "ns.test" },
  TXT: { type: "TXT", name, data: ["one", "two"] },
  CAA: { type: "CAA", name, data: { flags: 0, tag: "issue", value: "ca.test" } },
  SRV: { type: "SRV", name, data: { priority: 1, weight: 2, port: 3, target: "sip.test" } },
  SOA: {
    type: "SOA",
    name,
    data: { mname: "ns.test", rname: "a.b.test", serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 },
  },
  PTR: { type: "PTR", name, data: "host.test" },
};

const ID = 7;

/** An answer with one record, as a server sends it. @param after records behind it */
function answerOf(type: RecordType, ...after: Answer[]): Buffer {
  const questions = [{ name, type, class: "IN" as const }];
  return encode({ type: "response", id: ID, questions, answers: [records[type], ...after] });
}

/** Where the length of the data of the first record is. */
const LENGTH_AT = 12 + (name.length + 2 + 4) + (name.length + 2 + 8);

const read = (packet: Buffer, type: RecordType) =>
  readAnswer(packet, { id: ID, question: { name, type }, hasEdns: true });

const malformed = (recordType: RecordType): Lookup => ({ recordType, values: [], failure: "malformed" });

function withLength(packet: Buffer, length: number): Buffer {
  const changed = Buffer.from(packet);
  changed.writeUInt16BE(length, LENGTH_AT);
  return changed;
}

/** An address of another length, with as many bytes of data. */
function addressOf(length: number): (packet: Buffer) => Buffer {
  return (packet) => {
    const data = Buffer.alloc(Math.min(length, 64), 127);
    return Buffer.concat([withLength(packet, length).subarray(0, LENGTH_AT + 2), data]);
  };
}

describe.each([0, 1, 3, 5, 16, 60_000])("behavior 4.16: an A record of %d bytes", (length) => {
  const replies = { "A cut.test": { changed: [a], by: addressOf(length) }, "AAAA cut.test": [] };

  test("is no address of a DNS monitor", async () => {
    using dns = await startDnsServer(replies);
    const config = { hostname: name, recordType: "A" as const };
    const seen = await observation("DNS", config, { dnsServers: [dns] });
    expect(seen).toMatchObject({ outcome: "looked_up", answer: { lookups: [malformed("A")] } });
    expect(dns.queries).toEqual(["A cut.test", "NS .", "A cut.test"]);
  });

  test("means that an HTTP monitor is down", async () => {
    using dns = await startDnsServer(replies);
    const seen = await observation("HTTP", { url: `http://${name}:1/` }, { dnsServers: [dns] });
    expect(seen).toMatchObject({ outcome: "failed", reason: "dns_failed" });
  });
});

describe.each([...RECORD_TYPES])("behavior 4.16: the data of a record of type %s", (type) => {
  const packet = answerOf(type);
  const length = packet.readUInt16BE(LENGTH_AT);

  test("is read if it is complete", () => {
    expect(read(packet, type)).toMatchObject({ failure: null });
    expect(read(answerOf(type, a), type)).toMatchObject({ failure: null });
  });

  test("does not end behind the packet", () => {
    expect(read(packet.subarray(0, -1), type)).toEqual(malformed(type));
    expect(read(withLength(packet, length + 1), type)).toEqual(malformed(type));
    expect(read(withLength(packet, 60_000), type)).toEqual(malformed(type));
  });

  test("does not end behind the record", () => {
    const followed = answerOf(type, a, a);
    expect(read(withLength(followed, 0), type)).toEqual(malformed(type));
    expect(read(withLength(followed, 1), type)).toEqual(malformed(type));
    expect(read(withLength(followed, length - 1), type)).toEqual(malformed(type));
  });

  // The value of a CAA record is all that is left, and the next byte of a TXT record begins another string.
  if (type !== "CAA") {
    test("does not end before the record", () => {
      const longer = Buffer.concat([withLength(packet, length + 1), Buffer.of(0xff)]);
      expect(read(longer, type)).toEqual(malformed(type));
    });
  }
});

test("behavior 4.16: records of other sections end within the packet", () => {
  const questions = [{ name, type: "A" as const, class: "IN" as const }];
  const packet = encode({ type: "response", id: ID, questions, answers: [a], additionals: [a] });
  expect(read(packet, "A")).toMatchObject({ values: ["127.0.0.1"] });
  expect(read(packet.subarray(0, -1), "A")).toEqual(malformed("A"));
});

test("behavior 4.16: a name that points to itself is malformed", () => {
  const packet = answerOf("NS");
  const looped = Buffer.concat([packet.subarray(0, LENGTH_AT), Buffer.of(0, 2, 0xc0, LENGTH_AT + 2)]);
  expect(read(looped, "NS")).toEqual(malformed("NS"));
});

test("behavior 4.16: a name that points into the header is malformed", () => {
  const packet = answerOf("NS");
  const pointing = Buffer.concat([packet.subarray(0, LENGTH_AT), Buffer.of(0, 2, 0xc0, 8)]);
  expect(read(pointing, "NS")).toEqual(malformed("NS"));
});

/** An answer of 64 KiB: a record of an unknown type with the data, and many records whose names all point to a place in it. */
function pointingInto(data: Buffer, place: number): Buffer {
  const start = answerOf("TXT").subarray(0, LENGTH_AT);
  const before = Buffer.concat([start, Buffer.of(data.length >> 8, data.length & 0xff), data]);
  const at = 0xc000 | (LENGTH_AT + 2 + place);
  const record = Buffer.from([at >> 8, at & 0xff, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
  const count = Math.floor((65_535 - before.length) / record.length);
  before.writeUInt16BE(1 + count, 6);
  before.writeUInt16BE(99, LENGTH_AT - 8);
  return Buffer.concat([before, ...Array.from({ length: count }, () => record)]);
}

/** Each points to the one before. */
function chainOfPointers(count: number): Buffer {
  const pointers = Buffer.alloc(2 * count);
  for (let at = 0; at < count; at++)
    pointers.writeUInt16BE(0xc000 | (at === 0 ? 12 : LENGTH_AT + 2 * at), 2 * at);
  return pointers;
}

test.each<[string, Buffer]>([
  ["have 120 labels", pointingInto(Buffer.from(`${"\x01a".repeat(120)}\0`), 0)],
  ["begin a chain of 4,000 pointers", pointingInto(chainOfPointers(4000), 2 * 3999)],
])("behavior 4.16: an answer of 64 KiB whose names all %s is malformed", (_, packet) => {
  expect(packet.length).toBeGreaterThan(65_500);
  expect(read(packet, "TXT")).toEqual(malformed("TXT"));
});

test("behavior 4.16: an answer with as many records as 64 KiB have room for is read", () => {
  const packet = pointingInto(Buffer.from("\x01a\0"), 0);
  expect(read(packet, "TXT")).toMatchObject({ failure: "no_data" });
});

/** A generator of pseudorandom numbers (mulberry32). @returns whole numbers from 0 up to a limit */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Changes, drops, repeats or moves some bytes. The ID stays. */
function mutated(packet: Buffer, random: (limit: number) => number): Buffer {
  let bytes = Buffer.from(packet);
  for (let times = random(2); times >= 0; times--) {
    const at = 2 + random(Math.max(1, bytes.length - 2));
    const kind = Math.max(0, random(6) - 2);
    if (kind === 0) bytes[at] = random(256);
    else if (kind === 1) bytes = bytes.subarray(0, at);
    else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(8))]);
    else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at - random(at))]);
    if (bytes.length < 3) break;
  }
  return bytes;
}

/** The content of a packet, by a decoder that does not check lengths. */
function decodedData(packet: Buffer, type: RecordType): unknown[] | undefined {
  try {
    const { answers = [] } = decode(packet);
    return answers
      .filter((answer) => answer.type === type)
      .map((answer) => (answer as { data: unknown }).data);
  } catch {
    return undefined;
  }
}

const shapes: Partial<Record<RecordType, (value: string) => boolean>> = { A: isIPv4, AAAA: isIPv6 };

test.each(isLong ? [1, 2, 3, 4] : [1])(
  "behavior 4.16: mutated answers never have invented values (seed %d)",
  (seed) => {
    const random = randomNumbers(seed);
    let believed = 0;
    for (let round = 0; round < 20_000; round++) {
      const type = RECORD_TYPES[random(RECORD_TYPES.length)] ?? "A";
      const packet = mutated(answerOf(type, a, records.CNAME, records[type]), random);
      const answer = read(packet, type);
      if (typeof answer !== "object" || answer.failure !== null) continue;
      believed++;
      for (const value of answer.values) {
        expect(value).not.toContain("undefined");
        expect(shapes[type]?.(value) ?? true).toBe(true);
      }
      const others = type === "A" && decodedData(packet, type);
      if (others) expect(others).toEqual(expect.arrayContaining(answer.values));
    }
    expect(believed).toBeGreaterThan(500);
  },
);
