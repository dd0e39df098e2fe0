import type { DnsAnswer, Lookup, LookupFailure, RecordType } from "../../../src/domain/checks/observation.ts";
import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import type { Sample, SimMonitor } from "../ledger.ts";
import { type Draw, hash, noise } from "./draw.ts";
import { BLIP, drawSegments, type Incident, segmentFinder } from "./incidents.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

const MISSING: Incident = { kind: "missing", shortest: 20 * SECOND, longest: 6 * HOUR };
const MOVED: Incident = { kind: "moved", shortest: 10 * MINUTE, longest: 10 * DAY };
const SERVFAIL: Incident = { kind: "missing", shortest: 30 * SECOND, longest: HOUR };
const FAILURES = ["nxdomain", "no_data", "servfail", "refused", "timeout"] as const;

type Name = Pick<SimMonitor, "type" | "config" | "segments" | "sample">;

/** The truth of a DNS monitor: fixed or rotating records that move or are missing for some time. */
export function drawName(
  draw: Draw,
  { name, interval, ...span }: { name: string; interval: number; from: number; to: number },
): Name {
  const hostname = `${name}.example`;
  const recordType = draw.chance(0.4) ? draw.pick(["A", "AAAA", "TXT", "MX"] as const) : undefined;
  const types: RecordType[] = recordType ? [recordType] : ["A", "AAAA"];
  const poolSize = draw.chance(0.4) ? draw.whole(2, 12) : 1;
  const perAnswer = draw.whole(1, Math.max(1, poolSize - 1));
  const rotatesEvery = draw.spread(MINUTE, 4 * HOUR);
  const segments = drawSegments(draw, span, [MISSING, { ...BLIP, kind: "missing" }, MOVED, SERVFAIL]);
  const segmentAt = segmentFinder(segments);
  const key = hash(`${name}${draw.fraction()}`);
  const failures = segments.map(() => draw.pick(FAILURES));
  const valuesAt = (type: RecordType, at: number) => {
    const segment = segmentAt(at);
    const pool = segment.kind === "moved" ? segments.indexOf(segment) + 1 : 0;
    const turn = Math.floor(at / rotatesEvery);
    return [...Array(perAnswer).keys()].map((place) =>
      recordValue(type, { pool, place: (turn + place) % poolSize }),
    );
  };
  const expected =
    poolSize === 1 && draw.chance(0.3) ? types.flatMap((type) => valuesAt(type, span.from)) : undefined;
  return {
    type: "DNS",
    config: {
      hostname,
      interval,
      ...(recordType && { recordType }),
      ...(expected && { expected }),
    } as MonitorConfig,
    segments,
    sample(startedAt): Sample {
      const segment = segmentAt(startedAt);
      const failure = segment.kind === "missing" ? (failures[segments.indexOf(segment)] ?? "nxdomain") : null;
      const lookups = types.map((type) => lookup(type, failure, () => valuesAt(type, startedAt)));
      const answer: DnsAnswer = { hostname, lookups };
      const tookMs = failure === "timeout" ? 6000 : 1 + 40 * noise(key, startedAt);
      return { observation: { outcome: "looked_up", answer }, tookMs };
    },
  };
}

function lookup(recordType: RecordType, failure: LookupFailure | null, values: () => string[]): Lookup {
  return failure
    ? { recordType, values: [], failure }
    : { recordType, values: [...new Set(values())], failure: null };
}

function recordValue(type: RecordType, { pool, place }: { pool: number; place: number }): string {
  if (type === "A") return `198.51.${pool % 256}.${place + 1}`;
  if (type === "AAAA") return `2001:db8:${pool.toString(16)}::${(place + 1).toString(16)}`;
  return type === "MX" ? `10 mail${place}.pool${pool}.example` : `v=${pool} ${place}`;
}
