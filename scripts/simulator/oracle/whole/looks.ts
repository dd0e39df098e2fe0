import { groupOf, type Status } from "../../../../src/domain/monitors/status.ts";
import type { ComponentStatus } from "../../../../src/domain/pages/component-status.ts";
import type { Look, Violation } from "../../ledger.ts";
import { extended, type Stretch, touches, without } from "../own-faults.ts";
import type { Seen } from "./target-sight.ts";
import { found, type Subject, type Whole } from "./whole.ts";

const SECOND = 1000;

/** How old what a page shows may be (behavior 15.29); milliseconds. */
const PAGE_AGE = 2 * SECOND;

/** The groups of a monitor that each status of its component means. `under_maintenance` means none. */
const SAYS: Partial<Record<ComponentStatus, readonly Seen[]>> = {
  operational: ["healthy", "unknown"],
  degraded_performance: ["warning"],
  major_outage: ["down"],
};

/** Whoever looks sees what the truth allows: in the list of monitors, and on the public page. */
export function judgeLooks({ ledger, subjects, disturbed }: Whole): Violation[] {
  return ledger.looks.flatMap((look) =>
    [...subjects.values()].flatMap((subject): Violation[] => {
      // A deletion may be under way.
      if (look.to >= subject.until - SECOND) return [];
      return [
        ...judgeStatus(subject, look),
        ...judgeComponent(subject, look, disturbed),
        ...judgeShownOutages(subject, look, disturbed),
      ];
    }),
  );
}

function judgeStatus({ monitor, sight }: Subject, { statuses, from, to }: Look): Violation[] {
  const status = statuses.get(monitor.name);
  if (status === undefined) return [found("each monitor is listed", from, { monitor, text: "it is not" })];
  if (touches(sight.may[seenAs(status)], { from, to })) return [];
  return [found("a status is what the truth says", from, { monitor, text: `it is ${status}` })];
}

function seenAs(status: Status): Seen {
  return status === "unknown" ? "unknown" : groupOf[status];
}

function judgeComponent(
  { monitor, sight, inWindow, pauses }: Subject,
  { components, from, to }: Look,
  disturbed: readonly Stretch[],
): Violation[] {
  const status = components.get(monitor.name);
  const read = { from: from - PAGE_AGE, to };
  if (status === undefined)
    return [found("each component is on the page", from, { monitor, text: "it is not" })];
  const isPaused = touches(extended(pauses, PAGE_AGE), read);
  const mustBeMaintained =
    without(read, inWindow.surely).length === 0 && !isPaused && !touches(disturbed, read);
  const mayBe =
    status === "under_maintenance"
      ? touches(inWindow.possibly, read)
      : !mustBeMaintained &&
        ((status === "operational" && isPaused) ||
          (SAYS[status] ?? []).some((group) => touches(sight.may[group], read)));
  return mayBe ? [] : [found("a public page is true", from, { monitor, text: `its component is ${status}` })];
}

function judgeShownOutages(
  { monitor, sight, inWindow, pauses }: Subject,
  { outages, from, to }: Look,
  disturbed: readonly Stretch[],
): Violation[] {
  const read = { from: from - PAGE_AGE, to };
  const shown = outages.find((outage) => outage.monitor === monitor.name);
  if (shown) {
    const groups = shown.isDown ? (["down"] as const) : (["warning", "down"] as const);
    // A monitor that was down may be degraded now (behavior 15.26).
    const since = shown.isDown ? { from: shown.startedAtWall - PAGE_AGE, to } : read;
    const isBad = groups.some((group) => touches(sight.may[group], since));
    const isOver = !touches([...sight.may.warning, ...sight.may.down], read);
    if (isBad && !isOver) return [];
    const text = `it shows ${shown.isDown ? "an outage" : "trouble"} since ${new Date(shown.startedAtWall).toISOString()}`;
    return [found("a public page shows no outage that is over", from, { monitor, text })];
  }
  const down = sight.must("down").find((stretch) => stretch.from < read.from && to < stretch.to);
  if (!down || touches([...inWindow.possibly, ...pauses, ...disturbed], { from: down.from, to })) return [];
  return [found("a public page shows each outage", from, { monitor, text: "it shows none" })];
}
