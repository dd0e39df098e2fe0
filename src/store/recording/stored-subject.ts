import type { Memory } from "../../domain/checks/judge.ts";
import {
  type Baseline,
  baselineStart,
  noLatency,
  openLatencies,
} from "../../domain/checks/latency-baseline.ts";
import { silentHeartbeat } from "../../domain/heartbeats/heartbeat.ts";
import { HERE } from "../../domain/locations/location.ts";
import type { PlaceState, Places } from "../../domain/locations/place.ts";
import type { Confirmation, Suspicion } from "../../domain/monitors/confirmation.ts";
import type { MonitorConfig, MonitorType } from "../../domain/monitors/monitor.ts";
import type { Acknowledgement, OpenOutage } from "../../domain/monitors/planned-result.ts";
import type { MonitorState, RecordingSubject } from "../../domain/monitors/recording-plan.ts";
import type { StoredPlacement } from "../locations/monitor-locations.ts";
import { findCalendars, windowAtOf } from "../maintenance/calendars.ts";
import {
  type BaselineColumns,
  HOUR,
  type NoBaseline,
  type OpenColumns,
  openHourOf,
  settledBaseline,
  wholeBaseline,
} from "../results/hour-columns.ts";
import { statusOfCode } from "../status-codes.ts";
import type { Tx } from "../tx.ts";
import { baselineKey, type RecordingEngine, type Wanted, type WantedBaseline } from "./recording-engine.ts";
import { heartbeatOf, type StoredRhythm } from "./stored-heartbeat.ts";
import { loadPlaces } from "./stored-places.ts";

/** A monitor as it was before a batch, with the numbers of its rows. */
export interface StoredSubject extends RecordingSubject {
  pk: number;
  organizationPk: number;
  /** The number and the ID of the open outage. */
  outagePk: number | null;
  outageId: string | null;
  lastResultPk: number | null;
  /** The stored baseline of this server, without the open hour; null if there is no row of `location_states`. */
  storedBaseline: (Baseline & { start: number }) | null;
}

/** Subjects by the ID of the monitor, as they were loaded for a plan. */
export type StoredSubjects<Subject extends StoredSubject = StoredSubject> = ReadonlyMap<string, Subject>;

/** @throws Error if the subject was not loaded */
export function findSubject<Subject extends StoredSubject>(
  subjects: StoredSubjects<Subject>,
  monitorId: string,
): Subject {
  const subject = subjects.get(monitorId);
  if (!subject) throw new Error("a plan contains a monitor that was not loaded");
  return subject;
}

/** The columns of `monitors` for `SubjectRow` and `SubjectValues`, and its locations. */
export const SUBJECT_COLUMNS = `monitors.pk, monitors.id, monitors.name, monitors.type, monitors.config, monitors.enabled,
  monitors.revision, monitors.confirmations, monitors.recoveries, monitors.locations, monitors.down_when AS "downWhen"`;

/** Whether a notification waits for the next check of a monitor. Only one in trouble has any, so others cost no search. */
export const IS_AWAITED = `monitor_states.trouble_since IS NOT NULL AND EXISTS (
    SELECT 1 FROM deliveries
    WHERE deliveries.monitor_pk = monitor_states.monitor_pk AND review_at IS NOT NULL
      AND hold ->> 'kind' IN ('recheck', 'resumed')
  ) AS "isAwaited"`;

/** The columns of a monitor that every engine returns as they are. Statuses are codes, times milliseconds since 1970. */
export type SubjectRow = Confirmation & {
  pk: number;
  id: string;
  name: string;
  type: MonitorType;
  revision: number;
  organizationPk: number;
  organizationId: string;
  organizationName: string;
  maintenanceRevision: number;
  status: number;
  statusSince: number | null;
  troubleSince: number | null;
  outagePk: number | null;
  nextCheckAt: number | null;
  lastResultPk: number | null;
  lastGoodLatency: number | null;
  deadline: number | null;
  outageId: string | null;
  outageStartedAt: number | null;
  outageStatus: number | null;
  outageReason: string | null;
  acknowledgedAt: number | null;
  acknowledgedBy: string | null;
  note: string | null;
  placesSince: number | null;
  statusBefore: number | null;
} & OpenColumns &
  (BaselineColumns | NoBaseline);

/** The columns that engines store in their own way. */
export interface SubjectValues {
  config: MonitorConfig;
  enabled: boolean;
  memory: Memory | null;
  rhythm: StoredRhythm | null;
  suspicion: Suspicion | null;
  isAwaited: boolean;
  /** Null if the organization has no maintenances, which alone need them here. */
  tags: string[] | null;
}

/** The columns that each engine loads of a monitor by its own statements. */
type LoadedRow = SubjectRow & SubjectValues & StoredPlacement;

/** Combines what an engine loaded of some monitors with their locations, baselines and calendars. */
export async function subjectsOf(
  tx: Tx,
  rows: readonly LoadedRow[],
  { wanted, loadBaselines }: Pick<RecordingEngine, "loadBaselines"> & { wanted: ReadonlyMap<string, Wanted> },
): Promise<Map<string, StoredSubject>> {
  const elsewhere = rows.filter(({ locations }) => locations !== null);
  const places = elsewhere.length > 0 ? await loadPlaces(tx, elsewhere, { wanted, loadBaselines }) : null;
  const hasMaintenances = rows.some(({ maintenanceRevision }) => maintenanceRevision !== 0);
  const calendars = hasMaintenances ? await findCalendars(tx, rows) : null;
  const subjects = new Map<string, StoredSubject>();
  const old: { state: MonitorState; wanted: WantedBaseline }[] = [];
  for (const row of rows) {
    const now = wanted.get(row.id)?.at ?? 0;
    const openHour = openHourOf(row);
    const stored = row.locations === null ? wholeBaseline(row, openHour) : null;
    const subject = subjectOf(row, {
      openHour,
      baseline: stored?.baseline ?? noLatency,
      baselineStart: baselineStart(now),
      placed: places?.get(row.pk) ?? null,
      windowAt: calendars && windowAtOf(calendars, row),
    });
    subjects.set(row.id, subject);
    if (stored && stored.start !== subject.state.baselineStart)
      old.push({ state: subject.state, wanted: { pk: row.pk, location: HERE, stored, now } });
  }
  if (old.length > 0) await renewBaselines(tx, old, loadBaselines);
  return subjects;
}

/** Few monitors need it: their stored baseline is of an earlier hour. */
async function renewBaselines(
  tx: Tx,
  old: readonly { state: MonitorState; wanted: WantedBaseline }[],
  loadBaselines: RecordingEngine["loadBaselines"],
): Promise<void> {
  const baselines = await loadBaselines(
    tx,
    old.map(({ wanted }) => wanted),
  );
  for (const { state, wanted } of old)
    state.baseline = baselines.get(baselineKey(wanted)) ?? wanted.stored.baseline;
}

/** The locations of a monitor, and the states of those that have checked it, by their numbers. */
export interface LoadedPlaces {
  places: Places;
  states: ReadonlyMap<number, PlaceState>;
}

/** Loaded for a monitor besides its row. @property placed null if only this server checks it */
type Loaded = Pick<MonitorState, "openHour" | "baseline" | "baselineStart"> &
  Pick<StoredSubject, "windowAt"> & { placed: LoadedPlaces | null };

const HUNDREDTHS = 100;

function subjectOf(
  row: LoadedRow,
  { openHour, baseline, baselineStart, placed, windowAt }: Loaded,
): StoredSubject {
  const { baselineCount: count, baselineSum: sum, baselineSquares: sumOfSquares, baselineStart: start } = row;
  return {
    pk: row.pk,
    organizationPk: row.organizationPk,
    outagePk: row.outagePk,
    outageId: row.outageId,
    lastResultPk: row.lastResultPk,
    storedBaseline: count === null ? null : { count, sum, sumOfSquares, start: start * HOUR },
    id: row.id,
    organization: { id: row.organizationId, name: row.organizationName },
    name: row.name,
    type: row.type,
    config: row.config,
    enabled: row.enabled,
    revision: row.revision,
    confirmations: row.confirmations,
    recoveries: row.recoveries,
    places: placed?.places ?? null,
    windowAt,
    isAwaited: row.isAwaited,
    state: {
      status: statusOfCode(row.status),
      statusBefore: row.statusBefore === null ? null : statusOfCode(row.statusBefore),
      statusSince: row.statusSince,
      troubleSince: row.troubleSince,
      suspicion: row.suspicion,
      outage: outageOf(row),
      lastGoodLatencyMs: row.lastGoodLatency === null ? null : row.lastGoodLatency / HUNDREDTHS,
      nextCheckAt: row.nextCheckAt,
      openHour,
      memory: row.memory,
      baseline,
      baselineStart,
      heartbeat: row.type === "SCHEDULED" ? heartbeatOf(row) : silentHeartbeat,
      places: placed?.states ?? null,
    },
  };
}

function outageOf(row: SubjectRow): OpenOutage | null {
  const { outageStartedAt: startedAt, outageStatus: code, outageReason: reason } = row;
  if (startedAt === null || code === null) return null;
  const acknowledged = acknowledgementOf(row);
  return {
    startedAt,
    status: statusOfCode(code),
    ...(reason !== null && { reason }),
    ...(acknowledged && { acknowledged }),
  };
}

/** The columns of an outage about its acknowledgement. */
export type AcknowledgementColumns = Pick<SubjectRow, "acknowledgedAt" | "acknowledgedBy" | "note">;

/** @returns null without one */
export function acknowledgementOf({
  acknowledgedAt: at,
  acknowledgedBy: by,
  note,
}: AcknowledgementColumns): Acknowledgement | null {
  return at === null || by === null ? null : { at, by, note };
}

/** The memory and the baseline of this server, as they are stored. @property start hours since 1970 */
export interface StoredHere {
  memory: Memory | null;
  count: number;
  sum: number;
  sumOfSquares: number;
  start: number;
}

/** The values of this server that are to be stored; null if they are stored already. */
export function changedHere(
  { storedBaseline: stored, state: before }: StoredSubject,
  after: MonitorState,
): StoredHere | null {
  if (after.places !== null) return null;
  const { memory, baselineStart: start } = after;
  const { count, sum, sumOfSquares } = settledBaseline(after);
  const here = { memory, count, sum, sumOfSquares, start: start / HOUR };
  if (!stored) return needsRow(before, here) ? here : null;
  const isSameBaseline =
    start === stored.start &&
    count === stored.count &&
    sum === stored.sum &&
    sumOfSquares === stored.sumOfSquares;
  return isSameBaseline && memory === before.memory ? null : here;
}

/**
 * Monitors that have neither a memory nor latencies in their rollups have no row. An hour that was open may be folded now. Its
 * latencies may be out of the baseline, and in it again after the clock was set back.
 */
function needsRow({ openHour }: MonitorState, { memory, count }: StoredHere): boolean {
  return memory !== null || count > 0 || openLatencies(openHour).count > 0;
}
