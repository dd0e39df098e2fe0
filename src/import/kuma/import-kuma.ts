import { createRefNames } from "../../domain/configuration/ref-names.ts";
import type { Imported } from "../imported.ts";
import { named } from "../left.ts";
import { createReport, type Report } from "../report.ts";
import { createSecrets, type Secrets } from "../secrets.ts";
import { literals, writeMonitorConfig } from "../written-config.ts";
import { certificateMonitors } from "./certificates.ts";
import { type Channels, channelsFrom } from "./channels.ts";
import { flagOf, idOf, type KumaData, numberOf, textOf } from "./data.ts";
import { createGroups, type Groups } from "./groups.ts";
import { historyFrom } from "./history.ts";
import { maintenancesFrom } from "./maintenances.ts";
import { monitorFrom, type TakenMonitor } from "./monitors.ts";
import { pagesFrom } from "./pages.ts";
import { createTags } from "./tags.ts";

type Entry = Record<string, unknown>;

/**
 * The configuration document for an Uptime Kuma, and what has no place in it (behavior 16.94 to 16.102).
 *
 * @param now milliseconds since 1970
 */
export function importKuma(
  data: KumaData,
  { withSecrets, now }: { withSecrets: boolean; now: number },
): Imported {
  const report = createReport();
  const secrets = createSecrets(withSecrets);
  const groups = createGroups(data.monitors);
  const channels = channelsFrom(data, { refOf: createRefNames("channel"), secrets, report });
  const refOf = createRefNames("monitor");
  const tagsOf = createTags(data, { groups, report });
  const monitors = inOrder(data.monitors).flatMap(
    (row) => monitorFrom(row, { refOf, groups, tagsOf, report }) ?? [],
  );
  const monitorRefs = new Map(monitors.map(({ row, ref }) => [idOf(row) ?? Number.NaN, ref]));
  const written = writeMonitors(monitors, { channels, secrets, data, refOf });
  const maintenances = maintenancesFrom(data, {
    ...{ refOf: createRefNames("maintenance"), monitorRefs, groups, report, now },
  });
  const pages = pagesFrom(data, { refOf: createRefNames("page"), monitorRefs, report });
  const history = historyFrom(data, { monitors, now });
  reportOthers(data, { channels, groups, monitors, report });
  const sections = { channels: channels.entries, monitors: written, maintenances, pages, history };
  return {
    document: wellFormed(
      Object.fromEntries(Object.entries(sections).filter(([, entries]) => Object.keys(entries).length > 0)),
    ),
    left: report.left(),
    notes: report.notes(),
    secrets: secrets.variables(),
  };
}

/** Without halves of characters, which a text of UTF-8 cannot have. */
function wellFormed<T>(value: T): T;
function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name.toWellFormed(), wellFormed(field)]),
  );
}

/** As the page of Uptime Kuma lists them: the heaviest first, then by name. */
function inOrder(rows: KumaData["monitors"]): KumaData["monitors"] {
  const weight = (row: Entry) => numberOf(row, "weight") ?? 0;
  const name = (row: Entry) => textOf(row, "name");
  return rows.toSorted(
    (a, b) => weight(b) - weight(a) || (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0),
  );
}

interface Written {
  channels: Channels;
  secrets: Secrets;
  data: KumaData;
  refOf: (name: string) => string;
}

function writeMonitors(monitors: readonly TakenMonitor[], { channels, secrets, data, refOf }: Written) {
  const certificates = new Map(
    certificateMonitors(monitors, { settings: data.settings, refOf }).map((one) => [one.beside[0]?.ref, one]),
  );
  const entries: Record<string, Entry> = {};
  for (const monitor of monitors) {
    entries[monitor.ref] = entryOf(monitor, { refs: channels.refsOf(monitor.row), secrets });
    const certificate = certificates.get(monitor.ref);
    if (!certificate) continue;
    const refs = [...new Set(certificate.beside.flatMap(({ row }) => channels.refsOf(row)))];
    entries[certificate.monitor.ref] = entryOf(certificate.monitor, { refs, secrets });
  }
  return entries;
}

const LONGEST_NAME = 200;

/** The channels are always named, because a monitor without this field gets the default ones of the organization. */
function entryOf(
  { ref, name, type, config, enabled, tags, confirmations, every }: TakenMonitor,
  { refs, secrets }: { refs: string[]; secrets: Secrets },
): Entry {
  const shown = [...name].slice(0, LONGEST_NAME).join("");
  return {
    ...(shown !== ref && { name: literals(shown) }),
    type,
    config: writeMonitorConfig(config, { type, ref, secrets }),
    ...(!enabled && { enabled }),
    ...(confirmations > 0 && { confirmations }),
    ...(tags.length > 0 && { tags }),
    ...(every > 0 && refs.length > 0
      ? { alertBindings: refs.map((alertChannelId) => ({ alertChannelId, every })) }
      : { alertChannelIds: refs }),
  };
}

/** What the tables have that a document has no place for. */
const OTHERS: Record<string, string> = {
  proxy: "proxies are not supported",
  docker_host: "there are no monitors of Docker containers",
  remote_browser: "there are no monitors by a browser",
  api_key: "create keys by stillup keys create",
  user: "stillup has keys with roles instead of users: see stillup keys create",
  incident: "write incidents in the web page of stillup",
};

function reportOthers(
  { monitors: rows, notifications, others, cut }: KumaData,
  {
    channels,
    groups,
    monitors,
    report,
  }: { channels: Channels; groups: Groups; monitors: readonly TakenMonitor[]; report: Report },
): void {
  for (const row of rows) {
    const tag = groups.tagOf(idOf(row) ?? Number.NaN);
    if (tag === undefined) continue;
    report.note(`${named("group", textOf(row, "name"))} is the tag ${tag} of its monitors`);
    if (channels.refsOf(row).length > 0)
      report.leave(named("group", textOf(row, "name"), "notifications"), "a tag has no status of its own");
  }
  for (const row of notifications.filter((one) => flagOf(one, "is_default")))
    report.leave(
      named("notification", textOf(row, "name"), "default for new monitors"),
      "the settings of stillup choose them",
    );
  for (const [table, why] of Object.entries(OTHERS)) {
    const count = others[table] ?? 0;
    if (count > 0) report.leave(`${count} in the table ${table}`, why);
  }
  for (const table of cut)
    report.leave(`the table ${table}`, "it has too many rows: only the first ones were read");
  if (monitors.some(({ type }) => type === "SCHEDULED"))
    report.note("the jobs of push monitors keep their tokens: only the address before /api/push/ changes");
  if (monitors.some(({ confirmations }) => confirmations > 0))
    report.note("retries are confirmations: stillup repeats a failed check after 20 s at most");
}
