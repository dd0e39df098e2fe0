import type { Ledger, Violation } from "../../ledger.ts";
import { seenBy } from "../confirmation.ts";
import { doneBy, type OwnFaults, type Stretch, touches } from "../own-faults.ts";
import type { MonitorSituation, Situation } from "./situation.ts";
import { has } from "./stretches.ts";
import { unitedWaits } from "./told.ts";
import type { Run } from "./windows.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** How long a notification of a window may take; milliseconds. */
const NOTICED = 20 * SECOND;

/** Each result in a window says so, and no other one. */
export function judgeMarks(
  { monitor, inWindow }: MonitorSituation,
  { ledger, disturbed }: Situation,
): Violation[] {
  return ledger.results
    .filter((result) => result.monitor === monitor.name)
    .flatMap(({ createdAtWall: at, detail, status }): Violation[] => {
      const isMarked = detail?.maintenance !== undefined;
      const [must, may] = [has(inWindow.surely, at), has(inWindow.possibly, at)];
      if ((isMarked ? may : !must) || touches(disturbed, { from: at, to: at })) return [];
      const text = `a result with status ${status} ${isMarked ? "has" : "lacks"} detail.maintenance`;
      return [{ rule: "results in a window say so", at, monitor: monitor.name, text }];
    });
}

/** The first run that a job missed in a window is not held against it: its deadline is one window after the end. */
export function judgeMisses({ monitor, inWindow }: MonitorSituation, { ledger }: Situation): Violation[] {
  if (monitor.type !== "SCHEDULED") return [];
  const { period = 0, grace = 0 } = monitor.config as { period?: number; grace?: number };
  const rhythm = (period + grace) * SECOND;
  const own = ledger.results.filter((result) => result.monitor === monitor.name);
  return own.flatMap((result, place): Violation[] => {
    if (seenBy(result) !== "havent_heard") return [];
    const at = result.createdAtWall;
    const last = own.slice(0, place).findLast((one) => seenBy(one) !== "havent_heard");
    const expected = (last?.createdAtWall ?? at) + period * SECOND;
    const window = inWindow.surely.find(({ from, to }) =>
      [expected, expected + grace * SECOND].some((moment) => from <= moment && moment < to - 2 * SECOND),
    );
    const isEarly = window !== undefined && at < window.to + rhythm - 2 * SECOND;
    const container = isEarly ? window : inWindow.surely.find(({ from, to }) => from <= at && at < to);
    if (!container) return [];
    // Behavior 14.38: an earlier maintenance may have excused this silence.
    const since = last?.createdAtWall ?? at;
    if (inWindow.possibly.some(({ to }) => since < to && to < container.from)) return [];
    return [
      {
        rule: "no run is missed in a window",
        at,
        monitor: monitor.name,
        text: "a missed run in or after a window",
      },
    ];
  });
}

/** The channels of a maintenance are notified of each window once, at its start and at its end. */
export function judgeNotices({ ledger, runs, disturbed }: Situation, faults: OwnFaults): Violation[] {
  const { scenario } = ledger;
  const byKey = Map.groupBy(ledger.notices, ({ channel, maintenance }) => `${channel} ${maintenance}`);
  return scenario.channels.flatMap((channel) => {
    const names = new Set(runs.map(({ maintenance }) => maintenance.name));
    const attempts = ledger.attempts.filter((attempt) => attempt.channel === channel.name);
    const waits = unitedWaits([...Map.groupBy(attempts, ({ id }) => id).values()], disturbed);
    return [...names].flatMap((name) => {
      const own = runs.filter(
        (run) =>
          run.maintenance.name === name &&
          run.maintenance.notifies.includes(channel.name) &&
          // Behavior 14.45.
          !faults.absent.some(({ from, to }) => from <= run.from && run.to <= to),
      );
      const notices = Map.groupBy(byKey.get(`${channel.name} ${name}`) ?? [], ({ id }) => id);
      const sent = [...notices.values()].flatMap(([first]) => (first ? [first] : []));
      return judgeOneMaintenance(own, sent, waits).map((found) => ({ ...found, channel: channel.name }));
    });
  });

  function judgeOneMaintenance(
    own: readonly Run[],
    sent: Ledger["notices"],
    waits: readonly Stretch[],
  ): Violation[] {
    const expected = own.flatMap(({ from, to }) => [
      { type: "maintenance.started", at: from },
      { type: "maintenance.ended", at: to },
    ]);
    const left = [...sent];
    const violations: Violation[] = [];
    for (const { type, at } of expected) {
      const latest = doneBy(at, NOTICED, waits);
      if (at < scenario.from || latest > scenario.to - MINUTE) continue;
      const found = left.findIndex((one) => one.type === type && at - 3 * SECOND <= one.startedAt);
      const [notice] = found === -1 ? [] : left.splice(found, 1);
      if (!notice) violations.push({ rule: "a window is notified", at, text: `no ${type}` });
      else if (notice.startedAt > latest && !touches(faults.storage, { from: at, to: notice.startedAt }))
        violations.push({
          rule: "a window is notified in time",
          at,
          text: `${type} ${notice.startedAt - at} ms late`,
        });
    }
    const surplus = left.filter(
      ({ startedAt }) =>
        startedAt < scenario.to - MINUTE && !expected.some(({ at }) => Math.abs(at - startedAt) < 2 * MINUTE),
    );
    for (const { type, startedAt: at } of surplus)
      violations.push({ rule: "only a window is notified, and once", at, text: `an unexpected ${type}` });
    return violations;
  }
}
