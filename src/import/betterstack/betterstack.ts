import { createRefNames, literal } from "../../domain/configuration/placeholder.ts";
import { isSet, numberOf, omitUnknown } from "../api-answers.ts";
import { checkedImport } from "../checked.ts";
import {
  clamp,
  createReport,
  documentOf,
  type Imported,
  listOf,
  named,
  type Report,
  type ReportOmission,
  tagsOf,
  textOf,
} from "../imported.ts";
import { createSecrets } from "../output-config.ts";
import { createPages, type GivenPage } from "../pages.ts";
import { type Answers, type Entry, readAnswers } from "./answers.ts";
import { mapHeartbeat, mapMonitor } from "./monitors.ts";
import { createWindows, zoneOf } from "./windows.ts";

type Fields = Record<string, unknown>;

/** Why the values of a file are no answers with monitors or heartbeats; undefined if they are. */
export function faultOfAnswers(values: readonly unknown[]): string | undefined {
  const { monitor, heartbeat } = readAnswers(values, createReport());
  return monitor.length + heartbeat.length > 0 ? undefined : "it has no monitors and no heartbeats";
}

/**
 * Translates answers of the API of Better Stack Uptime (behavior 16.127, 16.129).
 *
 * @param values the JSON values of a file: answers, or lists of answers
 */
export function importBetterStack(
  values: readonly unknown[],
  { withSecrets }: { withSecrets: boolean },
): Imported {
  return checkedImport((withPlain) => translate(values, withPlain), { withSecrets });
}

/** A monitor that was taken over. @property group the ID of its group */
interface Taken {
  ref: string;
  group: string;
}

function translate(values: readonly unknown[], withSecrets: boolean): Imported {
  const report = createReport();
  const secrets = createSecrets(withSecrets);
  const answers = readAnswers(values, report);
  const windows = createWindows();
  const refOf = createRefNames("monitor");
  const monitors: Record<string, Fields> = {};

  function add(
    { attributes }: Entry,
    { kind, map }: { kind: "monitor" | "heartbeat"; map: typeof mapMonitor },
  ): Taken | undefined {
    const name =
      (textOf(attributes.pronounceable_name ?? attributes.name) ?? textOf(attributes.url))?.trim() ||
      "unnamed";
    const label = named(kind, name);
    const ref = refOf(name);
    const omit: ReportOmission = (part, why) => report.omit(`${label}, ${part}`, why);
    const mapped = map(attributes, { ref, secrets, omit });
    if ("refusal" in mapped) {
      report.lose(label, mapped.refusal, mapped.type);
      return undefined;
    }
    if (mapped.note !== undefined) report.note(`${label}: ${mapped.note}`);
    windows.add(attributes, ref, omit);
    const group = textOf(attributes[`${kind}_group_id`]) ?? "";
    const tags = tagsOf(groupTags(group, { groups: answers[`${kind}_group`], kind, omit }), {
      what: label,
      report,
    });
    monitors[ref] = {
      ...(name !== ref && { name: literal(name) }),
      ...{ type: mapped.type, config: mapped.config },
      ...((isPaused(attributes) || mapped.isPaused) && { enabled: false }),
      ...(tags.length > 0 && { tags }),
      ...(mapped.confirmations !== undefined && { confirmations: mapped.confirmations }),
      ...(mapped.recoveries !== undefined && { recoveries: mapped.recoveries }),
    };
    return { ref, group };
  }

  const taken = {
    monitor: takenOf(answers.monitor, (entry) => add(entry, { kind: "monitor", map: mapMonitor })),
    heartbeat: takenOf(answers.heartbeat, (entry) => add(entry, { kind: "heartbeat", map: mapHeartbeat })),
  };
  omitShared([...answers.monitor, ...answers.heartbeat], report);
  const document = documentOf({
    monitors,
    maintenances: windows.entries(),
    pages: pagesOf(answers, { taken, report }),
  });
  return {
    ...{ document, found: answers.monitor.length + answers.heartbeat.length, omitted: report.omitted() },
    ...{ notes: report.notes(), secrets: secrets.variables() },
  };
}

function takenOf(entries: readonly Entry[], add: (entry: Entry) => Taken | undefined): Map<string, Taken> {
  const all = entries.map((entry) => [entry.id, add(entry)] as const);
  return new Map(all.filter((one): one is [string, Taken] => one[1] !== undefined));
}

function isPaused({ paused, paused_at, status }: Fields): boolean {
  return paused === true || isSet(paused_at) || status === "paused";
}

function groupTags(
  group: string,
  { groups, kind, omit }: { groups: readonly Entry[]; kind: string; omit: ReportOmission },
): string[] {
  if (group === "") return [];
  const name = textOf(groups.find(({ id }) => id === group)?.attributes.name);
  if (name === undefined)
    omit(
      `${kind}_group_id`,
      "the file does not say the name of its group: add the answer with the groups to it",
    );
  return name === undefined ? [] : [`group:${name}`];
}

/** The fields that say whom Better Stack notifies of an incident, and how. */
const ALERTS = [
  "call",
  "sms",
  "email",
  "push",
  "critical_alert",
  "team_wait",
  "policy_id",
  "expiration_policy_id",
];

/** Reports once what all monitors have. */
function omitShared(entries: readonly Entry[], report: Report): void {
  const all = entries.map(({ attributes }) => attributes);
  const used = ALERTS.filter((field) => all.some((one) => isSet(one[field]) && one[field] !== false));
  if (used.length > 0)
    report.omit(
      `${used.join(", ")} of monitors`,
      "stillup notifies channels, and schedules of who is on call: create them. The monitors have your default channels",
    );
  const regions = [...new Set(all.flatMap(({ regions }) => listOf(regions)))].flatMap(
    (one) => textOf(one) ?? [],
  );
  if (regions.length > 0)
    report.omit(
      "regions of monitors",
      `stillup checks from its server, and from locations of your own, and not from ${regions.join(", ")}`,
    );
  if (all.some((one) => one.remember_cookies === false && one.follow_redirects !== false))
    report.omit("remember_cookies of monitors", "a check of stillup keeps cookies between its redirects");
  const domains = all
    .filter((one) => (numberOf(one.domain_expiration) ?? 0) > 0)
    .map(({ url }) => hostOf(url));
  if (domains.length > 0)
    report.omit(
      `domain_expiration of ${[...new Set(domains)].join(", ")}`,
      "create a TLS monitor with registration for each domain whose registry says when it ends",
    );
  if (all.some((one) => one.monitor_type === "dns"))
    report.note("DNS monitors compare answers: an answer that differs from the last 7 days is Changed");
  if (all.some((one) => textOf(one.monitor_type)?.startsWith("keyword")))
    report.note("monitors of a keyword accept every status, and upper and lower case of the keyword matter");
}

function hostOf(url: unknown): string {
  return URL.parse(textOf(url) ?? "")?.hostname ?? textOf(url) ?? "";
}

/* Status pages. */

/** By the field of a page: why it is not taken over. */
const PAGE_PARTS: Record<string, string> = {
  custom_domain: "--page-hosts of stillup serve sets it",
  company_url: "a page has no links here",
  contact_url: "a page has no links here",
  navigation_links: "a page has no links here",
  logo_url: "upload it in the web page of stillup",
  logo_remote_url: "upload it in the web page of stillup",
  dark_logo_url: "a page has one logo",
  dark_logo_remote_url: "a page has one logo",
  custom_css: "a page has the look of stillup",
  custom_javascript: "a page runs no script of others",
  google_analytics_id: "a page runs no script of others",
  announcement: "create an incident of the page in the web page of stillup",
};

const PAGE_FIELDS = new Set([
  ...Object.keys(PAGE_PARTS),
  ...["company_name", "subdomain", "timezone", "published", "password_enabled", "password", "require_sso"],
  ...["ip_allowlist", "history", "min_incident_length", "subscribable", "hide_from_search_engines"],
  ...["automatic_reports", "whitelabeled", "design", "theme", "layout", "status_page_group_id"],
  ...["announcement_embed_visible", "announcement_embed_link", "announcement_embed_css", "aggregate_state"],
  ...["created_at", "updated_at", "team_name"],
]);

const RESOURCE_FIELDS = new Set([
  ...["status_page_section_id", "status_page_id", "resource_id", "resource_type", "public_name", "position"],
  ...["fixed_position", "explanation", "history", "widget_type", "availability", "status", "status_history"],
  ...["mark_as_down_for", "mark_as_degraded_for"],
]);

type TakenByKind = Record<"monitor" | "heartbeat", ReadonlyMap<string, Taken>>;

function pagesOf(
  answers: Answers,
  { taken, report }: { taken: TakenByKind; report: Report },
): Record<string, Fields> {
  const pages = createPages(report);
  const isOnly = answers.status_page.length === 1;
  for (const { id, attributes } of answers.status_page) {
    const title = textOf(attributes.company_name)?.trim() ?? "";
    const omit: ReportOmission = (part, why) => report.omit(named("status page", title, part), why);
    const isPart = (entry: Entry) => entry.pageId === id || (entry.pageId === undefined && isOnly);
    const resources = sorted(answers.status_page_resource.filter(isPart), answers.status_page_section);
    const shown = resources.flatMap(({ attributes, section }) =>
      componentsOf(attributes, { section, taken, omit }),
    );
    const isTaken = pages.add({
      ...{ title, slug: textOf(attributes.subdomain) ?? "", description: "" },
      visibility: visibilityOf(attributes, omit),
      settings: settingsOf(attributes, omit),
      ...{ components: shown, shown: shown.length },
    });
    if (!isTaken) continue;
    for (const [part, why] of Object.entries(PAGE_PARTS)) if (isSet(attributes[part])) omit(part, why);
    omitUnknown(attributes, PAGE_FIELDS, omit);
    if (resources.length === 0)
      omit("resources", "the file does not say what the page shows: add the answer with its resources to it");
  }
  const known = new Set(answers.status_page.map(({ id }) => id));
  const lost = answers.status_page_resource.filter(({ pageId }) =>
    pageId === undefined ? !isOnly : !known.has(pageId),
  );
  if (lost.length > 0)
    report.omit(`${lost.length} resources of status pages`, "the file does not say which page they are on");
  return pages.entries();
}

/** The resources in the order of their sections, with the name of each section. */
function sorted(resources: readonly Entry[], sections: readonly Entry[]) {
  const byId = new Map(sections.map(({ id, attributes }) => [id, attributes]));
  return resources
    .map(({ attributes }) => {
      const section = byId.get(textOf(attributes.status_page_section_id) ?? "");
      const at = [numberOf(section?.position) ?? 0, numberOf(attributes.position) ?? 0] as const;
      return { attributes, section: textOf(section?.name) ?? "", at };
    })
    .sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1]);
}

/** A resource is a monitor or a heartbeat, or all of a group. */
function componentsOf(
  resource: Fields,
  { section, taken, omit }: { section: string; taken: TakenByKind; omit: ReportOmission },
): GivenPage["components"] {
  const name = textOf(resource.public_name)?.trim() ?? "";
  const id = textOf(resource.resource_id) ?? "";
  const type = textOf(resource.resource_type) ?? "";
  const [, kind, isGroup] = /^(Monitor|Heartbeat)(Group)?$/.exec(type) ?? [];
  const label = `resource ${JSON.stringify(name)}`;
  if (kind === undefined) {
    omit(label, `it is of the type ${type || "none"}: a page shows monitors`);
    return [];
  }
  const all = taken[kind === "Monitor" ? "monitor" : "heartbeat"];
  const found = isGroup ? [...all.values()].filter(({ group }) => group === id) : [all.get(id)];
  const refs = found.flatMap((one) => one?.ref ?? []);
  if (refs.length === 0) omit(label, "its monitor was not taken over");
  omitUnknown(resource, RESOURCE_FIELDS, (field, why) => omit(`${label}, ${field}`, why));
  if (isSet(resource.explanation)) omit(`${label}, explanation`, "a monitor has no text on a page");
  return refs.map((monitorId) => ({
    monitorId,
    ...(name !== "" && !isGroup && { name }),
    group: isGroup && name !== "" ? name : section,
  }));
}

/** A page that not everybody may read is for nobody. */
function visibilityOf(page: Fields, omit: ReportOmission): "public" | "off" {
  const unread = "nobody can read the page until you set its visibility";
  const isGuarded = page.password_enabled === true || page.require_sso === true || isSet(page.ip_allowlist);
  if (page.password_enabled === true) omit("password", `the answer does not say it: ${unread}`);
  if (page.require_sso === true)
    omit("require_sso", `a page has a password here, or everybody reads it: ${unread}`);
  if (isSet(page.ip_allowlist))
    omit("ip_allowlist", `a page has a password here, or everybody reads it: ${unread}`);
  return page.published === false || isGuarded ? "off" : "public";
}

const MIN_DAYS = 7;
const MAX_DAYS = 90;
const MAX_OUTAGE = 86_400;

function settingsOf({ history, min_incident_length, timezone }: Fields, omit: ReportOmission): Fields {
  const [days, seconds, name] = [numberOf(history), numberOf(min_incident_length), textOf(timezone)];
  const fitting = days === undefined ? MAX_DAYS : clamp(MIN_DAYS, Math.round(days), MAX_DAYS);
  if (days !== undefined && fitting !== days) omit("history", `it is ${days} days; it is ${fitting} here`);
  const outage = seconds === undefined ? undefined : clamp(0, Math.round(seconds), MAX_OUTAGE);
  if (outage !== seconds) omit("min_incident_length", `it is ${seconds} s; it is ${outage} s here`);
  const zone = name === undefined ? "UTC" : zoneOf(name);
  if (zone === undefined) omit("timezone", `it is unknown: ${name?.slice(0, 40)}`);
  return {
    ...(fitting !== MAX_DAYS && { days: fitting }),
    ...(outage !== undefined && { minOutage: outage }),
    ...(zone !== undefined && zone !== "UTC" && { timezone: zone }),
  };
}
