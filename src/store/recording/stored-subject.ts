import type { Memory } from "../../domain/checks/judge.ts";
import { type Baseline, baselineStart } from "../../domain/checks/latency-baseline.ts";
import type { PlaceState, Places } from "../../domain/locations/place.ts";
import type { Confirmation, Suspicion } from "../../domain/monitors/confirmation.ts";
import type { MonitorConfig, MonitorType } from "../../domain/monitors/monitor.ts";
import type { Acknowledgement, OpenOutage } from "../../domain/monitors/planned-result.ts";
import type { RecordingSubject } from "../../domain/monitors/recording-plan.ts";
import { openLatencies } from "../../domain/results/rollup.ts";
import { type Calendars, windowAtOf } from "../maintenance/calendars.ts";
import {
  type BaselineColumns,
  type StoredBaseline,
  settledBaseline,
  wholeBaseline,
} from "../results/baselines.ts";
import { HOUR, type OpenColumns, openHourOf } from "../results/open-hours.ts";
import { statusOfCode } from "../status-codes.ts";
import { heartbeatOf, type StoredRhythm } from "./stored-heartbeat.ts";

/** A monitor as it was before a batch, with the numbers of its rows. */
export interface StoredSubject extends RecordingSubject {
  pk: number;
  organizationPk: number;
  /** The number and the ID of the open outage. */
  outagePk: number | null;
  outageId: string | null;
  lastResultPk: number | null;
  /** The first hour of the stored baseline; null if there is no row of `location_states`. */
  storedBaselineStart: number | null;
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
  (BaselineColumns | { [Column in keyof BaselineColumns]: null });

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

/** Loaded for a monitor besides its row. @property baseline of this server, at the hour of `now` */
interface Loaded {
  baseline: Baseline;
  /** Milliseconds since 1970. */
  now: number;
  /** Null if only this server checks it. */
  placed: LoadedPlaces | null;
  /** The calendars of the organizations that have maintenances. */
  calendars: Calendars;
}

/** The locations of a monitor, and the states of those that have checked it, by their numbers. */
export interface LoadedPlaces {
  places: Places;
  states: ReadonlyMap<number, PlaceState>;
}

const HUNDREDTHS = 100;

/** Combines what was loaded of a monitor. */
export function subjectOf(
  row: SubjectRow,
  { config, enabled, memory, rhythm, suspicion, isAwaited, tags }: SubjectValues,
  { baseline, now, placed, calendars }: Loaded,
): StoredSubject {
  const { pk, id, name, type, revision, confirmations, recoveries, outagePk, lastResultPk } = row;
  return {
    pk,
    organizationPk: row.organizationPk,
    outagePk,
    outageId: row.outageId,
    lastResultPk,
    storedBaselineStart: row.baselineStart === null ? null : row.baselineStart * HOUR,
    id,
    organization: { id: row.organizationId, name: row.organizationName },
    name,
    type,
    config,
    enabled,
    revision,
    confirmations,
    recoveries,
    places: placed?.places ?? null,
    windowAt: windowAtOf(calendars, { organizationId: row.organizationId, id, tags }),
    isAwaited,
    state: {
      status: statusOfCode(row.status),
      statusBefore: row.statusBefore === null ? null : statusOfCode(row.statusBefore),
      statusSince: row.statusSince,
      troubleSince: row.troubleSince,
      suspicion,
      outage: outageOf(row),
      lastGoodLatencyMs: row.lastGoodLatency === null ? null : row.lastGoodLatency / HUNDREDTHS,
      nextCheckAt: row.nextCheckAt,
      openHour: openHourOf(row),
      memory,
      baseline,
      baselineStart: baselineStart(now),
      heartbeat: heartbeatOf({ rhythm, deadline: row.deadline }),
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

/** The baseline of this server; null if the monitor has none. */
export function storedBaseline(row: SubjectRow): StoredBaseline | null {
  return wholeBaseline(row.baselineCount === null ? null : row, openHourOf(row));
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
  { storedBaselineStart, state: before }: StoredSubject,
  after: RecordingSubject["state"],
): StoredHere | null {
  if (after.places !== null) return null;
  const { memory, baselineStart } = after;
  const settled = settledBaseline(after);
  const here = { memory, ...settled, start: baselineStart / HOUR };
  if (storedBaselineStart === null) return needsRow(before, here) ? here : null;
  const isSame = memory === before.memory && isSameBaseline(settled, settledBaseline(before));
  return isSame && baselineStart === storedBaselineStart ? null : here;
}

/**
 * Monitors that have neither a memory nor latencies in their rollups have no row. An hour that was open may be folded now. Its
 * latencies may be out of the baseline, and in it again after the clock was set back.
 */
function needsRow({ openHour }: RecordingSubject["state"], { memory, count }: StoredHere): boolean {
  return memory !== null || count > 0 || openLatencies(openHour).count > 0;
}

function isSameBaseline(one: Baseline, other: Baseline): boolean {
  return one.count === other.count && one.sum === other.sum && one.sumOfSquares === other.sumOfSquares;
}
