import type { BitReader, BitWriter } from "./bits.ts";
import type { ResultColumns } from "./columns.ts";

/*
 * Most results of a monitor have the same status, durations and detail. A segment has each combination once, in the order of
 * their first results, and then runs of results with one combination: its place in the list, and the length of the run as an
 * Elias gamma code. If there is one combination, there are no runs.
 */

type Kinds = Pick<ResultColumns, "count" | "statuses" | "parts" | "details">;

interface Kind {
  status: number;
  parts: number;
  detail: number;
}

export function writeKinds(out: BitWriter, columns: Kinds): void {
  const { kinds, runs } = runsOf(columns);
  out.writeVarint(kinds.length);
  for (const { status, parts, detail } of kinds) {
    out.write(status, 8);
    out.write(parts, 8);
    out.writeVarint(detail);
  }
  if (kinds.length === 1) return;
  const width = widthOf(kinds.length);
  for (const { place, length } of runs) {
    out.write(place, width);
    const zeros = 31 - Math.clz32(length);
    out.write(0, zeros);
    out.write(length, zeros + 1);
  }
}

function runsOf({ count, statuses, parts, details }: Kinds) {
  const kinds: Kind[] = [];
  const places = new Map<string, number>();
  const runs: { place: number; length: number }[] = [];
  for (let at = 0; at < count; at++) {
    const run = runs.at(-1);
    if (run && isSame(at)) {
      run.length++;
      continue;
    }
    const kind = { status: statuses[at] ?? 0, parts: parts[at] ?? 0, detail: details[at] ?? 0 };
    const key = `${kind.status} ${kind.parts} ${kind.detail}`;
    const place = places.get(key) ?? kinds.push(kind) - 1;
    places.set(key, place);
    runs.push({ place, length: 1 });
  }
  return { kinds, runs };

  function isSame(at: number): boolean {
    return (
      statuses[at] === statuses[at - 1] && parts[at] === parts[at - 1] && details[at] === details[at - 1]
    );
  }
}

/** Fills the columns. @throws RangeError if the bits are no kinds of so many results */
export function readKinds(bits: BitReader, { count, statuses, parts, details }: Kinds): void {
  const amount = bits.readVarint();
  if (amount < 1 || amount > count) throw new RangeError("a segment has more kinds than results");
  const kinds: Kind[] = [];
  for (let at = 0; at < amount; at++)
    kinds.push({ status: bits.read(8), parts: bits.read(8), detail: bits.readVarint() });
  const width = widthOf(amount);
  for (let at = 0; at < count; ) {
    const kind = kinds[bits.read(width)];
    const length = amount === 1 ? count : readLength(bits);
    if (!kind || length > count - at) throw new RangeError("a segment has a wrong run");
    statuses.fill(kind.status, at, at + length);
    parts.fill(kind.parts, at, at + length);
    details.fill(kind.detail, at, at + length);
    at += length;
  }
}

/** An Elias gamma code, at least 1. */
function readLength(bits: BitReader): number {
  const zeros = Math.clz32(bits.peek());
  if (zeros > 11) throw new RangeError("a segment has a run without a length");
  bits.skip(zeros);
  return bits.read(zeros + 1);
}

/** Bits for the places in a list. */
function widthOf(length: number): number {
  return 32 - Math.clz32(length - 1);
}
