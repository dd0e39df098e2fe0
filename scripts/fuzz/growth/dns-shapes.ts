import type { Question } from "../../../src/probes/dns/dns-packet.ts";
import { readAnswer } from "../../../src/probes/dns/dns-packet.ts";
import type { LookupInput } from "../dns/input.ts";
import { runLookup } from "../dns/judge-lookup.ts";
import type { Shape } from "./shape.ts";

const NAME = "\x03cut\x04test\0";

/** Where the question has its name. */
const QUESTION = "\xc0\x0c";

const [A, CNAME, TXT] = [1, 5, 16];
const TYPES = { A, CNAME, TXT } as const;
type Type = keyof typeof TYPES;

const twoBytes = (value: number) => String.fromCharCode(value >> 8, value & 0xff);
const record = (owner: string, type: number, data: string) =>
  `${owner}${twoBytes(type)}\0\x01\0\0\0\x3c${twoBytes(data.length)}${data}`;

function message(type: Type, records: string[]): string {
  const header = `\0\0\x81\x80\0\x01${twoBytes(records.length)}\0\0\0\0`;
  return `${header}${NAME}${twoBytes(TYPES[type])}\0\x01${records.join("")}`;
}

const questionOf = (type: Type): Question => ({ name: "cut.test", type });

/** A message that is read alone. @param size of its largest part, in records or bytes */
function alone(name: string, size: number, type: Type, compose: (size: number) => string[]): Shape {
  return {
    protocol: "dns",
    name,
    size,
    compose(size) {
      const packet = Buffer.from(message(type, compose(size)), "latin1");
      return () => readAnswer(packet, { id: 0, question: questionOf(type), hasEdns: false });
    },
  };
}

function lookup(name: string, size: number, compose: (size: number) => LookupInput["servers"]): Shape {
  return {
    protocol: "dns",
    name,
    size,
    compose(size) {
      const input = { question: questionOf("TXT"), isTarget: false, servers: compose(size) };
      return () => runLookup(input);
    },
  };
}

const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

const label = (at: number) => `\x04${at.toString(36).padStart(4, "0")}\0`;

const LONG = "\x01a".repeat(120);

export const dnsShapes: readonly Shape[] = [
  alone("records", 900, "A", (n) => times(n, (at) => record(QUESTION, A, `\x7f\0${twoBytes(at)}`))),
  alone("aliases in reverse order", 400, "A", (n) =>
    [
      ...times(n, (at) => record(label(at), CNAME, label(at + 1))),
      record(QUESTION, CNAME, label(0)),
    ].toReversed(),
  ),
  alone("strings of a text", 15_000, "TXT", (n) => [record(QUESTION, TXT, "\x01a".repeat(n / 2))]),
  alone("names that point to a long one", 100, "A", (n) => [
    record(`${LONG}\0`, A, "\x7f\0\0\x01"),
    ...times(n, () => record(twoBytes(0xc000 + 26), A, "\x7f\0\0\x01")),
  ]),
  alone("names that point to the one before", 200, "A", chain),
  lookup("message over TCP in single bytes", 5000, (n) => {
    const bytes = message("TXT", [record(QUESTION, TXT, "\x01a".repeat(n / 2))]);
    const truncated = { bytes: "\0\0\x83\x80\0\0\0\0\0\0\0\0", truth: null };
    const stream = {
      message: { bytes, truth: null },
      length: bytes.length,
      cuts: "all" as const,
      end: "close" as const,
    };
    return [{ udp: [[{ message: truncated, isForeign: false }]], tcp: [stream], isAlive: true }];
  }),
  lookup("answers to other queries", 500, (n) => {
    const answer = { bytes: message("TXT", [record(QUESTION, TXT, "\x01a")]), truth: null };
    return [
      { udp: [times(n, (at) => ({ message: answer, isForeign: at < n - 1 }))], tcp: [], isAlive: true },
    ];
  }),
];

/** Each owner is a pointer to the owner before: a chain of pointers. */
function chain(size: number): string[] {
  let at = 26;
  return times(size, (index) => {
    const owner = index === 0 ? label(0) : twoBytes(0xc000 + at);
    const text = record(owner, A, "\x7f\0\0\x01");
    at = index === 0 ? 26 : at + (index === 1 ? 20 : 16);
    return text;
  });
}
