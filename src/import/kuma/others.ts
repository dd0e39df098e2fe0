import { named } from "../left.ts";
import type { Report } from "../report.ts";
import type { Channels } from "./channels.ts";
import { flagOf, idOf, type KumaData, textOf } from "./data.ts";
import type { Groups } from "./groups.ts";
import type { TakenMonitor } from "./monitors.ts";

/** What the tables have that a document has no place for. */
const OTHERS: Record<string, string> = {
  proxy: "proxies are not supported",
  docker_host: "there are no monitors of Docker containers",
  remote_browser: "there are no monitors by a browser",
  api_key: "create keys by stillup keys create",
  user: "stillup has keys with roles instead of users: see stillup keys create",
  incident: "write incidents in the web page of stillup",
};

/** Reports what is not in the document, and what to know about it. */
export function reportOthers(
  { monitors: rows, notifications, others }: KumaData,
  {
    channels,
    groups,
    monitors,
    report,
  }: { channels: Channels; groups: Groups; monitors: readonly TakenMonitor[]; report: Report },
): void {
  const tags = rows.flatMap((row) => groups.tagOf(idOf(row) ?? Number.NaN) ?? []);
  if (tags.length > 0) report.note(`groups are tags of their monitors: ${tags.join(", ")}`);
  for (const row of rows)
    if (groups.tagOf(idOf(row) ?? Number.NaN) !== undefined && channels.refsOf(row).length > 0)
      report.leave(named("group", textOf(row, "name"), "notifications"), "a tag has no status of its own");
  for (const row of notifications.filter((one) => flagOf(one, "is_default")))
    report.leave(
      named("notification", textOf(row, "name"), "default for new monitors"),
      "the settings of stillup choose them",
    );
  for (const [table, why] of Object.entries(OTHERS)) {
    const count = others[table] ?? 0;
    if (count > 0) report.leave(`${count} in the table ${table}`, why);
  }
  if (monitors.some(({ type }) => type === "SCHEDULED"))
    report.note("the jobs of push monitors keep their tokens: only the address before /api/push/ changes");
  if (monitors.some(({ confirmations }) => confirmations > 0))
    report.note("retries are confirmations: stillup repeats a failed check after 20 s at most");
}
