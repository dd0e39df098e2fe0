import { createRefNames, literal, placeholder } from "../../domain/configuration/placeholder.ts";
import { isCronExpression, nextRun } from "../../domain/heartbeats/cron.ts";
import { intervalOf } from "../check-fields.ts";
import { checkedImport } from "../checked.ts";
import {
  createReport,
  documentOf,
  type Imported,
  listOf,
  named,
  type Report,
  recordOf,
  tagsOf,
  textOf,
} from "../imported.ts";
import { createSecrets, type Environment } from "../output-config.ts";
import { createPages } from "../pages.ts";
import { mapSite } from "./sites.ts";

/**
 * Translates a `.upptimerc.yml` (behavior 16.123, 16.124).
 *
 * @param env variables that the file uses, as far as they are known
 */
export function importUpptime(
  value: unknown,
  { env, withSecrets }: { env: Environment; withSecrets: boolean },
): Imported {
  return checkedImport((withPlain) => translate(recordOf(value), { env, withSecrets: withPlain }), {
    ...{ withSecrets, env, product: "Upptime" },
  });
}

/** How many further checks confirm that a site is down. Upptime checks such a site twice more. */
const CONFIRMATIONS = 2;

function translate(
  file: Record<string, unknown>,
  { env, withSecrets }: { env: Environment; withSecrets: boolean },
): Imported {
  const report = createReport();
  const secrets = createSecrets(withSecrets);
  const known = Array.isArray(file.secrets)
    ? new Set(file.secrets.flatMap((name) => textOf(name) ?? []))
    : undefined;
  const interval = intervalIn(file, report);
  const channels = channelsOf({ known: known ?? new Set(), env, report });
  const channelIds = Object.keys(channels);
  const monitors: Record<string, Record<string, unknown>> = {};
  const refOf = createRefNames("monitor");
  const sites = listOf(file.sites).map(recordOf);
  for (const fields of sites) {
    const name = nameOf(fields);
    const label = named("site", name);
    const ref = refOf(textOf(fields.slug)?.trim() ?? name);
    const omit = (what: string, why: string) => report.omit(`${label}, ${what}`, why);
    const mapped = mapSite({ ref, fields, interval, env, known, secrets, omit, note: report.note });
    if ("refusal" in mapped) {
      report.lose(label, mapped.refusal, mapped.type);
      continue;
    }
    const tags = tagsOf(
      listOf(fields.tags).flatMap((tag) => textOf(tag) ?? []),
      { what: label, report },
    );
    monitors[ref] = {
      ...(name !== ref && { name: literal(name) }),
      ...mapped,
      ...(tags.length > 0 && { tags }),
      ...(channelIds.length > 0 && { alertChannelIds: channelIds }),
      ...(mapped.type !== "TLS" && { confirmations: CONFIRMATIONS }),
    };
  }
  const pages = pagesOf(file, { monitorRefs: Object.keys(monitors), shown: sites.length, report });
  omitOthers(file, sites, report);
  return {
    document: documentOf({ channels, monitors, pages }),
    ...{
      found: sites.length,
      omitted: report.omitted(),
      notes: report.notes(),
      secrets: secrets.variables(),
    },
  };
}

function nameOf({ name, url }: Record<string, unknown>): string {
  return textOf(name)?.trim() || textOf(url)?.trim() || "unnamed";
}

/* The schedule, which is one for all sites. */

const USUAL = "*/5 * * * *";
const MONDAY = Date.UTC(2026, 0, 5);
const WEEK = 7 * 86_400_000;
/** How many distances count: of a schedule with few runs in a week, and of a schedule with many. */
const FEWEST = 3;
const MOST = 30;
/** GitHub starts a workflow at most every 5 minutes. */
const SHORTEST = 300;

/** Seconds between two checks: the distance that is the most frequent one in the schedule. */
function intervalIn(file: Record<string, unknown>, report: Report): number {
  const given = textOf(recordOf(file.workflowSchedule).uptime)?.trim() ?? USUAL;
  const part = "workflowSchedule.uptime";
  if (!isCronExpression(given)) {
    report.omit(part, `it is no cron expression: a site is checked every ${SHORTEST} s here`);
    return SHORTEST;
  }
  const counts = [...Map.groupBy(distancesOf(given), (distance) => distance)].sort(
    ([a, ofA], [b, ofB]) => ofB.length - ofA.length || a - b,
  );
  const wanted = counts[0]?.[0] ?? SHORTEST;
  const interval = intervalOf(wanted, (_, why) => report.omit(part, why));
  if (counts.length > 1)
    report.omit(part, `${given} has different distances; stillup has one interval: it is ${interval} s here`);
  if (interval < SHORTEST)
    report.note(
      `sites are checked every ${interval} s, as the file says; GitHub starts a check every 300 s at most`,
    );
  return interval;
}

/** Seconds between the first runs of a week. */
function distancesOf(cron: string): number[] {
  const distances: number[] = [];
  const first = nextRun({ cron }, MONDAY - 1);
  const isEnough = (at: number) => distances.length >= (at < first + WEEK ? MOST : FEWEST);
  for (let at = first; !isEnough(at); ) {
    const next = nextRun({ cron }, at);
    distances.push((next - at) / 1000);
    at = next;
  }
  return distances;
}

/* The notifications, whose settings are secrets of the repository. */

type Write = (name: string) => string;

const PREFIX = "NOTIFICATION_";

/** By the name of the service: the secrets that it needs, and its channel. */
const SERVICES: Record<string, { needs: string[]; channel: (write: Write) => Record<string, unknown> }> = {
  slack: {
    needs: ["SLACK_WEBHOOK_URL"],
    channel: (write) => ({ type: "SLACK", config: { webhookUrl: write("SLACK_WEBHOOK_URL") } }),
  },
  discord: {
    needs: ["DISCORD_WEBHOOK_URL"],
    channel: (write) => ({ type: "DISCORD", config: { webhookUrl: write("DISCORD_WEBHOOK_URL") } }),
  },
  teams: {
    needs: ["TEAMS_WEBHOOK_URL"],
    channel: (write) => ({ type: "TEAMS", config: { webhookUrl: write("TEAMS_WEBHOOK_URL") } }),
  },
  email: {
    needs: ["EMAIL_TO"],
    channel: (write) => ({ type: "EMAIL", config: { to: write("EMAIL_TO") } }),
  },
  "google-chat": {
    needs: ["GOOGLE_CHAT_WEBHOOK_URL"],
    channel: (write) => service({ url: write("GOOGLE_CHAT_WEBHOOK_URL"), format: "googlechat" }),
  },
  telegram: {
    needs: ["TELEGRAM_BOT_KEY", "TELEGRAM_CHAT_ID"],
    channel: (write) =>
      service({
        ...{ url: "https://api.telegram.org", format: "telegram" },
        options: { token: write("TELEGRAM_BOT_KEY"), chatId: write("TELEGRAM_CHAT_ID") },
      }),
  },
  gotify: {
    needs: ["GOTIFY_URL", "GOTIFY_TOKEN"],
    channel: (write) =>
      service({ url: write("GOTIFY_URL"), format: "gotify", options: { token: write("GOTIFY_TOKEN") } }),
  },
  webhook: {
    needs: ["CUSTOM_WEBHOOK_URL"],
    channel: (write) =>
      service({
        ...{ url: write("CUSTOM_WEBHOOK_URL"), format: "custom" },
        options: { body: '{"data":{"message":"{{text}}"}}' },
      }),
  },
};

function service(config: Record<string, unknown>): Record<string, unknown> {
  return { type: "WEBHOOK", config };
}

/** By a secret that turns it on: the services that have no channel. */
const MISSING: Record<string, string> = {
  SMS_TO: "SMS",
  LARK: "Lark",
  MASTODON: "Mastodon",
  MISSKEY: "Misskey",
  ZULIP_MESSAGE_URL: "Zulip: create a channel with the address of the server and the name of the stream",
};

/** The channels of the secrets that the file lists, or that are set for the import (behavior 16.124). */
function channelsOf({
  known,
  env,
  report,
}: {
  known: ReadonlySet<string>;
  env: Environment;
  report: Report;
}): Record<string, Record<string, unknown>> {
  const has = (name: string) => known.has(PREFIX + name) || Boolean(env[PREFIX + name]);
  const services = Object.entries(SERVICES).filter(([, { needs }]) => needs.every(has));
  const missing = Object.entries(MISSING).filter(([name]) => has(name));
  for (const [name, what] of missing)
    report.omit(`notifications by ${PREFIX}${name}`, `stillup makes no channel of ${what}`);
  if (services.length === 0)
    report.note(
      "notifications of Upptime are secrets of its repository: the monitors have your default channels; with the NOTIFICATION_ variables set, the import writes channels",
    );
  return Object.fromEntries(
    services.map(([name, { channel }]) => [name, channel((secret) => placeholder(PREFIX + secret))]),
  );
}

/* The page. */

/** By the field of `status-website`: why it is not taken over. */
const PAGE_PARTS: Record<string, string> = {
  cname: "--page-hosts of stillup serve sets it",
  logoUrl: "upload it in the web page of stillup",
  favicon: "upload a logo in the web page of stillup",
  navbar: "a page has no links here",
};

/** Fields that only concern the repository, and those that are taken over. */
const PAGE_SETTINGS = [
  ...["name", "introTitle", "introMessage", "baseUrl", "publish", "singleCommit", "navbarGitHub"],
  ...["apiBaseUrl", "userContentBaseUrl", "userAgent"],
];

function pagesOf(
  file: Record<string, unknown>,
  { monitorRefs, shown, report }: { monitorRefs: string[]; shown: number; report: Report },
): Record<string, Record<string, unknown>> {
  const website = recordOf(file["status-website"]);
  if (Object.keys(website).length === 0 || file.skipGeneratingWebsite === true) return {};
  const text = (name: string) => (textOf(website[name]) ?? "").trim();
  const title = withRepository(text("name"), file) || textOf(file.repo) || "Status";
  const place = text("baseUrl").replaceAll("/", "") || (textOf(file.repo) ?? title);
  const intro = [text("introTitle"), text("introMessage")].filter(Boolean).join("\n\n");
  const pages = createPages(report);
  const isTaken = pages.add({
    ...{ title, slug: createRefNames("status")(place).replaceAll(/[._]+/g, "-") },
    ...{ description: withRepository(intro, file), visibility: website.publish === false ? "off" : "public" },
    ...{ components: monitorRefs.map((monitorId) => ({ monitorId })), shown },
  });
  for (const [name, part] of Object.entries(website)) {
    const isSet = part !== null && part !== "" && !(Array.isArray(part) && part.length === 0);
    if (!isTaken || !isSet || PAGE_SETTINGS.includes(name)) continue;
    report.omit(`status-website.${name}`, PAGE_PARTS[name] ?? "a page has none here");
  }
  return pages.entries();
}

function withRepository(text: string, { owner, repo }: Record<string, unknown>): string {
  return text.replaceAll("$OWNER", () => textOf(owner) ?? "").replaceAll("$REPO", () => textOf(repo) ?? "");
}

/* The rest. */

/** By the section of the file. */
const SECTIONS: Record<string, string> = {
  assignees: "stillup opens no issues: channels and schedules say who is notified",
  notifications: "Upptime takes their settings from the secrets of its repository",
  i18n: "a page speaks the language of its reader",
};

/** Sections that only concern the repository, and those that are taken over. */
const SETTINGS = [
  ...["owner", "repo", "user-agent", "sites", "PAT", "delay", "status-website", "workflowSchedule", "runner"],
  ...["commitMessages", "commitPrefixStatusUp", "commitPrefixStatusDown", "commitPrefixStatusDegraded"],
  ...["summaryStartHtmlComment", "summaryEndHtmlComment", "liveStatusHtmlComment", "secrets"],
  ...["customStatusWebsitePackage", "skipGeneratingWebsite", "skipDescriptionUpdate", "skipTopicsUpdate"],
  ...["skipHomepageUpdate", "skipDeleteIssues", "skipPoweredByReadme"],
];

function omitOthers(file: Record<string, unknown>, sites: Record<string, unknown>[], report: Report): void {
  for (const [name, section] of Object.entries(file)) {
    if (section === null || SETTINGS.includes(name)) continue;
    if (Array.isArray(section) && section.length === 0) continue;
    report.omit(name, SECTIONS[name] ?? "Upptime does not know this section");
  }
  const has = (name: string) => sites.some((site) => site[name] !== undefined && site[name] !== null);
  if (has("icon")) report.omit("icons of sites", "a monitor has none");
  if (has("assignees")) report.omit("assignees of sites", SECTIONS.assignees ?? "");
  if (has("location")) report.omit("locations of sites", "a location of stillup is a probe of your own");
}
