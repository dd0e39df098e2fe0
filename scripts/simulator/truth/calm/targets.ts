import type { Lookup } from "../../../../src/domain/checks/observation.ts";
import type { MonitorConfig } from "../../../../src/domain/monitors/monitor.ts";
import type { Sample, Segment, SimMonitor } from "../../ledger.ts";
import { type Draw, hash, noise } from "../draw.ts";
import { failure } from "../endpoints.ts";
import { segmentFinder } from "../incidents.ts";
import type { Span } from "./scenario.ts";

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/**
 * How fast things happen.
 *
 * @property intervals seconds @property unit milliseconds: something happens to a target every few of them
 * @property longest the longest trouble; milliseconds @property improving the share of warnings that begin as something worse
 */
export interface Tempo {
  intervals: readonly [number, ...number[]];
  unit: number;
  longest: number;
  improving: number;
}

export const CALM_TEMPO: Tempo = {
  intervals: [10, 30, 60, 60, 120],
  unit: HOUR,
  longest: HOUR,
  improving: 0,
};

/** The record of each name, unless it is moved. */
const VALUE = "192.0.2.1";

type Kind = "port" | "name" | "job";
type Trouble = Span & { kind: "down" | "moved" };

/** The target of a monitor. @property troubles by time; they may overlap */
export interface Target {
  name: string;
  dependsOn: string[];
  troubles: Trouble[];
  /** Whether operators pause it. */
  isPausable: boolean;
  truth: Pick<SimMonitor, "type" | "config" | "segments" | "sample" | "checkins" | "dead">;
}

/**
 * Targets that fail alone, and with those that they depend on: at the same time, a little earlier or later, and for longer.
 *
 * @param common troubles of most of them @param isFlat whether none depends on another one
 */
export function drawTargets(
  draw: Draw,
  {
    count,
    tempo,
    common = [],
    isFlat = false,
    ...span
  }: Span & { count: number; tempo: Tempo; common?: readonly Span[]; isFlat?: boolean },
): Target[] {
  const targets: Target[] = [];
  for (let number = 0; number < count; number++) {
    const own = draw.fork(number);
    const possible = targets.filter((_, at) => own.chance(at === 0 ? 0.5 : 0.2)).slice(0, 3);
    const parents = isFlat ? [] : possible;
    const kind: Kind = own.pick(["port", "port", "port", "name", "name", "job"] as const);
    const inherited = parents.flatMap(({ troubles }) => inherit(own, troubles, { tempo, ...span }));
    const shared = drawShared(own.fork("shared"), common, span);
    const troubles = [...drawTroubles(own, kind, { tempo, ...span }), ...inherited, ...shared].sort(
      (a, b) => a.from - b.from,
    );
    const name = `monitor-${number}`;
    targets.push({
      name,
      dependsOn: parents.map((parent) => parent.name),
      troubles,
      isPausable: kind !== "job" && own.chance(0.3),
      truth: truthOf(own, { name, kind, troubles, tempo, ...span }),
    });
  }
  return targets;
}

function drawTroubles(
  draw: Draw,
  kind: Kind,
  { from, to, tempo: { unit, longest, improving } }: Span & { tempo: Tempo },
): Trouble[] {
  const better = draw.fork("better");
  const troubles: Trouble[] = [];
  const every = draw.spread(0.5, 4) * unit;
  let at = from + draw.spread(2 * MINUTE, every);
  while (at < to) {
    const end = at + draw.spread(15 * SECOND, longest);
    const isMoved = kind === "name" && draw.chance(0.6);
    troubles.push(cut({ kind: isMoved ? "moved" : "down", from: at, to: end }, to));
    if (isMoved && better.chance(improving))
      troubles.push(cut({ kind: "down", from: at, to: at + better.spread(0.01, 0.3) * (end - at) }, to));
    // A target that is moved may go missing.
    if (isMoved && draw.chance(0.5))
      troubles.push(
        cut({ kind: "down", from: draw.between(at, end), to: end + draw.spread(SECOND, longest / 4) }, to),
      );
    at = end + draw.spread(0.1, 2) * every;
  }
  return troubles;
}

function inherit(
  draw: Draw,
  troubles: readonly Trouble[],
  { to, tempo: { longest } }: Span & { tempo: Tempo },
): Trouble[] {
  return troubles
    .filter(({ kind }) => kind === "down" && draw.chance(0.85))
    .map((trouble) => {
      const from = trouble.from + draw.between(-5 * SECOND, 25 * SECOND);
      const outlasts = draw.chance(0.3)
        ? draw.spread(MINUTE, longest / 3)
        : draw.between(-5 * SECOND, 15 * SECOND);
      return cut({ kind: "down", from, to: Math.max(from + SECOND, trouble.to + outlasts) }, to);
    })
    .filter(({ from }) => from < to);
}

function drawShared(draw: Draw, common: readonly Span[], { to }: Span): Trouble[] {
  return common
    .filter(() => draw.chance(0.8))
    .map((trouble) =>
      cut({ kind: "down", from: trouble.from + draw.fraction() * 5 * SECOND, to: trouble.to }, to),
    )
    .filter((trouble) => trouble.from < trouble.to);
}

function cut({ kind, from, to }: Trouble, end: number): Trouble {
  return { kind, from: Math.round(from), to: Math.round(Math.min(to, end)) };
}

function truthOf(
  draw: Draw,
  {
    name,
    kind,
    troubles,
    tempo,
    ...span
  }: Span & { name: string; kind: Kind; troubles: readonly Trouble[]; tempo: Tempo },
): Target["truth"] {
  if (kind === "job") return jobOf(draw, troubles, { tempo, ...span });
  const interval = draw.pick(tempo.intervals);
  const key = hash(`${name}${draw.fraction()}`);
  const badKind = kind === "port" ? "down" : "missing";
  const segments = flatten(troubles, span, badKind);
  const segmentAt = segmentFinder(segments);
  if (kind === "port")
    return {
      type: "TCP",
      config: { host: `${name}.example`, port: 443, interval } as MonitorConfig,
      segments,
      sample: (at) => portSample(segmentAt(at).kind, { share: noise(key, at), interval }),
    };
  return {
    type: "DNS",
    config: { hostname: `${name}.example`, recordType: "A", expected: [VALUE], interval } as MonitorConfig,
    segments,
    sample: (at) => nameSample(`${name}.example`, segmentAt(at).kind, noise(key, at)),
  };
}

/** The worst of what happens at each moment, without gaps. */
function flatten(troubles: readonly Trouble[], { from, to }: Span, badKind: string): Segment[] {
  const edges = [...new Set([from, to, ...troubles.flatMap((one) => [one.from, one.to])])]
    .filter((at) => from <= at && at <= to)
    .sort((a, b) => a - b);
  const segments: Segment[] = [];
  for (const [place, start] of edges.slice(0, -1).entries()) {
    const end = edges[place + 1] ?? to;
    const kinds = troubles.filter((one) => one.from <= start && start < one.to).map((one) => one.kind);
    const kind = kinds.includes("down") ? badKind : kinds.includes("moved") ? "moved" : "good";
    const last = segments.at(-1);
    if (last?.kind === kind) last.to = end;
    else segments.push({ from: start, to: end, kind });
  }
  return segments;
}

function portSample(kind: string, { share, interval }: { share: number; interval: number }): Sample {
  if (kind === "down") return failure(share < 0.4 ? "timeout" : "refused", { share, interval });
  // Degraded has tests of its own.
  return { observation: { outcome: "reached", latencyMs: 20, detail: {} }, tookMs: 20 };
}

function nameSample(hostname: string, kind: string, share: number): Sample {
  const values = [kind === "moved" ? "192.0.2.2" : VALUE];
  const lookup: Lookup =
    kind === "missing"
      ? { recordType: "A", values: [], failure: "nxdomain" }
      : { recordType: "A", values, failure: null };
  const answer = { hostname, lookups: [lookup] };
  return { observation: { outcome: "looked_up", answer }, tookMs: 1 + 40 * share };
}

/** A job that fails or does not run during its troubles. */
function jobOf(
  draw: Draw,
  troubles: readonly Trouble[],
  { from, to, tempo: { unit } }: Span & { tempo: Tempo },
): Target["truth"] {
  const period = draw.pick([5, 10, 15] as const) * (unit / 60);
  const grace = MINUTE;
  const dead = draw.chance(0.5);
  const checkins: { at: number; status: "ok" | "fail" }[] = [];
  for (let run = from + draw.spread(SECOND, period); run < to; run += period) {
    const at = Math.round(run + draw.fraction() * 20 * SECOND);
    const isBad = troubles.some((one) => one.from <= at && at < one.to);
    if (at < to && !(isBad && dead)) checkins.push({ at, status: isBad ? "fail" : "ok" });
  }
  return {
    type: "SCHEDULED",
    config: { interval: 300, period: period / SECOND, grace: grace / SECOND } as MonitorConfig,
    checkins,
    dead: [],
  };
}
