import type { Coverage } from "./counts.ts";
import { PAIRS, pairName } from "./feature-pairs.ts";
import { FEATURES, type Feature } from "./features.ts";

/** Pairs of features that no world can have. */
interface Impossible {
  some: readonly Feature[];
  others: readonly Feature[];
  why: string;
}

const JOBS = ["job with period", "job with cron"] as const;

export const IMPOSSIBLE: readonly Impossible[] = [
  {
    some: JOBS,
    others: ["confirmations", "recoveries", ...FEATURES.votes, ...FEATURES.place],
    why: "no check, so no confirmation and no location",
  },
  { some: JOBS, others: ["apply"], why: "operators of these worlds leave them alone" },
  { some: ["job with period"], others: ["paused", "edit"], why: "operators of these worlds leave it alone" },
  {
    some: ["job with cron"],
    others: ["depends on others", "others depend on it", "depend", "acknowledged"],
    why: "it stands alone in these worlds",
  },
  {
    some: ["warning"],
    others: [...JOBS, "TCP", ...FEATURES.votes, ...FEATURES.place],
    why: "only a record that moved is a warning",
  },
  {
    some: ["DNS"],
    others: [...FEATURES.votes, ...FEATURES.place],
    why: "in these worlds, locations check only ports",
  },
];

function isImpossible([one, other]: readonly [Feature, Feature]): boolean {
  return IMPOSSIBLE.some(
    ({ some, others }) =>
      (some.includes(one) && others.includes(other)) || (some.includes(other) && others.includes(one)),
  );
}

/** The next states of each state of a machine. Probed targets are well at first. */
const MACHINES: Record<string, Record<string, readonly string[]>> = {
  "status of TCP": { unknown: ["up"], up: ["down"], down: ["up"] },
  "status of DNS": {
    unknown: ["present"],
    present: ["missing", "changed"],
    missing: ["present", "changed"],
    changed: ["present", "missing"],
  },
  "status of SCHEDULED": {
    unknown: ["ok", "failed"],
    ok: ["failed", "havent_heard"],
    failed: ["ok", "havent_heard"],
    havent_heard: ["ok", "failed"],
  },
  notification: {
    created: ["delivered", "temporary", "timeout", "permanent", "lost", "muted", "withdrawn"],
    temporary: ["delivered", "temporary"],
    timeout: ["delivered", "timeout"],
    lost: ["delivered"],
  },
  incident: { none: ["trigger"], trigger: ["trigger", "resolve"], resolve: ["trigger"] },
  outage: { none: ["open"], open: ["acknowledged", "ended"], acknowledged: ["open", "ended"] },
  window: { open: ["ended", "ended early"] },
  server: { none: ["running"], running: ["kill", "stop", "end"], kill: ["running"], stop: ["running"] },
  monitor: { enabled: ["paused", "deleted"], paused: ["enabled", "deleted"] },
  location: {
    well: ["partition", "broken", "offline", "cut", "kill", "restart"],
    ...{ partition: ["well"], broken: ["well"], offline: ["well"] },
    ...{ cut: ["well"], kill: ["well"], restart: ["well"] },
  },
};

const TRANSITIONS = Object.entries(MACHINES).flatMap(([machine, states]) =>
  Object.entries(states).flatMap(([state, next]) => next.map((one) => `${machine}: ${state} → ${one}`)),
);

/** The work that takes time, in which faults may happen. */
const WAITS = {
  server: ["check", "notification", "request"],
  location: ["check of a location", "poll", "send"],
} as const;

const MOMENTARY: readonly Feature[] = ["place kill", "place restart"];

const DURING = [
  ...FEATURES.fault.flatMap((fault) =>
    [...WAITS.server, ...WAITS.location].map((name) => `${fault} during ${name}`),
  ),
  ...FEATURES.place.flatMap((fault) => {
    // A check and a send take milliseconds, and no death of a location aims at them.
    const waits = MOMENTARY.includes(fault) ? ["poll"] : WAITS.location;
    return waits.map((name) => `${fault.replace("place ", "location: ")} during ${name}`);
  }),
];

/** Methods that no kill aims at: they are called at a start, after a step of the clock, or once an hour. */
const SELDOM = /^(housekeeping|nodes|changes)\.|\.(recall|excuseOutage|recallDeadlines)$/;

/** The process dies before and after each method that a server called, except for those. */
function demandedKills(coverage: Coverage): string[] {
  const called = [...coverage.keys()].flatMap((name) => /^call of (.+)$/.exec(name)?.[1] ?? []);
  return called
    .filter((name) => !SELDOM.test(name))
    .flatMap((name) => [`killed before ${name}`, `killed after ${name}`]);
}

/** All that worlds must do, by section. */
export function demanded(coverage: Coverage): Record<string, readonly string[]> {
  return {
    "pairs of features": PAIRS.filter((pair) => !isImpossible(pair)).map(pairName),
    transitions: TRANSITIONS,
    "faults during something that waits": DURING,
    "deaths at a call of the store": demandedKills(coverage),
  };
}

/** All that must happen and never did. */
export function missing(coverage: Coverage): string[] {
  return Object.values(demanded(coverage)).flatMap((names) => names.filter((name) => !coverage.has(name)));
}
