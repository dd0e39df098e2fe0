import type { LatestObservation } from "../../domain/locations/place.ts";
import { type PlannedVotes, planLostVote, planReturnedVote } from "../../domain/locations/silence.ts";
import { type SeenDown, seenDown } from "../../domain/locations/votes.ts";
import type { RecordingSubject } from "../../domain/monitors/recording-plan.ts";
import type { Status } from "../../domain/monitors/status.ts";
import type { LocationChange, LocationQueries } from "../engine-queries.ts";
import type { PlaceReport } from "../monitors/monitor-report.ts";
import { savePlan, wantedFromNowhere } from "../recording/record.ts";
import type { RecordingEngine } from "../recording/recording-engine.ts";
import { latestOf, type PlaceRow } from "../recording/stored-places.ts";
import type { StoredSubject } from "../recording/stored-subject.ts";
import { fromJson, type Sql, type Tx } from "../tx.ts";
import { listMonitorsAt } from "./monitor-locations.ts";
import {
  type ChangedLocation,
  type KnownPlaces,
  listPlaces,
  notifyOf,
  storeFault,
  storeSilence,
} from "./watch.ts";

/** The latest observation of a location, as it is stored. */
export type LatestRow = Pick<PlaceRow, "monitorPk" | "location" | "latestAt" | "latestStatus" | "latest">;

/** Lists a `LatestRow` for each location that checked some monitors. @param $1 the numbers of the monitors */
export const LIST_LATEST = `SELECT monitor_pk AS "monitorPk", location, latest_at AS "latestAt", latest_status AS "latestStatus",
    latest
  FROM location_states WHERE monitor_pk = ANY($1::integer[]) AND latest_status IS NOT NULL`;

/** The latest observations, by the number of the monitor, then of the location. */
export type LatestByMonitor = ReadonlyMap<number, ReadonlyMap<number, LatestObservation>>;

/** The latest observations of some monitors. Monitors that only this server checks are left out. */
export async function findLatest(
  { query }: Sql,
  monitors: readonly Pick<ShownMonitor, "pk" | "locations">[],
): Promise<LatestByMonitor> {
  const pks = placedPks(monitors);
  return pks.length === 0 ? new Map() : latestByMonitor(await query(LIST_LATEST, [pks]));
}

/** The numbers of the monitors that not only this server checks. */
export function placedPks(monitors: readonly Pick<ShownMonitor, "pk" | "locations">[]): number[] {
  return monitors.filter(({ locations }) => locations !== null).map(({ pk }) => pk);
}

export function latestByMonitor(rows: readonly LatestRow[]): LatestByMonitor {
  const byMonitor = Map.groupBy(rows, ({ monitorPk }) => monitorPk);
  return new Map(
    [...byMonitor].map(([pk, own]) => [
      pk,
      new Map(
        own.flatMap((row) => {
          const latest = latestOf({ ...row, latest: fromJson(row.latest) });
          return latest ? [[row.location, latest] as const] : [];
        }),
      ),
    ]),
  );
}

interface ShownMonitor {
  pk: number;
  status: Status;
  locations: readonly number[] | null;
}

/** @returns null also for a monitor that only this server checks */
export function seenDownOf(
  { pk, status, locations }: ShownMonitor,
  known: KnownPlaces | undefined,
  latest: LatestByMonitor,
): SeenDown | null {
  if (!locations || !known) return null;
  return seenDown(status, listPlaces(locations, known), latest.get(pk) ?? new Map());
}

/** @returns none for a monitor that only this server checks */
export function placeReports(
  { pk, locations }: Pick<ShownMonitor, "pk" | "locations">,
  known: KnownPlaces | undefined,
  latest: LatestByMonitor,
): PlaceReport[] {
  if (!locations || !known) return [];
  return listPlaces(locations, known).map(({ location, id, name, state, isAtFault }) => {
    return { id, name, state, isAtFault, latest: latest.get(pk)?.get(location) ?? null };
  });
}

/**
 * How monitors change with a vote.
 *
 * @property ids of the monitors, in the order in which their states are locked
 * @property now milliseconds since 1970
 */
interface VoteChange {
  ids: readonly string[];
  plan: (subjects: Iterable<RecordingSubject>, now: number) => PlannedVotes;
  now: number;
}

/** Runs work in one transaction. */
type Transact = (work: (tx: Tx) => Promise<LocationChange>) => Promise<LocationChange>;

/** The changes of the votes of locations. The row of the location is locked first, as recordings do. */
export function voteChanges<Subject extends StoredSubject>(
  engine: RecordingEngine<Subject>,
  transact: Transact,
): LocationQueries {
  return {
    silence: (pk, now) =>
      change((tx) => storeSilence(tx, pk, { isSilent: true, now }), { plan: planLostVote, now }),
    reconnect: (pk, now) =>
      change((tx) => storeSilence(tx, pk, { isSilent: false, now }), {
        plan: (subjects) => planReturnedVote(subjects, pk, now),
        now,
      }),
    setAtFault: (place, isAtFault, now) =>
      change((tx) => storeFault(tx, place, { isAtFault, now }), {
        plan: isAtFault ? planLostVote : (subjects) => planReturnedVote(subjects, place.location, now),
        now,
      }),
  };

  function change(
    store: (tx: Tx) => Promise<ChangedLocation | undefined>,
    { plan, now }: Omit<VoteChange, "ids">,
  ): Promise<LocationChange> {
    return transact(async (tx) => {
      const changed = await store(tx);
      if (!changed) return { isChanged: false, asksHere: false };
      const ids = await listMonitorsAt(tx, changed);
      const asksHere = await changeVotes(tx, engine, { ids, plan, now });
      await notifyOf({ ...tx, now }, changed);
      return { isChanged: true, asksHere };
    });
  }
}

/** Loads the monitors, and saves the plan for them. @returns whether this server is to check one of them now */
async function changeVotes<Subject extends StoredSubject>(
  tx: Tx,
  engine: RecordingEngine<Subject>,
  { ids, plan, now }: VoteChange,
): Promise<boolean> {
  let asksHere = false;
  for (let at = 0; at < ids.length; at += engine.monitorsAtOnce) {
    const some = ids.slice(at, at + engine.monitorsAtOnce);
    const subjects = await engine.loadSubjects(tx, wantedFromNowhere(now, some));
    const planned = plan(subjects.values(), now);
    await savePlan(tx, engine, { subjects, plan: planned.plan });
    asksHere ||= planned.asksHere;
    // On SQLite, nothing else has run since the previous monitors.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return asksHere;
}
