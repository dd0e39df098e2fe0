import { rangeStart } from "../domain/history.ts";
import { dayOf, hourOf } from "../domain/rollup.ts";
import type { Tally } from "../domain/tally.ts";
import type { Database } from "./open.ts";
import { oncePerDatabase } from "./prepared.ts";
import { listTallies } from "./rollups.ts";

const DAY = 24 * 60 * 60 * 1000;

/**
 * The tallies of the trailing 90 days of the monitors of an organization. They begin within a day, whose later hours are
 * counted one by one (decisions 4). What lies before yesterday no longer changes, and is read once an hour.
 *
 * @returns those of a monitor, by its inner number
 */
export function countNinetyDays(
  db: Database,
  organizationPk: number,
  now: number,
): (monitorPk: number) => Tally[] {
  const yesterday = dayOf(now) - DAY;
  const settled = readSettled(db, organizationPk, {
    since: hourOf(rangeStart("90d", now)),
    until: yesterday,
  });
  const latest = listTallies(db, "daily", organizationPk, { since: yesterday });
  return (pk) => [...(settled.get(pk) ?? []), ...(latest.get(pk) ?? [])];
}

type Settled = Map<number, Tally[]>;

/** By organization; and the hour for which they hold. */
const kept = oncePerDatabase(() => new Map<number, { since: number; settled: Settled }>());

function readSettled(
  db: Database,
  organizationPk: number,
  { since, until }: { since: number; until: number },
): Settled {
  const known = kept(db).get(organizationPk);
  if (known?.since === since) return known.settled;
  const nextDay = dayOf(since) + DAY;
  const settled = listTallies(db, "hourly", organizationPk, { since, until: nextDay });
  for (const [pk, days] of listTallies(db, "daily", organizationPk, { since: nextDay, until })) {
    settled.set(pk, [sum([...(settled.get(pk) ?? []), ...days])]);
  }
  kept(db).set(organizationPk, { since, settled });
  return settled;
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
