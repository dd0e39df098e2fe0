import type { MonitorType } from "../../../src/domain/monitors/monitor.ts";
import { createDraw, type Draw } from "../../simulator/truth/draw.ts";
import type { Span } from "../log.ts";
import { type PlannedFault, planFaults } from "./faults.ts";

/** Interval and timeout of checks, and the rhythm of the jobs, in seconds. */
export const INTERVAL = 4;
export const TIMEOUT = 2;
export const PERIOD = 10;
export const GRACE = 8;

/**
 * How a receiver answers: at once; late; or late, and sometimes with 503 or not at all.
 */
export const CHANNELS = ["fast", "slow", "moody", "busy"] as const;
export type ChannelName = (typeof CHANNELS)[number];

/**
 * Behavior of a target while it is down: it accepts connections and never answers, closes them, or refuses them. A name does
 * not exist while it is down.
 */
export type Manner = "silent" | "closes" | "refuses";

/** @property outages milliseconds from the begin of the run */
export interface PlannedTarget {
  name: string;
  type: MonitorType;
  manner: Manner;
  outages: Span[];
  channels: ChannelName[];
  /** Only of jobs. @property every milliseconds @property failures the share of the check-ins that report a failure */
  job?: { every: number; failures: number };
}

export interface Scenario {
  seed: number;
  seconds: number;
  targets: PlannedTarget[];
  faults: PlannedFault[];
}

const SECOND = 1000;

/** How long a target is up and down, in seconds. */
const COURSES: { [name: string]: { up: [number, number]; down: [number, number] } | undefined } = {
  steady: undefined,
  long: { up: [8, 20], down: [20, 40] },
  brief: { up: [8, 16], down: [3, 9] },
};

const KINDS: { type: MonitorType; manner: Manner }[] = [
  { type: "HTTP", manner: "silent" },
  { type: "HTTP", manner: "closes" },
  { type: "HTTP", manner: "refuses" },
  { type: "TCP", manner: "refuses" },
  { type: "TLS", manner: "refuses" },
  { type: "DNS", manner: "refuses" },
];

/** Targets of each kind and course. */
const EACH = 2;

/** Silence that must be noticed: the window and the time of a takeover are shorter. */
const SILENCE: [number, number] = [48, 60];

/** The scenario of a seed: when targets and jobs fail, and what happens to nodes and database. */
export function planScenario(seed: number, { nodes, seconds }: { nodes: number; seconds: number }): Scenario {
  const draw = createDraw(seed);
  const faults = planFaults(draw.fork("faults"), { nodes, seconds });
  return { seed, seconds, targets: [...planTargets(draw, seconds), ...planJobs(draw, seconds)], faults };
}

function planTargets(draw: Draw, seconds: number): PlannedTarget[] {
  return KINDS.flatMap(({ type, manner }) =>
    Object.entries(COURSES).flatMap(([course, times]) =>
      Array.from({ length: EACH }, (_, at) => {
        const name = `${type.toLowerCase()}-${manner}-${course}-${at}`;
        const outages = times ? planOutages(draw.fork(name), times, seconds) : [];
        return { name, type, manner, outages, channels: ["fast", at === 0 ? "slow" : "moody"] };
      }),
    ),
  );
}

function planJobs(draw: Draw, seconds: number): PlannedTarget[] {
  const [type, manner] = ["SCHEDULED", "silent"] as const;
  const every = PERIOD * SECOND;
  const jobs = Array.from({ length: 4 }, (_, at): PlannedTarget[] => {
    const silence = planOutages(draw.fork(`silence ${at}`), { up: [5, 25], down: SILENCE }, seconds);
    return [
      {
        name: `job-steady-${at}`,
        type,
        manner,
        outages: [],
        channels: ["fast"],
        job: { every, failures: 0 },
      },
      {
        name: `job-silent-${at}`,
        type,
        manner,
        outages: silence,
        channels: ["slow"],
        job: { every, failures: 0 },
      },
      {
        ...{ name: `job-busy-${at}`, type, manner, outages: [], channels: ["busy"] },
        job: { every: 0.3 * SECOND, failures: 0.05 },
      },
    ];
  });
  return jobs.flat();
}

/** The last one is over before the end. */
function planOutages(
  draw: Draw,
  { up, down }: { up: [number, number]; down: [number, number] },
  seconds: number,
): Span[] {
  const outages: Span[] = [];
  for (let at = draw.between(...up); ; ) {
    const to = at + draw.between(...down);
    if (to > seconds) return outages;
    outages.push({ from: Math.round(at * SECOND), to: Math.round(to * SECOND) });
    at = to + draw.between(...up);
  }
}
