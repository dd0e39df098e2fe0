import type { Patience } from "../../ledger.ts";
import { runsOf } from "../../truth/cron-runs.ts";
import type { Stretch } from "../own-faults.ts";
import { type Known, remaining, united, widened } from "./stretches.ts";

const SECOND = 1000;
const DAY = 86_400_000;
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Neither: a channel without hours may be notified at all times. */
const NEVER: Known = { surely: [], possibly: [] };

/**
 * When the hours of a channel are not open. A window is from a run at its start until the first run at its end: of a local time that occurs
 * twice the first one counts, and one that does not occur is at the end of the gap.
 */
export function closedHours({ hours }: Pick<Patience, "hours">, { from, to }: Stretch): Known {
  if (!hours) return NEVER;
  const span = { from: from - 2 * DAY, to: to + 2 * DAY };
  const runs = (text: string, days: readonly number[]) => {
    const [hour, minute] = text.split(":").map(Number);
    const cron = `${minute} ${hour} * * ${days.join(",")}`;
    return runsOf({ cron, timezone: hours.timezone }, span.from, span.to)
      .filter(({ local }) => local !== "again")
      .map(({ at }) => at);
  };
  const open = hours.windows.flatMap(({ days, from, to }) => {
    const own = days.map((day) => DAYS.indexOf(day));
    const isNextDay = to <= from || to === "24:00";
    const ends = runs(to === "24:00" ? "00:00" : to, isNextDay ? own.map((day) => (day + 1) % 7) : own);
    return runs(from, own).flatMap((start): Stretch[] => {
      const end = ends.find((at) => at >= start);
      return end === undefined ? [] : [{ from: start, to: end }];
    });
  });
  const closed = remaining([{ from: from - DAY, to: to + DAY }], united(open));
  return {
    surely: closed.map(({ from, to }) => ({ from, to: to - 1 })).filter(({ from, to }) => from < to),
    possibly: widened(closed, 2 * SECOND),
  };
}
