import type { Ledger, SimSchedule, Violation } from "../../ledger.ts";
import type { Stretch } from "../own-faults.ts";
import { LOST, type Sent, sentOf, WRONG } from "./judge-on-call.ts";
import { Rosters } from "./rosters.ts";
import { clockOf } from "./turns.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

/** The figures of a run, also of the parts that it does not prove. */
export interface OnCallFigures {
  personDays: number;
  /** How often somebody else was on call, or nobody; so many of them got something. */
  turns: number;
  toldTurns: number;
  /** Notifications of trouble and recoveries that people got. */
  notifications: number;
  /** Handovers with a notification within the minute before, and the minute after. Edges: overrides that begin or end. */
  bothSides: number;
  overrideEdges: number;
  toldOverrideEdges: number;
  /** Changes of the clock of a schedule; so many with a notification within the six hours around it. */
  clockChanges: number;
  toldClockChanges: number;
  acknowledgements: number;
  /** Changes of people and schedules. */
  changes: number;
  lost: number;
  wrong: number;
}

export function onCallFigures(ledger: Ledger, violations: readonly Violation[]): OnCallFigures {
  const { onCall = { people: [], schedules: [], defaults: [] }, from, to } = ledger.scenario;
  const rosters = new Rosters(ledger, onCall);
  const requests = ledger.requests.filter(({ accepted }) => accepted);
  const figures: OnCallFigures = {
    personDays: (onCall.people.length * (to - from)) / DAY,
    ...{ turns: 0, toldTurns: 0, bothSides: 0, overrideEdges: 0, toldOverrideEdges: 0 },
    ...{ clockChanges: 0, toldClockChanges: 0 },
    notifications: new Set(ledger.attempts.map(({ id }) => id)).size,
    acknowledgements: requests.filter(({ request }) => request.kind === "acknowledge").length,
    changes: rosters.changes.length,
    lost: violations.filter(({ rule }) => LOST.includes(rule)).length,
    wrong: violations.filter(({ rule }) => rule === WRONG).length,
  };
  const sent = new Map(ledger.scenario.monitors.map((monitor) => [monitor, sentOf(monitor, ledger)]));
  for (const schedule of onCall.schedules) {
    const own = [...sent]
      .filter(([{ schedules = {} }]) => schedule.name in schedules)
      .flatMap(([, some]) => some)
      .filter(({ isTrouble, attempts }) => isTrouble && attempts.length > 0);
    count(schedule, { figures, rosters, own, ledger });
  }
  return figures;
}

interface Context {
  figures: OnCallFigures;
  rosters: Rosters;
  /** Notifications that bindings to the schedule may have sent. */
  own: readonly Sent[];
  ledger: Ledger;
}

function count(schedule: SimSchedule, { figures, rosters, own, ledger }: Context): void {
  const { from, to } = ledger.scenario;
  const isOwn = (channel: string, at: number) =>
    rosters.channelsAt(schedule.name, at).some((channels) => channels.includes(channel));
  const times = own
    .filter(({ channel, decidedAt }) => isOwn(channel, decidedAt))
    .map(({ decidedAt }) => decidedAt)
    .sort((a, b) => a - b);
  const isTold = (since: number, until: number) => {
    const at = times[firstFrom(times, since)];
    return at !== undefined && at < until;
  };
  const starts = startsOfTurns(schedule, { rosters, ledger });
  figures.turns += starts.length - 1;
  for (const [place, start] of starts.entries()) {
    if (isTold(start, starts[place + 1] ?? to)) figures.toldTurns++;
    if (place > 0 && isTold(start - MINUTE, start) && isTold(start, start + MINUTE)) figures.bothSides++;
  }
  for (const edge of overrideEdges(schedule, ledger)) {
    if (edge < from || edge > to) continue;
    figures.overrideEdges++;
    if (isTold(edge - MINUTE, edge) && isTold(edge, edge + MINUTE)) figures.toldOverrideEdges++;
  }
  const clock = clockOf(schedule.timezone);
  for (let at = from; at < to; at += HOUR) {
    if (clock(at + HOUR) - clock(at) === HOUR) continue;
    figures.clockChanges++;
    if (isTold(at - 3 * HOUR, at + 3 * HOUR)) figures.toldClockChanges++;
  }
}

function overrideEdges({ name, overrides }: SimSchedule, { requests }: Pick<Ledger, "requests">): number[] {
  const created = requests.flatMap(({ request, accepted }) =>
    accepted && request.kind === "create override" && request.schedule === name ? [request.override] : [],
  );
  return [...new Set([...overrides, ...created].flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]))];
}

/** When somebody else, or nobody, is on call. */
function startsOfTurns(
  schedule: SimSchedule,
  { rosters, ledger }: Pick<Context, "rosters" | "ledger">,
): number[] {
  const { scenario, requests } = ledger;
  const starts = [scenario.from];
  let person = rosters.personAt(schedule.name, scenario.from);
  for (const at of momentsOf(schedule, { rosters, requests, span: scenario })) {
    const next = rosters.personAt(schedule.name, at);
    if (next !== person) starts.push(at);
    person = next;
  }
  return starts;
}

/** The moments at which it may change who is on call, by time: quarters of an hour, minutes of overrides, and after a request. */
export function momentsOf(
  schedule: SimSchedule,
  {
    rosters,
    requests,
    span: { from, to },
  }: { rosters: Rosters; requests: Ledger["requests"]; span: Stretch },
): number[] {
  const step = schedule.layers.every(({ startsAt }) => startsAt % (15 * MINUTE) === 0) ? 15 * MINUTE : MINUTE;
  const all = [...overrideEdges(schedule, { requests }), ...rosters.changes.map((at) => at + SECOND)];
  for (let at = Math.floor(from / step) * step + step; at < to; at += step) all.push(at);
  return [...new Set(all)].filter((at) => from < at && at < to).sort((a, b) => a - b);
}

/** The place of the first time that is not before another one. */
function firstFrom(times: readonly number[], from: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
