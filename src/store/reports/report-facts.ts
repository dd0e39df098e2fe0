import { knownTls, type Memory } from "../../domain/checks/judge.ts";
import { HERE } from "../../domain/locations/location.ts";
import type { MonitorConfig } from "../../domain/monitors/monitor.ts";
import { asciiName } from "../../domain/registration/rdap-answer.ts";
import type { Span } from "../../domain/reports/monthly-report.ts";
import type { ReportFacts } from "../../domain/reports/report-contents.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { withCauses } from "../causes/causes.ts";
import { withWhys } from "../outages/evidence.ts";
import { HOUR } from "../results/hour-columns.ts";
import { statusCodes } from "../status-codes.ts";
import { fromJson, type Tx } from "../tx.ts";

/** @property parts of the hours in which the stretch begins and ends, so that not all of them may be in it */
interface MissedRow {
  pk: number;
  name: string;
  whole: number | string;
  parts: number | string;
}

const COUNT_MISSED = `SELECT monitors.pk, monitors.name,
    coalesce(sum(hourly_totals.count) FILTER (WHERE start >= $4 AND start < $5), 0) AS whole,
    coalesce(sum(hourly_totals.count) FILTER (WHERE start < $4 OR start >= $5), 0) AS parts
  FROM monitors
    JOIN hourly_totals ON hourly_totals.monitor_pk = monitors.pk
  WHERE monitors.organization_pk = $1 AND monitors.id = ANY($2::text[]) AND start >= $3 AND start < $6
    AND hourly_totals.status = ${statusCodes.havent_heard}
  GROUP BY monitors.pk, monitors.name`;

/** Monitors have a row for each location that has seen TLS. The detail of a check over TLS has the end of the certificate, whatever the protocol. */
const LIST_ENDS = `SELECT monitors.pk, monitors.name, config, monitors.locations, details.text, location, memory FROM monitors
    JOIN monitor_states ON monitor_states.monitor_pk = monitors.pk
    LEFT JOIN details ON details.pk = last_detail_pk
    LEFT JOIN location_states ON location_states.monitor_pk = monitors.pk AND monitors.type IN ('HTTP', 'TLS')
  WHERE monitors.organization_pk = $1 AND monitors.id = ANY($2::text[]) AND monitors.type <> 'SCHEDULED' AND monitors.enabled
  ORDER BY monitors.pk`;

type MonitorFacts = Pick<ReportFacts, "missed" | "ends">;

/** The missed runs of some monitors in a stretch of time, and when their certificates and domains end. */
export async function readMonitorFacts(
  tx: Tx,
  organizationId: string,
  { ids, span }: { ids: readonly string[]; span: Span },
): Promise<MonitorFacts> {
  if (ids.length === 0) return { missed: [], ends: [] };
  const organization = await organizationPk(tx, organizationId);
  const missed = await countMissed(tx, organization, { ids, span });
  const rows = await tx.query<EndsRow>(LIST_ENDS, [organization, ids]);
  return { missed, ends: await endsOf(tx, rows) };
}

/** The results say when within an hour runs were missed: of time zones with an offset of half an hour, days begin and end there. */
async function countMissed(
  tx: Tx,
  organization: number,
  { ids, span: { from, to } }: { ids: readonly string[]; span: Span },
): Promise<MonitorFacts["missed"]> {
  const [first, last] = [Math.ceil(from / HOUR), Math.floor(to / HOUR)];
  const hours = [Math.floor(from / HOUR), first, last, Math.ceil(to / HOUR)];
  const rows = await tx.query<MissedRow>(COUNT_MISSED, [organization, ids, ...hours]);
  const partly = rows.filter(({ parts }) => Number(parts) > 0);
  const within = new Map<number, number>();
  if (partly.length > 0) {
    const monitorPks = partly.map(({ pk }) => pk);
    const limit = partly.reduce((sum, { parts }) => sum + Number(parts), 0);
    const ends = [
      { from, to: Math.min(first * HOUR, to) },
      { from: Math.max(last * HOUR, first * HOUR), to },
    ];
    for (const stretch of ends.filter((end) => end.from < end.to))
      for (const { monitorPk } of await tx.reads.newestResults([{ monitorPks, statuses: ["havent_heard"] }], {
        ...stretch,
        before: undefined,
        limit,
      }))
        within.set(monitorPk, (within.get(monitorPk) ?? 0) + 1);
  }
  return rows
    .map(({ pk, name, whole }) => ({ name, count: Number(whole) + (within.get(pk) ?? 0) }))
    .filter(({ count }) => count > 0);
}

/** @property text the detail of the latest result @property memory of the checks of one location */
interface EndsRow {
  pk: number;
  name: string;
  config: MonitorConfig | string;
  locations: number[] | string | null;
  text: string | null;
  location: number | null;
  memory: Memory | string | null;
}

type End = MonitorFacts["ends"][number];

async function endsOf(tx: Pick<Tx, "db" | "sets" | "tables">, rows: readonly EndsRow[]): Promise<End[]> {
  const monitors = [...Map.groupBy(rows, ({ pk }) => pk).values()];
  const domains = await registeredDomains(tx, rows.flatMap(namesOf));
  return monitors.flatMap((seen) => {
    const [first] = seen as [EndsRow];
    // The registered domain is the longest of the names that anything is known of.
    const domain = namesOf(first).find((name) => domains.has(name));
    return [
      ...endOf(certificateEnd(seen), { name: first.name, what: "certificate" }),
      ...endOf(domain && domains.get(domain), { name: first.name, what: "domain" }),
    ];
  });
}

/** If several locations saw different certificates, the first end counts. */
function certificateEnd(seen: readonly EndsRow[]): unknown {
  const [first] = seen as [EndsRow];
  const present = (fromJson(first.locations) as number[] | null) ?? [HERE];
  const ends = seen
    .filter(({ location }) => location !== null && present.includes(location))
    .flatMap(({ memory }) => knownTls(fromJson(memory) as Memory | null)?.validTo ?? []);
  const [earliest] = ends.toSorted((a, b) => Date.parse(a) - Date.parse(b));
  return earliest ?? (JSON.parse(first.text ?? "{}") as { validTo?: unknown }).validTo;
}

/** The host of a monitor that watches the registration of its domain, and what it is in, such as `a.b.example`, `b.example` and `example`. */
function namesOf({ config }: Pick<EndsRow, "config">): string[] {
  const { host = "", registration } = fromJson(config) as { host?: string; registration?: unknown };
  const labels = registration === undefined ? [] : (asciiName(host)?.split(".") ?? []);
  return labels.map((_, at) => labels.slice(at).join("."));
}

/** When the registrations end of the domains that have one of some names. They are stored also while the checks of a monitor fail. */
async function registeredDomains(
  { db, sets, tables: { registrations } }: Pick<Tx, "db" | "sets" | "tables">,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const { domain, facts } = registrations;
  const rows = await db
    .select({ domain, facts })
    .from(registrations)
    .where(sets.among(domain, [...new Set(names)]));
  return new Map(rows.flatMap((row) => (row.facts ? [[row.domain, row.facts.expiresAt] as const] : [])));
}

function endOf(end: unknown, of: Omit<End, "at">): End[] {
  const at = typeof end === "string" ? Date.parse(end) : Number.NaN;
  return Number.isNaN(at) ? [] : [{ ...of, at }];
}

/** Why some outages began, by their numbers, as far as it is known: what several have in common, or what the first check saw. */
export async function explainOutages(tx: Tx, pks: readonly number[]): Promise<ReportFacts["causes"]> {
  const explained = await withCauses(
    tx,
    await withWhys(
      tx,
      pks.map((pk) => ({ pk })),
    ),
  );
  const texts = explained.flatMap(({ pk, cause, why }) => {
    const text = cause?.title ?? why?.summary;
    return text === undefined ? [] : [[pk, text] as const];
  });
  return new Map(texts);
}
