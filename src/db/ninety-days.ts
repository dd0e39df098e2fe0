import { rangeStart } from "../domain/range.ts";
import { dayOf, hourOf, type Stretch } from "../domain/rollup.ts";
import type { Tally } from "../domain/tally.ts";
import type { Database } from "./open.ts";
import { listTallies, listTalliesOf } from "./rollups.ts";
import { settled } from "./settled.ts";

const DAY = 24 * 60 * 60 * 1000;

/**
 * The tallies of the trailing 90 days of the monitors of an organization. They begin within a day, whose later hours are
 * counted one by one (decisions 4). What lies before yesterday is read once an hour.
 *
 * @returns those of a monitor, by its inner number
 */
export function countNinetyDays(
  db: Database,
  organizationPk: number,
  now: number,
): (monitorPk: number) => Tally[] {
  const yesterday = dayOf(now) - DAY;
  const since = hourOf(rangeStart("90d", now));
  const before = settled(db, `tallies ${organizationPk}`, { since, until: yesterday }, (stretch) =>
    readSettled(db, organizationPk, stretch),
  );
  const latest = listTallies(db, "daily", organizationPk, { since: yesterday });
  return (pk) => [...(before.get(pk) ?? []), ...(latest.get(pk) ?? [])];
}

/** The same of one monitor, read anew. */
export function countNinetyDaysOf(db: Database, monitorPk: number, now: number): Tally[] {
  const since = hourOf(rangeStart("90d", now));
  const nextDay = dayOf(since) + DAY;
  return [
    ...listTalliesOf(db, "hourly", monitorPk, { since, until: nextDay }),
    ...listTalliesOf(db, "daily", monitorPk, { since: nextDay }),
  ];
}

/** From the hour in which the 90 days begin. */
function readSettled(
  db: Database,
  organizationPk: number,
  { since, until }: Required<Stretch>,
): Map<number, Tally[]> {
  const nextDay = dayOf(since) + DAY;
  const tallies = listTallies(db, "hourly", organizationPk, { since, until: nextDay });
  for (const [pk, days] of listTallies(db, "daily", organizationPk, { since: nextDay, until })) {
    tallies.set(pk, [sum([...(tallies.get(pk) ?? []), ...days])]);
  }
  return tallies;
}

function sum(tallies: Tally[]): Tally {
  return tallies.reduce((one, other) => ({
    start: one.start,
    count0: one.count0 + other.count0,
    count1: one.count1 + other.count1,
    count2: one.count2 + other.count2,
    count3: one.count3 + other.count3,
  }));
}
