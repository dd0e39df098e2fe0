import type { Draw } from "../../simulator/truth/draw.ts";
import { DATABASE_FAULTS, type FaultKind, NODE_FAULTS } from "../log.ts";

/** @property at milliseconds from the begin of the run @property lasts milliseconds; a start comes on top of them */
export interface PlannedFault {
  kind: FaultKind;
  node: number | null;
  at: number;
  lasts: number;
}

const SECOND = 1000;

/** Before the first fault, and after the last one. */
const LEAD = 12 * SECOND;
const END = 10 * SECOND;

/** After each round, so that all nodes are healthy for a while. */
const QUIET = 12 * SECOND;

/** After a disaster. */
const RECOVERY = 25 * SECOND;

/** From one short fault to the next. */
const PACE = 8 * SECOND;

/** The same of a run that has only short faults. */
const SAMPLE_LEAD = 4 * SECOND;
const SAMPLE_PACE = 4 * SECOND;

/** How many short faults happen during a long one. */
const DURING = 3;

/** Milliseconds. A node that stops, or that the database does not hear, comes back after all its leases have lapsed. */
const LASTS: { [K in FaultKind]: [from: number, to: number] } = {
  kill: [1, 5],
  stop: [24, 27],
  end: [0, 2],
  delay: [5, 8],
  cut: [2, 6],
  "black-hole": [20, 23],
  clock: [0, 0],
  terminate: [0, 0],
  restart: [0, 1],
  crash: [0, 3],
};

const LONG: readonly FaultKind[] = ["stop", "black-hole"];
/** A shorter run has only short faults. Milliseconds. */
const ROOM_FOR_LONG = 60 * SECOND;

const SHORT = [...NODE_FAULTS, ...DATABASE_FAULTS].filter((kind) => !LONG.includes(kind));
const OF_DATABASE: readonly FaultKind[] = DATABASE_FAULTS;

/** How long everything is away in a disaster, in seconds: longer than a job waits. */
const DISASTER: [number, number] = [12, 26];

/**
 * One fault after the other, and during a long one of a node some short ones of another node or of the database, so that a
 * third node always works. A disaster comes before each repetition: no database works, or no node.
 */
export function planFaults(
  draw: Draw,
  { nodes, seconds }: { nodes: number; seconds: number },
): PlannedFault[] {
  const end = seconds * SECOND - END;
  if (seconds * SECOND < ROOM_FOR_LONG) return planSample(draw, { nodes, end });
  const faults: PlannedFault[] = [];
  for (let at = planPass(draw, { faults, nodes, at: LEAD }); at < end; ) {
    const lasts = Math.round(draw.between(...DISASTER) * SECOND);
    faults.push(...planDisaster(draw, { nodes, at, lasts }));
    at = planPass(draw, { faults, nodes, at: at + lasts + RECOVERY });
  }
  return faults.filter((fault) => fault.at + fault.lasts <= end);
}

/** Short faults one after the other, of a run without room for every kind. */
function planSample(draw: Draw, { nodes, end }: { nodes: number; end: number }): PlannedFault[] {
  const faults: PlannedFault[] = [];
  for (const kind of shuffled(draw, SHORT)) {
    const at = SAMPLE_LEAD + faults.length * SAMPLE_PACE;
    const fault = planned(draw, kind, draw.whole(0, nodes - 1), at);
    if (fault.at + fault.lasts <= end) faults.push(fault);
  }
  return faults;
}

function planDisaster(
  draw: Draw,
  { nodes, ...times }: { nodes: number; at: number; lasts: number },
): PlannedFault[] {
  const kind = draw.pick<FaultKind>(["crash", "stop", "kill", "black-hole"]);
  if (kind === "crash") return [{ kind, node: null, ...times }];
  return Array.from({ length: nodes }, (_, node) => ({ kind, node, ...times }));
}

/** Plans every kind once. @returns when it is over */
function planPass(
  draw: Draw,
  { faults, nodes, at }: { faults: PlannedFault[]; nodes: number; at: number },
): number {
  const shorts = shuffled(draw, SHORT);
  let time = at;
  for (const kind of shuffled(draw, LONG)) {
    const node = draw.whole(0, nodes - 1);
    const long = planned(draw, kind, node, time);
    faults.push(long);
    for (const [index, short] of shorts.splice(0, DURING).entries()) {
      const other = (node + draw.whole(1, nodes - 1)) % nodes;
      faults.push(planned(draw, short, other, time + SECOND + index * PACE));
    }
    time += long.lasts + QUIET;
  }
  for (const kind of shorts) {
    faults.push(planned(draw, kind, draw.whole(0, nodes - 1), time));
    time += PACE;
  }
  return time + QUIET - PACE / 2;
}

function planned(draw: Draw, kind: FaultKind, node: number, at: number): PlannedFault {
  const [from, to] = LASTS[kind];
  const lasts = Math.round(draw.between(from, to) * SECOND);
  return { kind, node: OF_DATABASE.includes(kind) ? null : node, at, lasts };
}

function shuffled<T>(draw: Draw, values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, place: draw.fraction() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
