import type { Violation } from "../../ledger.ts";
import { narrowed, remaining, united, widened } from "../calm/stretches.ts";
import type { Stretch } from "../own-faults.ts";
import { troublesOf } from "./situation.ts";
import { found, type Subject, type Whole } from "./whole.ts";

/** Commits take time; milliseconds. */
const MARGIN = 5000;

/** The history agrees with the truth: the outages of each monitor, and the figures of the monthly report. */
export function judgeHistory({ ledger, subjects, disturbed }: Whole): Violation[] {
  return [...subjects.values()].flatMap((subject) => {
    if (subject.until < subject.span.to) return [];
    const outages = ledger.outages
      .filter(({ monitor }) => monitor === subject.monitor.name)
      .map(({ startedAtWall, endedAtWall }) => ({ from: startedAtWall, to: endedAtWall ?? subject.span.to }));
    return [...judgeOutages(outages, subject, disturbed), ...judgeMonth(subject, { ledger, disturbed })];
  });
}

function judgeOutages(
  outages: readonly Stretch[],
  subject: Subject,
  disturbed: readonly Stretch[],
): Violation[] {
  const { monitor, sight } = subject;
  const healthy = narrowed(remaining(sight.must("healthy"), disturbed), MARGIN);
  const invented = outages.flatMap((outage) => {
    const [wrong] = healthy.filter(({ from, to }) => from < outage.to && outage.from < to);
    if (!wrong) return [];
    const text = `the outage ${textOf(outage)} lasts while its target is healthy, ${textOf(wrong)}`;
    return [
      found("an outage lasts as long as its trouble", Math.max(wrong.from, outage.from), { monitor, text }),
    ];
  });
  const down = narrowed(
    remaining(sight.must("down"), [...disturbed, ...widened(subject.pauses, MARGIN)]),
    MARGIN,
  );
  const missing = remaining(down, outages).filter(({ from, to }) => to - from > MARGIN);
  return [
    ...invented,
    ...missing.map((stretch) =>
      found("each outage is kept", stretch.from, { monitor, text: `none is, ${textOf(stretch)}` }),
    ),
  ];
}

/** The downtime of a report is at least what the truth demands, and at most what it allows. */
function judgeMonth(
  subject: Subject,
  { ledger, disturbed }: Pick<Whole, "ledger" | "disturbed">,
): Violation[] {
  const { monitor, sight, inWindow, isJob, pauses, span } = subject;
  const month = ledger.months.get(monitor.name);
  if (!month) return [found("each monitor is in the report", span.to, { monitor, text: "it is not" })];
  const bad = isJob ? troublesOf(subject) : united(sight.may.down);
  const surelyBad = isJob
    ? remaining([span], united([...sight.may.healthy, ...sight.may.unknown]))
    : sight.must("down");
  const most = lengthOf(remaining(bad, inWindow.surely)) + MARGIN;
  const against = [...inWindow.possibly, ...disturbed, ...widened(pauses, MARGIN)];
  const least = lengthOf(narrowed(remaining(surelyBad, against), MARGIN));
  if (month.downMs >= least && month.downMs <= most) return [];
  const text = `downMs is ${month.downMs}, but it is to be ${least} to ${most}`;
  return [found("the downtime of a report is true", span.to, { monitor, text })];
}

function lengthOf(stretches: readonly Stretch[]): number {
  return united(stretches).reduce((sum, { from, to }) => sum + to - from, 0);
}

function textOf({ from, to }: Stretch): string {
  return `from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
}
