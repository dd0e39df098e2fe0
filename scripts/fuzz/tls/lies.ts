import type { Draw } from "../../simulator/truth/draw.ts";
import { flightRecordings } from "../recordings/recording.ts";

/**
 * A lie between a server and the check. `at` is a share of the first flight: all that the server sends before the check
 * answers.
 *
 * - `split`: the bytes arrive in pieces of this size
 * - `cut`: the connection ends or is reset there
 * - `flip`: one bit is another
 * - `insert`: bytes are added, at the record before
 * - `repeat`, `swap`, `drop`: of the records
 * - `instead`: the server sends only these bytes, and then closes, is silent, or repeats them without end
 */
export type Lie =
  | { kind: "split"; size: number }
  | { kind: "cut"; at: number; isReset: boolean }
  | { kind: "flip"; at: number; bit: number }
  | { kind: "insert"; at: number; bytes: string }
  | { kind: "repeat" | "swap" | "drop"; record: number }
  | { kind: "instead"; bytes: string; then: "close" | "silence" | "flood" };

/** A record of TLS. @param type 20 change of ciphers, 21 alert, 22 handshake, 23 data */
const record = (type: number, content: string) =>
  String.fromCharCode(type, 3, 3, content.length >> 8, content.length & 0xff) + content;

/** Records that end any handshake. */
const FATAL = [
  record(21, "\x02\x28"),
  record(21, "\x02\x50"),
  record(23, "data"),
  record(99, "x"),
  "\0\0\0\0\0",
] as const;

/** Records of which some are allowed. */
const HARMLESS = [
  record(21, "\x01\x5a"),
  record(20, "\x01"),
  record(22, ""),
  record(22, "\0\0\0\0"),
] as const;

const OTHERS = [
  ...flightRecordings.map(({ bytes }) => bytes),
  "HTTP/1.1 400 Bad Request\r\n\r\n",
  "SSH-2.0-OpenSSH_9.2p1\r\n",
  "\0".repeat(64),
  "\xff".repeat(64),
  record(21, "\x01\0"),
  "\x16\x03\x03",
  "\x16\x03\x03\xff\xff",
  // A handshake message of 16 MiB, in parts.
  record(22, "\x0b\xff\xff\xff") + record(22, "x".repeat(16_000)),
  record(22, "\x02\0\0\x26\x03\x03".padEnd(42, "\0")),
] as const;

export function drawLie(draw: Draw): Lie {
  const at = draw.between(0, 1);
  const number = draw.whole(0, 3);
  switch (draw.whole(0, 9)) {
    case 0:
    case 1:
      return { kind: "split", size: draw.pick([1, 2, 5, 100, 100_000]) };
    case 2:
      return { kind: "cut", at, isReset: draw.chance(0.5) };
    case 3:
    case 4:
    case 5:
      return { kind: "flip", at, bit: draw.whole(0, 7) };
    case 6:
      return { kind: "insert", at, bytes: draw.pick([...FATAL, ...HARMLESS]) };
    case 7:
      return { kind: draw.pick(["repeat", "swap", "drop"] as const), record: number };
    default: {
      const then = draw.chance(0.05) ? "silence" : draw.pick(["close", "close", "flood"] as const);
      return {
        kind: "instead",
        bytes: draw.pick([...FATAL, ...HARMLESS, ...OTHERS]),
        then,
      };
    }
  }
}

/**
 * - `whole`: the check must see what the server is
 * - `broken`: the handshake must not succeed
 * - `silent`: nor may it end before its timeout
 * - `unclear`: a handshake may succeed, because the changed bytes are not authenticated
 */
export type Effect = "whole" | "broken" | "unclear";

/** The bytes of a flight as the check gets them, and what that must mean. */
export function changed(flight: Buffer, lie: Lie): { bytes: Buffer; effect: Effect } {
  const records = recordsOf(flight);
  const at = "at" in lie ? Math.min(flight.length - 1, Math.floor(lie.at * flight.length)) : 0;
  switch (lie.kind) {
    case "cut":
      return { bytes: flight.subarray(0, at), effect: "broken" };
    case "flip": {
      const bytes = Buffer.from(flight);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << lie.bit), at);
      return { bytes, effect: isAuthenticated(records, at) ? "broken" : "unclear" };
    }
    case "insert": {
      const start = records.findLast(({ from }) => from <= at)?.from ?? 0;
      const bytes = Buffer.concat([
        flight.subarray(0, start),
        Buffer.from(lie.bytes, "latin1"),
        flight.subarray(start),
      ]);
      return { bytes, effect: (FATAL as readonly string[]).includes(lie.bytes) ? "broken" : "unclear" };
    }
    case "repeat":
    case "swap":
    case "drop":
      return { bytes: reordered(flight, records, lie), effect: "unclear" };
    case "instead":
      return {
        bytes: Buffer.from(lie.bytes, "latin1"),
        effect: "broken",
      };
    default:
      return { bytes: flight, effect: "whole" };
  }
}

/** @property from where it begins @property to where it ends */
interface TlsRecord {
  type: number;
  from: number;
  to: number;
}

function recordsOf(flight: Buffer): TlsRecord[] {
  const records: TlsRecord[] = [];
  for (let from = 0; from + 5 <= flight.length; ) {
    const to = from + 5 + flight.readUInt16BE(from + 3);
    records.push({ type: flight.readUInt8(from), from, to });
    from = to;
  }
  return records;
}

/** The version in the header of a record, and changes of ciphers in TLS 1.3, mean nothing. */
function isAuthenticated(records: TlsRecord[], at: number): boolean {
  const own = records.find(({ from, to }) => from <= at && at < to);
  return own !== undefined && own.type !== 20 && at !== own.from + 1 && at !== own.from + 2;
}

function reordered(flight: Buffer, records: TlsRecord[], lie: { kind: string; record: number }): Buffer {
  const parts = records.map(({ from, to }) => flight.subarray(from, to));
  const at = lie.record % Math.max(1, parts.length);
  const [part = Buffer.alloc(0), next = Buffer.alloc(0)] = parts.slice(at);
  if (lie.kind === "drop") parts.splice(at, 1);
  else if (lie.kind === "repeat") parts.splice(at, 0, part);
  else parts.splice(at, 2, next, part);
  return Buffer.concat(parts);
}
