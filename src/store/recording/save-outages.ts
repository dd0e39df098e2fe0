import type { OutageChange } from "../../domain/monitors/planned-result.ts";
import type {
  PlannedResult,
  PlannedTransition,
  RecordingPlan,
} from "../../domain/monitors/recording-plan.ts";
import { isDown } from "../../domain/monitors/status.ts";
import { createId } from "../ids.ts";
import type { RowUpdate, Sql, Tx } from "../tx.ts";
import type { SavedResult } from "./recording-engine.ts";
import { findSubject, type StoredSubjects } from "./stored-subject.ts";

type Outages = Tx["tables"]["outages"];

/** An outage that the plan opens, as it is after the plan. */
type NewOutage = Outages["$inferInsert"];

/** The changes of a stored outage; an absent field stays as it is. */
type ChangedOutage = Pick<RowUpdate<Outages>["set"], "endedAt" | "status"> & {
  pk: number;
  isUnacknowledged: boolean;
};

interface Saved {
  subjects: StoredSubjects;
  results: readonly SavedResult[];
}

/**
 * @property openOutages the number of the open outage of each monitor that the changes concern, by its ID; null if it has none
 *   now
 */
interface SavedOutages {
  openOutages: ReadonlyMap<string, number | null>;
  opened: OpenedOutages;
}

export const UNCHANGED: SavedOutages = { openOutages: new Map(), opened: new Map() };

export async function saveOutages(
  tx: Tx,
  saved: Saved,
  changes: readonly OutageChange[],
): Promise<SavedOutages> {
  const open = new Map<string, NewOutage | ChangedOutage | null>();
  const opened = new Map<OutageChange, NewOutage>();
  const changed = new Set<ChangedOutage>();
  const downs = new DownChanges<NewOutage | ChangedOutage>();
  for (const change of changes) {
    const { monitorId } = change;
    const known = open.get(monitorId);
    if (change.kind === "opened") {
      const outage = newOutage(saved, change);
      opened.set(change, outage);
      open.set(monitorId, outage);
      continue;
    }
    const outage = known ?? storedOutage(saved, monitorId);
    open.set(monitorId, change.kind === "closed" ? null : outage);
    if (change.kind === "downBegan") downs.begin(outage, change.at);
    else if (change.kind === "downEnded") downs.end(outage, change.at);
    else {
      if (!("id" in outage)) changed.add(outage);
      apply(outage, change);
    }
  }
  const pks = await insert(tx, [...opened.values()]);
  await update(tx, [...changed]);
  await downs.save(tx, (outage) => pkOf(outage, pks));
  return {
    openOutages: new Map([...open].map(([monitorId, outage]) => [monitorId, outage && pkOf(outage, pks)])),
    opened: new Map([...opened].map(([change, { id }]) => [change, { id, pk: pks.get(id) ?? 0 }])),
  };
}

function apply(
  outage: NewOutage | ChangedOutage,
  change: Exclude<OutageChange, { kind: "opened" | "downBegan" | "downEnded" }>,
): void {
  if (change.kind === "closed") outage.endedAt = change.endedAt;
  else if (change.kind === "worsened") outage.status = change.status;
  else if (!("id" in outage)) outage.isUnacknowledged = true;
}

function newOutage({ results }: Saved, change: OutageChange & { kind: "opened" }): NewOutage {
  const { startedAt, status, reason, maintenanceId, resultAt } = change;
  const saved = results[resultAt];
  if (!saved) throw new Error("an outage begins with a result that was not saved");
  const { pk: resultPk, organizationPk, monitorPk, timings, detailPk } = saved;
  const result = { resultPk, timings, detailPk };
  const place = { id: createId(), organizationPk, monitorPk };
  return { ...place, startedAt, endedAt: null, status, reason, maintenanceId, ...result };
}

function storedOutage({ subjects }: Saved, monitorId: string): ChangedOutage {
  return { pk: findSubject(subjects, monitorId).outagePk ?? 0, isUnacknowledged: false };
}

function pkOf(outage: NewOutage | ChangedOutage, pks: ReadonlyMap<string, number>): number | null {
  return "id" in outage ? (pks.get(outage.id) ?? null) : outage.pk;
}

const FIND = "SELECT pk, id FROM outages WHERE id = ANY($1::text[])";

async function insert(
  { query, sets, tables: { outages } }: Tx,
  opened: readonly NewOutage[],
): Promise<Map<string, number>> {
  if (opened.length === 0) return new Map();
  await sets.insert(outages, opened);
  const rows = await query<{ pk: number; id: string }>(FIND, [opened.map(({ id }) => id)]);
  return new Map(rows.map(({ pk, id }) => [id, pk]));
}

/** One statement for each column: SQLite writes an index for each update that names its column, changed or not. */
async function update({ sets, tables: { outages } }: Tx, changed: readonly ChangedOutage[]): Promise<void> {
  if (changed.length === 0) return;
  const closed = changed.flatMap(({ pk, endedAt }) =>
    endedAt === undefined ? [] : [{ where: { pk }, set: { endedAt } }],
  );
  await sets.update(outages, closed);
  const worsened = changed.flatMap(({ pk, status }) =>
    status === undefined ? [] : [{ where: { pk }, set: { status } }],
  );
  await sets.update(outages, worsened);
  const unacknowledged = changed.filter(({ isUnacknowledged }) => isUnacknowledged);
  const set = { acknowledgedAt: null, acknowledgedBy: null, note: null };
  await sets.update(
    outages,
    unacknowledged.map(({ pk }) => ({ where: { pk }, set })),
  );
}

/** After the clock was set back, a stretch may begin again at the same time. */
const SAVE_DOWNS = `INSERT INTO outage_downs (outage_pk, started_at, ended_at)
  SELECT * FROM json_to_recordset($1) AS begun (outage_pk bigint, started_at bigint, ended_at bigint) WHERE true
  ON CONFLICT (outage_pk, started_at) DO UPDATE SET ended_at = excluded.ended_at`;
const END_DOWNS = `UPDATE outage_downs SET ended_at = ended.at
  FROM json_to_recordset($1) AS ended (outage_pk bigint, at bigint)
  WHERE outage_downs.outage_pk = ended.outage_pk AND outage_downs.ended_at IS NULL`;

/** A stretch that a plan begins. @property endedAt null if the plan does not end it */
interface NewDown {
  startedAt: number;
  endedAt: number | null;
}

/** The stretches of outages in which their monitors are down, as a plan changes them. `Outage` identifies one of the plan. */
class DownChanges<Outage> {
  /** The latest last. */
  readonly #begun = new Map<Outage, NewDown[]>();
  /** When the stored stretches end. */
  readonly #ended = new Map<Outage, number>();

  begin(outage: Outage, startedAt: number): void {
    const begun = this.#begun.get(outage) ?? [];
    const others = begun.filter((one) => one.startedAt !== startedAt);
    this.#begun.set(outage, [...others, { startedAt, endedAt: null }]);
  }

  end(outage: Outage, at: number): void {
    const begun = this.#begun.get(outage)?.at(-1);
    if (begun) begun.endedAt = at;
    else this.#ended.set(outage, at);
  }

  /** @param pkOf the number of an outage, after all of them are saved */
  async save({ query }: Sql, pkOf: (outage: Outage) => number | null): Promise<void> {
    const ended = [...this.#ended].map(([outage, at]) => ({ outage_pk: pkOf(outage), at }));
    if (ended.length > 0) await query(END_DOWNS, [JSON.stringify(ended)]);
    const begun = [...this.#begun].flatMap(([outage, downs]) =>
      downs.map(({ startedAt, endedAt }) => ({
        ...{ outage_pk: pkOf(outage), started_at: startedAt, ended_at: endedAt },
      })),
    );
    if (begun.length > 0) await query(SAVE_DOWNS, [JSON.stringify(begun)]);
  }
}

const NOTHING = {};

/** Saves which results changed the status of their monitor. */
export async function saveStatusChanges(
  { sets, tables: { statusChanges } }: Tx,
  saved: readonly SavedResult[],
  results: readonly PlannedResult[],
): Promise<void> {
  const rows: (typeof statusChanges.$inferInsert)[] = [];
  for (const [at, { status, previousStatus }] of results.entries()) {
    const result = saved[at];
    if (previousStatus === null || !result) continue;
    const { pk: resultPk, organizationPk, monitorPk, timings, detailPk, createdAt } = result;
    const copied = { status, timings, detailPk };
    const change = { resultPk, organizationPk, monitorPk, previousStatus, createdAt };
    // PostgreSQL has no copy of the result.
    rows.push({ ...change, ...("timings" in statusChanges ? copied : (NOTHING as typeof copied)) });
  }
  await sets.insert(statusChanges, rows);
}

/** The number and the ID of an outage. */
interface OutageKey {
  pk: number;
  id: string;
}

/** The outages that a plan opened. */
export type OpenedOutages = ReadonlyMap<OutageChange, OutageKey>;

export type OutageOf = (transition: PlannedTransition) => (OutageKey & { startedAt: number }) | null;

/**
 * Finds the outage that a transition begins, continues or ends. There is none if a pause ended it.
 *
 * @param opened the outages that the plan opened
 */
export function outageFinder(
  { outages }: Pick<RecordingPlan, "outages">,
  { subjects, opened }: { subjects: StoredSubjects; opened: OpenedOutages },
): OutageOf {
  const changes = Map.groupBy(outages, ({ monitorId }) => monitorId);
  return ({ monitor: { id }, resultAt }) => {
    const own = changes.get(id)?.findLast((one) => one.kind === "opened" && one.resultAt <= resultAt);
    const key = own && opened.get(own);
    if (own?.kind === "opened" && key) return { ...key, startedAt: own.startedAt };
    const { outagePk: pk, outageId, state } = findSubject(subjects, id);
    if (pk === null || outageId === null || !state.outage) return null;
    return { pk, id: outageId, startedAt: state.outage.startedAt };
  };
}

/** A monitor of which something changed. @property at when, in milliseconds since 1970 */
export interface ChangedMonitor {
  monitorPk: number;
  at: number;
}

/** The monitors that a plan takes out of group down, and since when. */
export function recoveredMonitors(
  subjects: StoredSubjects,
  { outages, transitions, states }: RecordingPlan,
): ChangedMonitor[] {
  // Almost always: such a change ends an outage or is a transition.
  if (outages.length === 0 && transitions.length === 0) return [];
  return [...states].flatMap(([monitorId, { status, statusSince }]) => {
    const subject = subjects.get(monitorId);
    const isRecovered = subject && isDown[subject.state.status] && !isDown[status];
    return isRecovered ? [{ monitorPk: subject.pk, at: statusSince ?? 0 }] : [];
  });
}
