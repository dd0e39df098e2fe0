import type { DeliberateFault } from "../simulator/deliberate-faults/fault.ts";
import type { Limits } from "./fuzz-process.ts";

/**
 * A fault of the product that inputs must find.
 *
 * @property effect the behavior of a product with this fault
 * @property inputs of seed 1, of which at least one finds it
 * @property limits that are smaller than usual, so that a fault that breaks one is found soon
 */
export interface FuzzFault extends Pick<DeliberateFault, "name" | "effect" | "edits"> {
  protocol: string;
  inputs: number;
  limits?: Partial<Limits>;
}

const HTTP: FuzzFault[] = [
  {
    name: "split-line",
    effect: "of a line that arrives in pieces, only the last one is read",
    protocol: "http",
    inputs: 1000,
    edits: [{ file: "probes/http/response-parser.ts", from: "line += this.take(", to: "line = this.take(" }],
  },
  {
    name: "short-body",
    effect: "a body that ends before its length is complete",
    protocol: "http",
    inputs: 10_000,
    edits: [
      {
        file: "probes/http/response-parser.ts",
        from: "this.bytesLeft === Number.POSITIVE_INFINITY",
        to: "this.bytesLeft > 0",
      },
    ],
  },
  {
    name: "last-line",
    effect: "a body in chunks is complete before its last line",
    protocol: "http",
    inputs: 10_000,
    edits: [{ file: "probes/http/response-parser.ts", from: 'while ((yield* this.line()) !== "");', to: "" }],
  },
  {
    name: "interim-answer",
    effect: "an interim answer with status 103 is the final one",
    protocol: "http",
    inputs: 10_000,
    edits: [
      {
        file: "probes/http/response-parser.ts",
        from: "statusCode >= 100 && statusCode < 200",
        to: "statusCode === 100",
      },
    ],
  },
  {
    name: "large-digits",
    effect: "the size of a chunk may not have capital letters",
    protocol: "http",
    inputs: 10_000,
    edits: [{ file: "probes/http/response-parser.ts", from: "(?:;|$)/i", to: "(?:;|$)/" }],
  },
  {
    name: "shared-secrets",
    effect: "a redirect to another origin gets the headers of the config",
    protocol: "http",
    inputs: 100_000,
    edits: [
      {
        file: "probes/http/request.ts",
        from: "!hasSecrets(config) || url.origin === new URL(firstUrlOf(config)).origin",
        to: "true",
      },
    ],
  },
  {
    name: "named-host",
    effect: "a result names the host of a redirect",
    protocol: "http",
    inputs: 100_000,
    edits: [
      { file: "probes/http/redirects.ts", from: "followed > 0 && error", to: "followed > 99 && error" },
    ],
  },
  {
    name: "quoted-answer",
    effect: "a message quotes an answer that may repeat secrets",
    protocol: "http",
    inputs: 10_000,
    edits: [{ file: "probes/http/exchange.ts", from: "PLAIN.has(field)", to: 'field !== ""' }],
  },
  {
    name: "broken-coding",
    effect: "a body that does not decode is judged by its start",
    protocol: "http",
    inputs: 100_000,
    edits: [
      {
        file: "probes/http/content-coding.ts",
        from: "reject(badBody(`it does not decode as ${coding}`))",
        to: "finish(false)",
      },
    ],
  },
  {
    name: "endless-body",
    effect: "a check waits for the rest of a body after the connection has ended",
    protocol: "http",
    inputs: 1000,
    limits: { hang: 5000 },
    edits: [
      {
        file: "probes/http/response-parser.ts",
        from: "else if (!this.hasEnded) yield;",
        to: "else if (this.bytesLeft > 0) yield;",
      },
    ],
  },
  {
    name: "kept-memory",
    effect: "each piece of an answer takes memory that is never free again",
    protocol: "http",
    inputs: 1_000_000,
    limits: { rss: 320 * 1024 * 1024 },
    edits: [
      {
        file: "probes/http/response-parser.ts",
        from: "this.hasEnded = more === undefined;",
        to: "this.hasEnded = more === undefined; ((globalThis as any).kept ??= []).push(Buffer.alloc(4096, 1));",
      },
    ],
  },
];

const DNS: FuzzFault[] = [
  {
    name: "any-length",
    effect: "the data of a record may be longer than its type allows",
    protocol: "dns",
    inputs: 10_000,
    edits: [
      { file: "probes/dns/dns-packet.ts", from: "if (!data.isAtEnd) throw", to: 'if (text === "") throw' },
    ],
  },
  {
    name: "any-id",
    effect: "an answer with another ID is believed",
    protocol: "dns",
    inputs: 10_000,
    edits: [{ file: "probes/dns/dns-packet.ts", from: " || packet.readUInt16BE(0) !== id", to: "" }],
  },
  {
    name: "any-question",
    effect: "an answer about another name is believed",
    protocol: "dns",
    inputs: 10_000,
    edits: [{ file: "probes/dns/dns-packet.ts", from: " || !isSameName(name, question.name)", to: "" }],
  },
  {
    name: "no-tcp",
    effect: "a truncated answer is judged as it is",
    protocol: "dns",
    inputs: 1000,
    edits: [{ file: "probes/dns/dns-packet.ts", from: "if (flags & TRUNCATED)", to: "if (flags < 0)" }],
  },
  {
    name: "first-segment",
    effect: "over TCP, the first bytes of an answer are all of it",
    protocol: "dns",
    inputs: 10_000,
    edits: [
      {
        file: "probes/dns/dns-exchange.ts",
        from: "end = 2 + read.readUInt16BE(0);",
        to: "end = received;",
      },
    ],
  },
  {
    name: "open-sockets",
    effect: "the sockets of a query stay open",
    protocol: "dns",
    inputs: 1000,
    edits: [{ file: "probes/dns/dns-exchange.ts", from: "    lifetime.close();\n", to: "" }],
  },
];

const GREETINGS: FuzzFault[] = [
  {
    name: "quoted-greeting",
    effect: "a message has the text of a greeting",
    protocol: "greetings",
    inputs: 1000,
    edits: [
      { file: "probes/greetings/protocols.ts", from: "with ${code} instead", to: "with ${lines[0]} instead" },
    ],
  },
  {
    name: "first-bytes",
    effect: "the first bytes of a packet of MySQL are all of it",
    protocol: "greetings",
    inputs: 1000,
    edits: [
      {
        file: "probes/greetings/probe-greeting.ts",
        from: "while (this.unread.length < count) await",
        to: "if (this.unread.length < count) await",
      },
    ],
  },
  {
    name: "lost-line-feed",
    effect: "the end of a line that arrives alone is not seen",
    protocol: "greetings",
    inputs: 10_000,
    edits: [
      {
        file: "probes/greetings/probe-greeting.ts",
        from: "searched = this.unread.length;",
        to: "searched = this.unread.length + 1;",
      },
    ],
  },
];

const TCP_AND_TLS: FuzzFault[] = [
  {
    name: "border",
    effect: "an expected text that arrives in two pieces is not found",
    protocol: "tcp",
    inputs: 10_000,
    edits: [
      {
        file: "probes/tcp.ts",
        from: "Math.max(0, searched.length - wanted.length + 1)",
        to: "searched.length",
      },
    ],
  },
  {
    name: "endless-greeting",
    effect: "a TCP check reads more than 64 KiB",
    protocol: "tcp",
    inputs: 10_000,
    edits: [
      { file: "probes/tcp.ts", from: "const MAX_READ = 64 * 1024;", to: "const MAX_READ = 65 * 1024;" },
    ],
  },
  {
    name: "other-century",
    effect: "a certificate of 1950 is one of 2050",
    protocol: "tls",
    inputs: 1000,
    edits: [
      { file: "probes/connections/handshake.ts", from: "Number(years) < 50", to: "Number(years) < 51" },
    ],
  },
  {
    name: "no-offset",
    effect: "the offset of a time of a certificate is ignored",
    protocol: "tls",
    inputs: 1000,
    edits: [{ file: "probes/connections/handshake.ts", from: "${second}${offset}`", to: "${second}Z`" }],
  },
  {
    name: "strong-sha",
    effect: "SHA-1 is no weak signature",
    protocol: "tls",
    inputs: 1000,
    edits: [{ file: "probes/connections/handshake.ts", from: "/sha-?1(?!\\d)|md5/i", to: "/md5/i" }],
  },
  {
    name: "any-certificate",
    effect: "a certificate for another name is valid",
    protocol: "tls",
    inputs: 100_000,
    edits: [
      {
        file: "probes/connections/dial.ts",
        from: "if (verify && fault !== undefined) throw",
        to: 'if (verify && fault === "") throw',
      },
    ],
  },
];

export const DELIBERATE_FAULTS: readonly FuzzFault[] = [...HTTP, ...DNS, ...TCP_AND_TLS, ...GREETINGS];

export function deliberateFault(name: string): FuzzFault {
  const fault = DELIBERATE_FAULTS.find((one) => one.name === name);
  const names = DELIBERATE_FAULTS.map((one) => one.name).join(", ");
  if (!fault) throw new Error(`--fault must be one of ${names}, got ${name}`);
  return fault;
}
