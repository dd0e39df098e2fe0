import type { FactSubject, GoodAt } from "../../domain/causes/facts.ts";
import type { Memory } from "../../domain/checks/judge.ts";
import type { Detail } from "../../domain/checks/observation.ts";
import { MINUTE } from "../../domain/duration.ts";
import { HERE, HERE_ID } from "../../domain/locations/location.ts";
import type { MonitorConfig, ProbedType } from "../../domain/monitors/monitor.ts";
import { groupOf, type Status } from "../../domain/monitors/status.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { unpackEvidence } from "../recording/evidence-rows.ts";
import { RESULT_COLUMNS, type ResultRow } from "../results/result-items.ts";
import { readDetails } from "../results/results.ts";
import { readMeasured } from "../results/timings.ts";
import { statusOfCode } from "../status-codes.ts";
import { fromJson, type Sql, type Tx } from "../tx.ts";

/**
 * A probed monitor, with what its facts depend on, and what it says about the facts of others.
 *
 * @property isHealthy what its latest check saw: false if it saw trouble, also if that is not confirmed
 * @property checkedAt when that check began, in milliseconds since 1970; null before the first one
 * @property certificateName of the certificate that a TLS monitor saw; null for others
 */
export interface KnownMonitor extends FactSubject {
  pk: number;
  id: string;
  name: string;
  type: ProbedType;
  status: Status;
  isEnabled: boolean;
  isHealthy: boolean;
  checkedAt: number | null;
  certificateName: string | null;
}

/** @property end the number of the last monitor that was read; null after the last monitor of the organization */
export interface KnownSlice {
  monitors: KnownMonitor[];
  end: number | null;
}

interface Row {
  pk: number;
  id: string;
  name: string;
  type: ProbedType;
  config: MonitorConfig<ProbedType>;
  tags: string[];
  enabled: boolean;
  locations: number[] | null;
  status: number;
  lastStatus: number | null;
  lastTimings: Uint8Array | null;
  lastAt: number | null;
  detail: string | null;
  troubleSince: number | null;
}

/** Monitors of a slice: some milliseconds. */
const SIZE = 100;

const LIST = `SELECT monitors.pk, monitors.id, monitors.name, type, config, tags, enabled, locations, monitor_states.status,
    last_status AS "lastStatus", last_timings AS "lastTimings", last_result_at AS "lastAt", details.text AS detail,
    outages.started_at AS "troubleSince"
  FROM monitors JOIN monitor_states ON monitor_states.monitor_pk = monitors.pk
  LEFT JOIN details ON details.pk = last_detail_pk
  LEFT JOIN outages ON outages.pk = monitor_states.outage_pk
  WHERE monitors.organization_pk = $1 AND monitors.pk > $2 AND type <> 'SCHEDULED'
  ORDER BY monitors.pk LIMIT $3`;

/**
 * The probed monitors of an organization, oldest first, a slice of them.
 *
 * @property after the `end` of the previous slice, or 0
 * @throws AppError `not_found` if the organization does not exist
 */
export async function listKnownMonitors(
  tx: Tx,
  organizationId: string,
  { after }: { after: number },
): Promise<KnownSlice> {
  const organization = await organizationPk(tx, organizationId);
  const found = await tx.query<Row>(LIST, [organization, after, SIZE]);
  const rows = found.map((row) => ({
    ...row,
    config: fromJson(row.config),
    tags: fromJson(row.tags),
    locations: fromJson(row.locations),
    enabled: Boolean(row.enabled),
  }));
  const places = await namesOfPlaces(tx, organization, rows);
  const good = await findGood(tx, rows, places);
  return {
    monitors: rows.map((row) => knownMonitor(row, good.get(row.pk) ?? [])),
    end: rows.length === SIZE ? (rows.at(-1)?.pk ?? null) : null,
  };
}

function knownMonitor(row: Row, good: readonly GoodAt[]): KnownMonitor {
  const { pk, id, name, type, config, tags, enabled: isEnabled, status, lastAt, lastStatus } = row;
  const { latencyMs, detail } = lastOf(row);
  const { subject } = detail ?? {};
  return {
    ...{ pk, id, name, type, config, tags, isEnabled, good },
    status: statusOfCode(status),
    isHealthy: lastStatus !== null && isGood(lastStatus, detail),
    checkedAt: lastAt === null ? null : lastAt - Math.ceil(latencyMs ?? 0),
    certificateName: type === "TLS" && typeof subject === "string" ? subject : null,
  };
}

function lastOf({ lastTimings, detail }: Row) {
  return readMeasured(lastTimings, detail === null ? undefined : JSON.parse(detail));
}

/** Whether a check saw no trouble. @param status its code, as it was recorded */
function isGood(status: number, detail: Detail | null): boolean {
  const { status: seen } = (detail?.seen ?? {}) as { status?: Status };
  return groupOf[seen ?? statusOfCode(status)] === "healthy";
}

/** The names of locations by their numbers. */
type Places = ReadonlyMap<number, string>;

const LIST_PLACES = "SELECT pk, name FROM locations WHERE organization_pk = $1";

async function namesOfPlaces({ query }: Sql, organization: number, rows: readonly Row[]): Promise<Places> {
  if (rows.every(({ locations }) => locations === null)) return new Map([[HERE, HERE_ID]]);
  const found = await query<{ pk: number; name: string }>(LIST_PLACES, [organization]);
  return new Map([[HERE, HERE_ID], ...found.map(({ pk, name }) => [pk, name] as const)]);
}

/** The last good check of each location, by the number of the monitor. */
async function findGood(tx: Tx, rows: readonly Row[], places: Places): Promise<Map<number, GoodAt[]>> {
  const memories = await listMemories(
    tx,
    rows.flatMap(({ type, pk }) => (type === "DNS" ? [] : [pk])),
  );
  const good = new Map<number, GoodAt[]>();
  const others: Row[] = [];
  for (const row of rows) {
    const { detail } = lastOf(row);
    const isLast = row.locations === null && row.lastStatus !== null && isGood(row.lastStatus, detail);
    if (isLast) good.set(row.pk, goodAt(HERE_ID, detail, memories.get(keyOf(row.pk, HERE))));
    else if (row.lastAt !== null) others.push(row);
  }
  const earlier = await findEarlier(tx, others, places);
  for (const row of others) {
    const found = (row.locations ?? [HERE]).flatMap((location) => {
      const name = places.get(location);
      const checks = earlier.get(row.pk) ?? [];
      const check = checks.find(
        ({ detail }) => row.locations === null || (detail?.location ?? HERE_ID) === name,
      );
      if (!check || name === undefined) return [];
      return goodAt(name, check.detail, memories.get(keyOf(row.pk, location)));
    });
    good.set(row.pk, found);
  }
  return good;
}

/** With several addresses, each of them that was good. */
function goodAt(location: string, detail: Detail | null, memory: Memory | null = null): GoodAt[] {
  const [valid = null] = memory && "valid" in memory ? memory.valid : [];
  const certificate = memory?.fingerprint ?? valid;
  const { address, addresses } = detail ?? {};
  const all = Array.isArray(addresses) ? addresses.map((one) => (one as Detail).address) : [address];
  const known = all.filter((one): one is string => typeof one === "string");
  if (known.length === 0) return [{ location, address: null, certificate }];
  return known.map((one) => ({ location, address: one, certificate }));
}

const LIST_MEMORIES = `SELECT monitor_pk AS "monitorPk", location, memory FROM location_states
  WHERE monitor_pk = ANY($1::integer[]) AND memory IS NOT NULL`;

async function listMemories({ query }: Sql, pks: readonly number[]): Promise<Map<string, Memory | null>> {
  if (pks.length === 0) return new Map();
  const rows = await query<{ monitorPk: number; location: number; memory: Memory | null }>(LIST_MEMORIES, [
    pks,
  ]);
  return new Map(rows.map((row) => [keyOf(row.monitorPk, row.location), fromJson(row.memory)]));
}

function keyOf(monitorPk: number, location: number): string {
  return `${monitorPk} ${location}`;
}

/** The results of monitors in a stretch of each of them. The outer times keep PostgreSQL from other days. */
const LIST_EARLIER = `SELECT ${RESULT_COLUMNS}
  FROM json_to_recordset($1) AS wanted (monitor integer, since bigint, until bigint)
  JOIN check_results ON monitor_pk = wanted.monitor AND created_at >= wanted.since AND created_at < wanted.until
  WHERE created_at >= $2 AND created_at < $3 ORDER BY pk DESC`;

interface GoodCheck {
  detail: Detail | null;
}

/** Good checks of some monitors before their present trouble, newest first, by the number of the monitor. */
async function findEarlier(tx: Tx, rows: readonly Row[], places: Places): Promise<Map<number, GoodCheck[]>> {
  if (rows.length === 0) return new Map();
  const wanted = rows.map((row) => {
    const until = row.locations === null ? (row.troubleSince ?? Number(row.lastAt)) : Number(row.lastAt) + 1;
    return { monitor: row.pk, since: until - stretchOf(row), until };
  });
  const found = await tx.query<ResultRow>(LIST_EARLIER, [
    JSON.stringify(wanted),
    Math.min(...wanted.map(({ since }) => since)),
    Math.max(...wanted.map(({ until }) => until)),
  ]);
  const details = await readDetails(tx, found);
  const checks = found.flatMap(({ monitorPk, status, timings, detailPk }) => {
    const { detail } = readMeasured(timings, details.get(detailPk ?? 0));
    return isGood(status, detail) ? [{ monitorPk, detail }] : [];
  });
  const lost = new Set(rows.map(({ pk }) => pk)).difference(new Set(checks.map((one) => one.monitorPk)));
  const older = await findInEvidence(tx, [...lost], places);
  return Map.groupBy([...checks, ...older], ({ monitorPk }) => monitorPk);
}

/** Some intervals: the checks of each location, and confirmations of them. */
function stretchOf({ config: { interval }, locations }: Row): number {
  return Math.max(10 * MINUTE, 3000 * interval * (locations === null ? 1 : 2));
}

/** The newest evidence of each location that has the last good check before it. */
const LIST_EVIDENCE = `SELECT monitor_pk AS "monitorPk", location, data FROM evidence WHERE pk IN (
    SELECT max(pk) FROM evidence WHERE monitor_pk = ANY($1::integer[]) AND data IS NOT NULL GROUP BY monitor_pk, location)`;

/** The same from evidence, for trouble that began so long ago that the results before it are packed. */
async function findInEvidence(
  { query }: Sql,
  pks: readonly number[],
  places: Places,
): Promise<(GoodCheck & { monitorPk: number })[]> {
  if (pks.length === 0) return [];
  const rows = await query<{ monitorPk: number; location: number; data: Uint8Array }>(LIST_EVIDENCE, [pks]);
  return rows.flatMap(({ monitorPk, location, data }) => {
    const { good } = unpackEvidence(data);
    return good ? [{ monitorPk, detail: { address: good.address, location: places.get(location) } }] : [];
  });
}
