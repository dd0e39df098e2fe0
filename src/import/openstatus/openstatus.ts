import { createRefNames, literal } from "../../domain/configuration/placeholder.ts";
import { NewMaintenance, timesOf } from "../../domain/maintenance/request.ts";
import { parse } from "../../domain/schemas/validation.ts";
import { checkedImport, faultIn } from "../checked.ts";
import {
  createReport,
  cut,
  documentOf,
  type Imported,
  listOf,
  named,
  type Report,
  recordOf,
  textOf,
} from "../imported.ts";
import { createSecrets, literals } from "../output-config.ts";
import { createPages, type GivenPage } from "../pages.ts";
import { channelsOf } from "./channels.ts";
import type { GivenMonitor, GivenOpenstatus } from "./given.ts";
import { mapMonitor } from "./monitors.ts";

/**
 * Translates the monitors of openstatus, and what else its API answers (behavior 16.125, 16.126).
 *
 * @param now milliseconds since 1970
 */
export function importOpenstatus(
  given: GivenOpenstatus,
  { withSecrets, now }: { withSecrets: boolean; now: number },
): Imported {
  return checkedImport((withPlain) => translate(given, { withSecrets: withPlain, now }), { withSecrets });
}

function translate(
  given: GivenOpenstatus,
  { withSecrets, now }: { withSecrets: boolean; now: number },
): Imported {
  const report = createReport();
  const secrets = createSecrets(withSecrets);
  const channels = channelsOf(given.notifications ?? [], { secrets, report });
  const refOf = createRefNames("monitor");
  const monitors: Record<string, Record<string, unknown>> = {};
  const taken = new Map<string, { ref: string; monitor: GivenMonitor }>();
  for (const monitor of given.monitors) {
    const { id, name, isActive } = monitor;
    const label = named("monitor", name);
    // A key of the file is a name, unless the file was written by the tool.
    const ref = refOf(/^\d*$/.test(id) ? name : id);
    const omit = (what: string, why: string) => report.omit(`${label}, ${what}`, why);
    const mapped = mapMonitor(monitor, { ref, secrets, omit });
    if ("refusal" in mapped) {
      report.lose(label, mapped.refusal, mapped.type);
      continue;
    }
    if (isActive === undefined)
      omit("active", "it is not set, so that openstatus does not run it: it is paused");
    const { refs, lost } = channels.of(id);
    if (refs.length === 0 && lost > 0)
      omit("notifications", `none was taken over of ${lost}: it notifies nobody`);
    const { type, config, confirmations } = mapped;
    monitors[ref] = {
      ...(name !== ref && { name: literal(name) }),
      ...{ type, config },
      ...(isActive !== true && { enabled: false }),
      ...(given.notifications && { alertChannelIds: refs }),
      ...(confirmations > 0 && { confirmations }),
    };
    if (id !== "") taken.set(id, { ref, monitor });
  }
  omitOthers(given, report);
  const document = documentOf({
    channels: channels.entries,
    monitors,
    maintenances: maintenancesOf(given.maintenances, { taken, report, now }),
    pages: pagesOf(given.pages, {
      ...{ taken, report },
      writePassword: (password, ref) => secrets.write(password, "PAGE", ref, "password"),
    }),
  });
  return {
    ...{ document, found: given.monitors.length, omitted: report.omitted(), notes: report.notes() },
    secrets: secrets.variables(),
  };
}

/** Reports once what all monitors have, and what is not in the file. */
function omitOthers({ monitors, notifications }: GivenOpenstatus, report: Report): void {
  const regions = [...new Set(monitors.flatMap((monitor) => monitor.regions))];
  if (regions.length > 0)
    report.omit(
      "regions of monitors",
      `stillup checks from its server, and from locations of your own, and not from ${regions.join(", ")}`,
    );
  if (monitors.some(({ hasDescription }) => hasDescription))
    report.omit("descriptions of monitors", "a monitor has none");
  if (monitors.some(({ hasTelemetry }) => hasTelemetry))
    report.omit("openTelemetry of monitors", "Prometheus reads the results at /metrics");
  if (!notifications) report.note("the file has no notifications: the monitors have your default channels");
}

type Taken = ReadonlyMap<string, { ref: string; monitor: GivenMonitor }>;

/** By the field of a page: why it is not taken over. */
const PAGE_PARTS: Record<string, string> = {
  customDomain: "--page-hosts of stillup serve sets it",
  icon: "upload a logo in the web page of stillup",
  authEmailDomains: "a page has a password here, or everybody reads it",
  allowedIpRanges: "a page has a password here, or everybody reads it",
  homepageUrl: "a page has no links here",
  contactUrl: "a page has no links here",
};

/** The status pages (behavior 16.126). */
function pagesOf(
  given: readonly Record<string, unknown>[],
  {
    taken,
    report,
    writePassword,
  }: { taken: Taken; report: Report; writePassword: (password: string, ref: string) => string },
): Record<string, Record<string, unknown>> {
  const pages = createPages(report, writePassword);
  for (const page of given) {
    const title = textOf(page.title)?.trim() ?? "";
    const omit = (part: string, why: string) => report.omit(named("status page", title, part), why);
    const shown = monitorsOf(page);
    const components = shown.flatMap(({ id, name, group }) => {
      const one = taken.get(id);
      const shownName = name ?? one?.monitor.externalName;
      return one
        ? [{ monitorId: one.ref, ...(shownName && { name: shownName }), ...(group && { group }) }]
        : [];
    });
    const isTaken = pages.add({
      ...{ title, slug: textOf(page.slug) ?? "", description: textOf(page.description) ?? "" },
      ...accessOf(page, omit),
      ...{ components, shown: shown.length },
    });
    if (!isTaken) continue;
    for (const [name, why] of Object.entries(PAGE_PARTS)) {
      const part = page[name];
      if (textOf(part) !== undefined || listOf(part).length > 0) omit(name, why);
    }
    if (page.monitors === undefined && page.components === undefined)
      omit("monitors", "the file does not say which it shows");
  }
  return pages.entries();
}

interface Shown {
  id: string;
  name?: string | undefined;
  group?: string | undefined;
}

/** Version 1 has IDs, with or without their order; version 2 has components and their groups. */
function monitorsOf({ monitors, components, groups }: Record<string, unknown>): Shown[] {
  const plain = listOf(monitors)
    .map((one) => ({ id: textOf(one) ?? textOf(recordOf(one).monitorId) ?? "", order: recordOf(one).order }))
    .sort((a, b) => Number(a.order ?? 0) - Number(b.order ?? 0));
  const names = new Map(
    listOf(groups).map((group) => [textOf(recordOf(group).id), textOf(recordOf(group).name)]),
  );
  const of = listOf(components)
    .map(recordOf)
    .filter(({ monitorId }) => textOf(monitorId) !== undefined)
    .sort((a, b) => Number(a.order ?? 0) - Number(b.order ?? 0));
  return [
    ...plain.map(({ id }) => ({ id })),
    ...of.map(({ monitorId, name, groupId }) => ({
      ...{ id: textOf(monitorId) ?? "", name: textOf(name) },
      group: names.get(textOf(groupId)),
    })),
  ];
}

const MIN_PASSWORD = 8;

function accessOf(
  { accessType, passwordProtected, password, published }: Record<string, unknown>,
  omit: (part: string, why: string) => void,
): Pick<GivenPage, "visibility" | "password"> {
  const access = (textOf(accessType) ?? (passwordProtected === true ? "password" : "public"))
    .replace(/^PAGE_ACCESS_TYPE_/, "")
    .toLowerCase();
  if (published === false) return { visibility: "off" };
  if (access === "public" || access === "unspecified") return { visibility: "public" };
  const secret = textOf(password) ?? "";
  if (access.startsWith("password") && secret.length >= MIN_PASSWORD)
    return { visibility: "password", password: secret };
  const why = access.startsWith("password")
    ? `a password has at least ${MIN_PASSWORD} characters`
    : `it is ${access}`;
  omit("access", `${why}: nobody can read the page until you set its visibility`);
  return { visibility: "off" };
}

const MAX_MESSAGE = 2000;

/** The maintenances that are not over (behavior 16.126). */
function maintenancesOf(
  given: readonly Record<string, unknown>[],
  { taken, report, now }: { taken: Taken; report: Report; now: number },
): Record<string, Record<string, unknown>> {
  const refOf = createRefNames("maintenance");
  const entries: Record<string, Record<string, unknown>> = {};
  for (const one of given) {
    const title = textOf(one.title)?.trim() || "Maintenance";
    const times = { startsAt: timeIn(one.from), endsAt: timeIn(one.to) };
    if (Date.parse(times.endsAt) <= now) continue;
    const monitorIds = listOf(one.monitorIds).flatMap((id) => taken.get(textOf(id) ?? "")?.ref ?? []);
    const message = textOf(one.message) ?? "";
    const entry = {
      ...(message !== "" && { message: cut(message, MAX_MESSAGE) }),
      ...{ selector: { monitorIds }, ...times },
    };
    const fault =
      monitorIds.length === 0
        ? "no monitor of it was taken over"
        : faultIn(() => timesOf(parse(NewMaintenance, { title, ...entry }, ""), now));
    if (fault !== undefined) {
      report.omit(named("maintenance", title), fault);
      continue;
    }
    if ([...message].length > MAX_MESSAGE)
      report.omit(
        named("maintenance", title, "message"),
        `it has more than ${MAX_MESSAGE} characters: it is cut`,
      );
    const ref = refOf(title);
    entries[ref] = literals({ ...(title !== ref && { title }), ...entry }) as Record<string, unknown>;
  }
  return entries;
}

function timeIn(value: unknown): string {
  const at = Date.parse(textOf(value) ?? "");
  return Number.isNaN(at) ? (textOf(value) ?? "") : new Date(at).toISOString();
}
