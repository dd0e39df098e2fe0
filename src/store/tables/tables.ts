import { accountTables, registrationTables, serviceTables } from "./accounts.ts";
import { alertingTables } from "./alerts.ts";
import { causeTables } from "./causes.ts";
import { maintenanceTables, reportTables, runTables } from "./maintenance.ts";
import { monitorTables } from "./monitors.ts";
import { onCallTables, scheduleTables } from "./on-call.ts";
import { pageMailTables, pageTables } from "./pages.ts";
import { peopleTables } from "./people.ts";
import { resultTables } from "./results.ts";
import type { Dialect } from "./sqlite-dialect.ts";

/**
 * All tables of an engine. `pk` is the number by which rows refer to each other; `id` is the opaque string that users see. Times are
 * milliseconds since 1970.
 *
 * On PostgreSQL, a claim says which node works on a row: `claim` is the fencing number, which grows with each claim, and decides
 * whether an outcome may be written. A claim ends at `claimed_until`. Numbers of nodes refer to the table `nodes`. The claims of
 * checks are in `check_claims`.
 */
export function tablesOf(dialect: Dialect) {
  const accounts = accountTables(dialect);
  const monitors = monitorTables(dialect, accounts);
  const results = resultTables(dialect);
  const pages = pageTables(dialect, { ...accounts, ...monitors });
  const people = peopleTables(dialect, accounts);
  const schedules = scheduleTables(dialect, accounts);
  const alerting = alertingTables(dialect, { ...accounts, ...monitors, ...schedules });
  return {
    ...accounts,
    ...monitors,
    ...people,
    ...results,
    ...causeTables(dialect, { ...accounts, ...results }),
    ...runTables(dialect),
    ...schedules,
    ...alerting,
    ...onCallTables(dialect, { ...people, ...alerting, ...schedules }),
    ...maintenanceTables(dialect, accounts),
    ...reportTables(dialect, accounts),
    ...pages,
    ...pageMailTables(dialect, pages),
    ...registrationTables(dialect),
    ...serviceTables(dialect),
  };
}

export type Tables = ReturnType<typeof tablesOf>;
