import { createRefNames, literal } from "../../domain/configuration/placeholder.ts";
import { isSet, omitUnknown } from "../api-answers.ts";
import { checkedImport } from "../checked.ts";
import {
  createReport,
  documentOf,
  type Imported,
  listOf,
  named,
  type Report,
  type ReportOmission,
  recordOf,
  tagsOf,
  textOf,
} from "../imported.ts";
import { createSecrets } from "../output-config.ts";
import { createPages } from "../pages.ts";
import { type Answers, type Entry, readAnswers } from "./answers.ts";
import { channelsOf } from "./channels.ts";
import { type GivenMonitor, omitUnread, readMonitor } from "./given.ts";
import { mapMonitor, omitShared } from "./monitors.ts";
import { maintenancesOf } from "./windows.ts";

interface Options {
  withSecrets: boolean;
  /** Milliseconds since 1970. */
  now: number;
}

/** Why the values of a file are no answers with monitors; undefined if they are. */
export function faultOfAnswers(values: readonly unknown[]): string | undefined {
  const { failure, entries } = readAnswers(values, createReport());
  if (failure !== undefined) return `one of its answers is a failure: ${failure.slice(0, 200)}`;
  return entries.monitor.length > 0 ? undefined : "it has no monitors";
}

/**
 * Translates answers of the API of UptimeRobot, version 2 or 3 (behavior 16.127, 16.128).
 *
 * @param values the JSON values of a file: answers, or lists of answers
 */
export function importUptimeRobot(values: readonly unknown[], { withSecrets, now }: Options): Imported {
  return checkedImport((withPlain) => translate(values, { withSecrets: withPlain, now }), { withSecrets });
}

function translate(values: readonly unknown[], { withSecrets, now }: Options): Imported {
  const report = createReport();
  const secrets = createSecrets(withSecrets);
  const answers = readAnswers(values, report);
  const given = answers.entries.monitor.map((entry) => ({ entry, monitor: readMonitor(entry) }));
  const contacts = withNested(answers, "contact", "alertContacts");
  const channels = channelsOf(contacts, { secrets, report });
  const groups = new Map(answers.entries.group.map(({ id, name }) => [textOf(id), textOf(name) ?? ""]));
  const refOf = createRefNames("monitor");
  const monitors: Record<string, Entry> = {};
  const taken = new Map<string, { ref: string; monitor: GivenMonitor }>();
  for (const { entry, monitor } of given) {
    const { id, name } = monitor;
    const label = named("monitor", name);
    const ref = refOf(name);
    const omit: ReportOmission = (part, why) => report.omit(`${label}, ${part}`, why);
    const mapped = mapMonitor(monitor, { ref, secrets, omit });
    if ("refusal" in mapped) {
      report.lose(label, mapped.refusal, mapped.type);
      continue;
    }
    omitUnread(entry, omit);
    if (mapped.note !== undefined) report.note(`${label}: ${mapped.note}`);
    const tags = tagsOf(groupsOf(monitor, { groups, omit }), { what: label, report });
    monitors[ref] = {
      ...(name !== ref && { name: literal(name) }),
      ...{ type: mapped.type, config: mapped.config },
      ...((monitor.isPaused || mapped.isPaused) && { enabled: false }),
      ...(tags.length > 0 && { tags }),
      ...channels.fieldsOf(monitor, omit),
      ...(mapped.confirmations !== undefined && { confirmations: mapped.confirmations }),
    };
    taken.set(id, { ref, monitor });
  }
  const all = given.map(({ monitor }) => monitor);
  omitShared(all, report.omit);
  noteMissing(answers, { monitors: all, contacts, report });
  const document = documentOf({
    channels: channels.entries,
    monitors,
    maintenances: maintenancesOf(withNested(answers, "window", "maintenanceWindows"), {
      monitorsOf: (id) =>
        [...taken.values()].filter(({ monitor }) => monitor.windowIds.includes(id)).map(({ ref }) => ref),
      refOfMonitor: (id) => taken.get(id)?.ref,
      ...{ timezone: answers.timezone, report, now },
    }),
    pages: pagesOf(withNested(answers, "page", "psps"), { taken, report }),
  });
  return {
    ...{ document, found: given.length, omitted: report.omitted() },
    ...{ notes: report.notes(), secrets: secrets.variables() },
  };
}

/** The entries of a kind, with those that only monitors have. */
function withNested({ entries }: Answers, kind: "contact" | "window" | "page", field: string): Entry[] {
  const all = new Map<string, Entry>();
  for (const one of entries.monitor.flatMap((monitor) => listOf(monitor[field]).map(recordOf)))
    all.set(textOf(one.id) ?? "", one);
  for (const one of entries[kind])
    all.set(textOf(one.id) ?? "", { ...all.get(textOf(one.id) ?? ""), ...one });
  return [...all.values()];
}

/** A group becomes a tag. */
function groupsOf(
  { tags, groupId }: GivenMonitor,
  { groups, omit }: { groups: ReadonlyMap<string | undefined, string>; omit: ReportOmission },
): string[] {
  const group = groups.get(groupId);
  if (group === undefined && groupId !== "" && groupId !== "0")
    omit("groupId", "the file does not say the name of its group: add the answer with the groups to it");
  return [...(group ? [`group:${group}`] : []), ...tags.map(({ name }) => name)];
}

function noteMissing(
  { hasVersion2 }: Answers,
  {
    monitors,
    contacts,
    report,
  }: { monitors: readonly GivenMonitor[]; contacts: readonly Entry[]; report: Report },
): void {
  if (contacts.length === 0 || monitors.every((monitor) => monitor.contacts === undefined))
    report.note("the file does not say whom monitors notify: they have your default channels");
  const isAbout = ({ type }: GivenMonitor) => type === "HTTP" || type === "KEYWORD";
  const asked = monitors.filter(isAbout);
  if (hasVersion2 && asked.some(({ checksTls, url }) => checksTls === undefined && /^https:/i.test(url)))
    report.note(
      "the file does not say whether errors of certificates count: they do. The answer has it with ssl=1",
    );
  if (hasVersion2 && asked.some(({ type }) => type === "KEYWORD"))
    report.note(
      "monitors of a keyword accept every status, because version 2 of the API has no codes for them",
    );
  if (hasVersion2 && asked.some(({ method, type }) => method === undefined && type === "HTTP"))
    report.note("the file does not say by which method: monitors send GET");
}

/** By the field of a page: why it is not taken over. */
const PAGE_PARTS: Record<string, string> = {
  customDomain: "--page-hosts of stillup serve sets it",
  homepageLink: "a page has no links here",
  gaCode: "a page runs no script of others",
  icon: "upload a logo in the web page of stillup",
  logo: "upload it in the web page of stillup",
  pinnedAnnouncementId: "create an incident of the page in the web page of stillup",
  customSettings: "set the look of the page in the web page of stillup",
};

const PAGE_FIELDS = new Set([
  ...Object.keys(PAGE_PARTS),
  ...["id", "friendlyName", "isPasswordSet", "mayHavePassword", "monitorIds", "tagIds", "monitorsCount"],
  ...["status", "urlKey", "shareAnalyticsConsent", "useSmallCookieConsentModal", "noIndex", "hideUrlLinks"],
  ...["subscription", "showCookieBar", "sort", "type"],
]);

function pagesOf(
  given: readonly Entry[],
  { taken, report }: { taken: ReadonlyMap<string, { ref: string; monitor: GivenMonitor }>; report: Report },
): Record<string, Entry> {
  const pages = createPages(report);
  const slugOf = createRefNames("status");
  for (const page of given) {
    const title = textOf(page.friendlyName)?.trim() ?? "";
    const omit: ReportOmission = (part, why) => report.omit(named("status page", title, part), why);
    const ids = listOf(page.monitorIds).flatMap((id) => textOf(id) ?? []);
    const tagIds = listOf(page.tagIds).flatMap((id) => textOf(id) ?? []);
    const isAll = ids.includes("0") || page.monitorIds === null;
    const shown = isAll
      ? [...taken.values()]
      : [
          ...ids.flatMap((id) => taken.get(id) ?? []),
          ...[...taken.values()].filter(({ monitor }) => monitor.tags.some(({ id }) => tagIds.includes(id))),
        ];
    const refs = [...new Set(shown.map(({ ref }) => ref))];
    const isTaken = pages.add({
      ...{ title, slug: slugOf(title).replaceAll(/[._]+/g, "-"), description: "" },
      visibility: visibilityOf(page, omit),
      components: refs.map((monitorId) => ({ monitorId })),
      shown: isAll ? refs.length : Math.max(ids.length, refs.length),
    });
    if (!isTaken) continue;
    for (const [part, why] of Object.entries(PAGE_PARTS)) if (isSet(page[part])) omit(part, why);
    omitUnknown(page, PAGE_FIELDS, omit);
  }
  return pages.entries();
}

/** A page with a password that the answer does not give is for nobody. */
function visibilityOf(page: Entry, omit: ReportOmission): "public" | "off" {
  const isPaused = /^paused$/i.test(textOf(page.status) ?? "");
  const unread = "nobody can read the page until you set its visibility";
  if (page.isPasswordSet === true) omit("password", `the answer does not say it: ${unread}`);
  else if (page.mayHavePassword === true && !isPaused)
    omit("password", `version 2 of the API does not say whether there is one: ${unread}`);
  return isPaused || page.isPasswordSet === true || page.mayHavePassword === true ? "off" : "public";
}
