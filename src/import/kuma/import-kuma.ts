import { createRefNames } from "../../domain/configuration/placeholder.ts";
import { createReport, documentOf, type Imported, named, type Report } from "../imported.ts";
import { createSecrets } from "../output-config.ts";
import { createPages } from "../pages.ts";
import { proxyOf } from "./access.ts";
import { type Channels, channelsFrom } from "./channels.ts";
import { flagOf, groupedBy, historyFrom, idOf, type KumaData, numberOf, type Row, textIn } from "./fields.ts";
import { maintenancesFrom } from "./maintenances.ts";
import { type MappedMonitor, monitorFrom } from "./monitors.ts";
import { writeMonitors } from "./output-monitors.ts";
import { createGroups, createTags, type Groups } from "./tags.ts";

/**
 * The configuration document for an Uptime Kuma, and the things that are not taken over (behavior 16.94 to 16.102).
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
  const tokens = new Set();
  const tagsOf = createTags(data, { groups, report });
  const monitors = inOrder(data.monitors).flatMap(
    (row) => monitorFrom(row, { refOf, groups, tagsOf, report, proxies: data.proxies, tokens }) ?? [],
  );
  const monitorRefs = new Map(monitors.map(({ row, ref }) => [idOf(row), ref]));
  const written = writeMonitors(monitors, { channels, secrets, data, refOf, report });
  const maintenances = maintenancesFrom(data, {
    ...{ refOf: createRefNames("maintenance"), monitorRefs, groups, report, now },
  });
  const pages = pagesFrom(data, { monitorRefs, report });
  const history = historyFrom(data, { monitors, now });
  reportOthers(data, { channels, groups, monitors, report });
  const sections = { channels: channels.entries, monitors: written, maintenances, pages, history };
  return {
    document: wellFormed(documentOf(sections)),
    found: data.monitors.filter((row) => groups.tagOf(idOf(row)) === undefined).length,
    omitted: report.omitted(),
    notes: report.notes(),
    secrets: secrets.variables(),
  };
}

/** Removes unpaired surrogates, which a text of UTF-8 cannot have. */
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
  const weight = (row: Row) => numberOf(row, "weight") ?? 0;
  const name = (row: Row) => textIn(row, "name");
  return rows.toSorted(
    (a, b) => weight(b) - weight(a) || (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0),
  );
}

/** By table: why its rows are not taken over. */
const OTHERS: Record<string, string> = {
  docker_host: "there are no monitors of Docker containers",
  remote_browser: "there are no monitors by a browser",
  api_key: "create keys by stillup keys create",
  user: "invite them by e-mail, or create keys: passwords are not taken over",
  incident: "write incidents in the web page of stillup",
};

/** Reports what is not in the document, and what to know about it. */
function reportOthers(
  { monitors: rows, notifications, proxies, others }: KumaData,
  {
    channels,
    groups,
    monitors,
    report,
  }: { channels: Channels; groups: Groups; monitors: readonly MappedMonitor[]; report: Report },
): void {
  const tags = rows.flatMap((row) => groups.tagOf(idOf(row)) ?? []);
  if (tags.length > 0) report.note(`groups are tags of their monitors: ${tags.join(", ")}`);
  for (const row of rows)
    if (groups.tagOf(idOf(row)) !== undefined && channels.refsOf(row).length > 0)
      report.omit(named("group", textIn(row, "name"), "notifications"), "a tag has no status of its own");
  for (const row of notifications.filter((one) => flagOf(one, "is_default")))
    report.omit(
      named("notification", textIn(row, "name"), "default for new monitors"),
      "the settings of stillup choose them",
    );
  const unused = proxies.filter((proxy) => !monitors.some(({ row }) => proxyOf(row, proxies) === proxy));
  if (unused.length > 0)
    report.omit(`${unused.length} in the table proxy`, "a monitor has its proxy, and none of these has it");
  for (const [table, why] of Object.entries(OTHERS)) {
    const count = others[table] ?? 0;
    if (count > 0) report.omit(`${count} in the table ${table}`, why);
  }
  if (monitors.some(({ type }) => type === "SCHEDULED"))
    report.note("the jobs of push monitors keep their tokens: only the address before /api/push/ changes");
  if (monitors.some(({ confirmations }) => confirmations > 0))
    report.note("retries are confirmations: stillup repeats a failed check after 20 s at most");
}

type Tables = Pick<KumaData, "pages" | "pageDomains" | "groups" | "monitorGroups">;

/**
 * The status pages by ref (behavior 16.101).
 *
 * @param monitorRefs the ref of a monitor that was taken over, by its ID in Uptime Kuma
 */
function pagesFrom(
  { pages, pageDomains, groups, monitorGroups }: Tables,
  { monitorRefs, report }: { monitorRefs: ReadonlyMap<number | undefined, string>; report: Report },
): Record<string, Record<string, unknown>> {
  const groupsOf = groupedBy(groups, "status_page_id");
  const shownIn = groupedBy(monitorGroups, "group_id");
  const domainsOf = groupedBy(pageDomains, "status_page_id");
  const written = createPages(report);
  for (const row of pages) {
    const id = idOf(row);
    const title = textIn(row, "title");
    const omit = (part: string, why: string) => report.omit(named("status page", title, part), why);
    const shown = (groupsOf.get(id) ?? []).toSorted(byWeight).flatMap((group) => {
      const rows = (shownIn.get(idOf(group)) ?? []).toSorted(byWeight);
      return rows.map((one) => ({
        ...{ group: textIn(group, "name"), ref: monitorRefs.get(idOf(one, "monitor_id")) },
        hasLink: flagOf(one, "send_url"),
      }));
    });
    const components = shown.flatMap(({ group, ref }) =>
      ref === undefined ? [] : { monitorId: ref, group },
    );
    const isTaken = written.add({
      ...{ title, slug: textIn(row, "slug"), description: textIn(row, "description") },
      visibility: flagOf(row, "published", true) ? "public" : "off",
      ...{ components, shown: shown.length },
    });
    if (!isTaken) continue;
    for (const [part, why] of omittedParts(row, domainsOf.get(id) ?? [])) omit(part, why);
    if (shown.some(({ hasLink }) => hasLink)) omit("links of monitors", "a page shows no targets");
  }
  return written.entries();
}

function byWeight(a: Row, b: Row): number {
  return (numberOf(a, "weight") ?? 0) - (numberOf(b, "weight") ?? 0);
}

function omittedParts(row: Row, domains: readonly Row[]): [string, string][] {
  const omitted: [string, string][] = [];
  if (!["", "/icon.svg"].includes(textIn(row, "icon")))
    omitted.push(["logo", "upload it in the web page of stillup"]);
  if (domains.length > 0) omitted.push(["domain names", "--page-hosts of stillup serve sets them"]);
  if (!flagOf(row, "search_engine_index", true))
    omitted.push(["search engines", "they can list a public page here: set a password to prevent it"]);
  if (textIn(row, "footer_text") !== "") omitted.push(["footer", "a page has none here"]);
  if (/\S/.test(textIn(row, "custom_css").replace(/^body\s*\{\s*\}$/, "")))
    omitted.push(["custom CSS", "a page has none here"]);
  if (textIn(row, "google_analytics_tag_id") !== "" || textIn(row, "analytics_id") !== "")
    omitted.push(["analytics", "a page has none here"]);
  return omitted;
}
