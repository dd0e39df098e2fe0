import type { ReplayedPast, ReplayedRange } from "../../src/domain/replay/history.ts";
import type { ReplayOutcome } from "../../src/domain/replay/outcome.ts";
import { replayFromScratch, replaySteps } from "../../src/domain/replay/replay.ts";
import type { Ledger, Scenario, Violation } from "./ledger.ts";
import { judgeComputed, judgeTried, judgeUnchanged, type TriedFigure } from "./oracle/replay/judge-replay.ts";
import { type Happened, happenedUntil, recordedOf } from "./oracle/replay/recorded.ts";
import { comparable, drawTrial, type Trial, tried } from "./truth/trial.ts";
import type { SimulatedEngine } from "./world/database.ts";
import { type Simulated, simulate } from "./world/simulate.ts";

/** A clock may be wrong by so much; milliseconds. */
const WRONG_BY = 2 * 86_400_000;

/**
 * The replays of a seed.
 *
 * @property recorded outages and notifications that replays without changes were compared with
 * @property trials the replay with changes, by its fields; none if the settings of no run can be compared
 */
export interface ReplayFigures {
  recorded: number;
  trials: { fields: string[]; figures: TriedFigure[]; isExact: boolean }[];
}

export interface ReplayedSeed extends Simulated {
  violations: Violation[];
  replay: ReplayFigures;
}

/**
 * Replays a run without changes, and compares the outcome with the records; then with changes, and compares it with a second run of the
 * same scenario with the changed settings.
 *
 * @param isComputed whether a replay that takes nothing over from the records must have the same outages and notifications, too
 */
export async function replaySeed(
  scenario: Scenario,
  { engine, isComputed }: { engine: SimulatedEngine; isComputed: boolean },
): Promise<ReplayedSeed> {
  const base = comparable(scenario);
  const trial = drawTrial(base);
  const all = scenario.monitors.map(({ name }) => name);
  const by = isClockWrong(scenario) ? WRONG_BY : 0;
  const range = { from: scenario.from - by, to: scenario.to + by };
  const first = await runAndLoad(scenario, engine, { monitors: all, changes: {}, range });
  const second = await runAndLoad(base, engine, { ...trial, range: base });
  const { ledger } = await simulate(tried(base, trial), { engine });
  const { monitors } = trial;
  const outcome = finished(replaySteps(second.past, trial.changes));
  const fields = Object.keys(trial.changes);
  const about = `${fields.join(", ")} of ${monitors.join(", ")}`;
  const truth = happenedUntil(recordedOf(ledger, { monitors, range: base }), base.to);
  const { figures, violations } = judgeTried(outcome, truth, { range: base, about });
  const recorded = [first, second].reduce(
    (sum, { happened }) => sum + happened.outages.length + happened.notifications.length,
    0,
  );
  return {
    ...first.run,
    violations: [
      ...[first, second].flatMap(judgeExact),
      ...(isComputed ? [first, second].flatMap(differencesOf) : []),
      ...violations,
    ],
    replay: { recorded, trials: [{ fields, figures, isExact: outcome.exact }] },
  };
}

/** A run, its past as the store loads it, and the outages and notifications of some of its monitors. */
interface Loaded {
  run: Simulated;
  past: ReplayedPast;
  happened: Happened;
}

/** @param trial changes that the past must have enough results for */
async function runAndLoad(
  scenario: Scenario,
  engine: SimulatedEngine,
  { monitors, changes, range: { from, to } }: Trial & { range: ReplayedRange },
): Promise<Loaded> {
  const range = { from, to };
  const loaded: ReplayedPast[] = [];
  const run = await simulate(scenario, {
    engine,
    async readMore({ ledger: { monitorIds }, store, organizationId }) {
      const ids = monitors.flatMap((name) => monitorIds.get(name) ?? []);
      const { warnDays } = changes;
      loaded.push(
        await store.replays.load(organizationId, {
          selector: { monitorIds: ids },
          range,
          ...(warnDays !== undefined && { warnDays }),
        }),
      );
    },
  });
  const [past] = loaded;
  if (!past) throw new Error("the past was not loaded");
  const known = monitors.filter((name) => run.ledger.monitorIds.has(name));
  const happened = happenedUntil(recordedOf(run.ledger, { monitors: known, range }), to);
  return { run, past: pastUntil(past, to), happened };
}

/** Without the work of the last stop of the server, after the end of the range. */
function pastUntil(past: ReplayedPast, to: number): ReplayedPast {
  const monitors = [...past.monitors].map(([id, { notifications, ...monitor }]) => {
    const sent = notifications.map((one) => ((one.sentAt ?? 0) < to ? one : { ...one, sentAt: null }));
    return [id, { ...monitor, notifications: sent }] as const;
  });
  return { ...past, monitors: new Map(monitors) };
}

function judgeExact({ past, happened }: Loaded): Violation[] {
  return judgeUnchanged(finished(replaySteps(past, {})), happened, past.range);
}

/** Each difference of a replay that takes nothing over from the records. */
function differencesOf({ run: { ledger }, past, happened }: Loaded): Violation[] {
  const { scenario } = ledger;
  // Results that were deleted, or whose times are not in their order, can't be computed again.
  if (scenario.retentionDays !== undefined || isClockWrong(scenario)) return [];
  const gone = dependentsOfDeleted(scenario);
  return judgeComputed(computedOf(past, ledger), happened).filter(({ monitor = "" }) => !gone.has(monitor));
}

/** The monitors that depend on a deleted one, directly or not: its results are deleted too. */
function dependentsOfDeleted({ monitors, requests = [] }: Scenario): Set<string> {
  const found = new Set(requests.flatMap((one) => (one.kind === "delete" ? [one.monitor] : [])));
  const edges = [
    ...monitors.map(({ name, dependsOn = [] }) => ({ name, on: dependsOn })),
    ...requests.flatMap((one) => (one.kind === "depend" ? [{ name: one.monitor, on: one.on }] : [])),
  ];
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const { name, on } of edges) if (on.some((parent) => found.has(parent))) found.add(name);
  }
  return found;
}

function computedOf(past: ReplayedPast, { channelIds }: Ledger): Happened {
  const channels = new Map([...channelIds].map(([name, id]) => [id, name]));
  const selected = [...past.monitors.values()].filter(({ isSelected }) => isSelected);
  const courses = replayFromScratch(past);
  const computed = selected.map(({ id, name }) => ({ monitor: name, ...courses.get(id) }));
  const outages = computed.flatMap(({ monitor, outages: own = [] }) =>
    own.map((outage) => ({ ...outage, monitor })),
  );
  // Recoveries after a pause are about none of them.
  const sent = [...outages, ...computed.map(({ monitor, loose: messages = [] }) => ({ monitor, messages }))];
  return {
    outages: outages.map(({ monitor, startedAt, endedAt, status }) => ({
      monitor,
      startedAt,
      endedAt,
      status,
    })),
    notifications: sent.flatMap(({ monitor, messages }) =>
      messages.map(({ channelId, at, status, isReminder }) => {
        return { monitor, channel: channels.get(channelId) ?? channelId, status, at, by: at, isReminder };
      }),
    ),
  };
}

function isClockWrong({ faults }: Scenario): boolean {
  return faults.some(({ kind }) => kind === "clock-step");
}

function finished(steps: Generator<void, ReplayOutcome>): ReplayOutcome {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
