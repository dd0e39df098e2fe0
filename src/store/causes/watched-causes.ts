import { commonEnd, type Fact, FEWEST, FEWEST_SUSPECTED } from "../../domain/causes/causes.ts";
import type { CausePlan, OpenCause, Trouble } from "../../domain/causes/plan-causes.ts";
import { createId } from "../ids.ts";
import { askSpread } from "../maintenance/ask-at-end.ts";
import { unpackEvidence } from "../recording/evidence-rows.ts";
import { fromJson, type Sql, type TimedTx, type Tx } from "../tx.ts";

/** An organization whose causes may change. */
export interface WatchedOrganization {
  pk: number;
  id: string;
}

/** When a monitor with an open outage last got worse. */
const WORSE_AT = `coalesce((SELECT max(outage_downs.started_at) FROM outage_downs
    WHERE outage_downs.outage_pk = outages.pk AND outage_downs.ended_at IS NULL), outages.started_at)`;

const LIST_WATCHED = `SELECT pk, id FROM organizations WHERE pk IN (
    SELECT organization_pk FROM causes WHERE ended_at IS NULL
    UNION
    SELECT organization_pk FROM outages WHERE ended_at IS NULL AND ${WORSE_AT} >= $1
    GROUP BY organization_pk HAVING count(*) >= ${FEWEST_SUSPECTED})`;

/** The organizations with an open cause, or with enough failures to suspect one. @param since milliseconds since 1970 */
export function listWatched({ query }: Sql, since: number): Promise<WatchedOrganization[]> {
  return query<WatchedOrganization>(LIST_WATCHED, [since]);
}

/** The open outages of an organization, and its open causes. */
export interface StoredSituation {
  troubles: Trouble[];
  open: (OpenCause & { isOver: boolean })[];
}

const LIST_TROUBLES = `SELECT outages.pk AS "outagePk", monitors.id AS "monitorId", ${WORSE_AT} AS at,
    (SELECT cause_pk FROM cause_members JOIN causes ON causes.pk = cause_pk
      WHERE cause_members.outage_pk = outages.pk AND causes.ended_at IS NULL) AS "causePk"
  FROM outages JOIN monitors ON monitors.pk = outages.monitor_pk
  WHERE outages.organization_pk = $1 AND outages.ended_at IS NULL AND monitors.type <> 'SCHEDULED'
  ORDER BY outages.pk`;

const LIST_OPEN = `SELECT pk, kind, value, started_at AS "startedAt" FROM causes
  WHERE organization_pk = $1 AND ended_at IS NULL ORDER BY pk`;

const LIST_MEMBERS = `SELECT cause_pk AS "causePk", monitors.id AS "monitorId", outages.ended_at IS NULL AS "isOpen"
  FROM cause_members JOIN monitors ON monitors.pk = cause_members.monitor_pk
  JOIN outages ON outages.pk = cause_members.outage_pk
  WHERE cause_pk = ANY($1::bigint[])`;

export async function findSituation({ query }: Tx, organization: number): Promise<StoredSituation> {
  const troubles = await query<Trouble>(LIST_TROUBLES, [organization]);
  const causes = await query<Fact & { pk: number; startedAt: number }>(LIST_OPEN, [organization]);
  const members =
    causes.length === 0
      ? []
      : await query<{ causePk: number; monitorId: string; isOpen: boolean }>(LIST_MEMBERS, [
          causes.map(({ pk }) => pk),
        ]);
  const byCause = Map.groupBy(members, ({ causePk }) => causePk);
  const open = causes.map((cause) => {
    const own = byCause.get(cause.pk) ?? [];
    const monitorIds = [...new Set(own.map(({ monitorId }) => monitorId))];
    return { ...cause, monitorIds, isOver: own.every(({ isOpen }) => !isOpen) };
  });
  return { troubles, open };
}

/** Words that are stored with a new cause, for its title. */
export interface CauseWords {
  label: string | null;
  isOnlyLocation: boolean;
}

/** A plan with the words of what it opens. */
export type WordedPlan = Pick<CausePlan, "refuted" | "joined"> & {
  opened: (CausePlan["opened"][number] & CauseWords)[];
};

/** Two nodes may have made the same plan: the second one sees what the first one stored. */
const LOCK = "SELECT pk FROM organizations WHERE pk = $1 FOR NO KEY UPDATE";

const REFUTE =
  "UPDATE causes SET ended_at = $2, refuted_at = $2 WHERE pk = ANY($1::bigint[]) AND ended_at IS NULL";

/** A cause ends with the last of its outages. Outages of deleted monitors do not count; without any other outage, it has ended now. */
const END = `UPDATE causes SET ended_at = coalesce((
    SELECT max(outages.ended_at) FROM cause_members JOIN outages ON outages.pk = outage_pk
    JOIN monitors ON monitors.pk = cause_members.monitor_pk WHERE cause_pk = causes.pk), $2)
  WHERE organization_pk = $1 AND ended_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM cause_members JOIN outages ON outages.pk = outage_pk JOIN monitors ON monitors.pk = cause_members.monitor_pk
    WHERE cause_pk = causes.pk AND outages.ended_at IS NULL)`;

/** The outages of some that are open and have no open cause. */
const LIST_FREE = `SELECT outages.pk, outages.monitor_pk AS "monitorPk" FROM outages
  JOIN monitors ON monitors.pk = outages.monitor_pk
  WHERE outages.pk = ANY($1::bigint[]) AND outages.ended_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM cause_members JOIN causes ON causes.pk = cause_pk
    WHERE cause_members.outage_pk = outages.pk AND causes.ended_at IS NULL)`;

const FIND_NEW = "SELECT pk, id FROM causes WHERE id = ANY($1::text[])";

/**
 * Stores how the causes of an organization change, and ends those without an open outage.
 *
 * @returns whether causes were opened or joined
 */
export async function saveCauses(
  tx: TimedTx,
  organization: number,
  { refuted, joined, opened }: WordedPlan,
): Promise<boolean> {
  const { query, sets, tables, now } = tx;
  await query(LOCK, [organization]);
  if (refuted.length > 0) await query(REFUTE, [refuted, now]);
  const wanted = [...joined.map(({ outagePk }) => outagePk), ...opened.flatMap(({ outagePks }) => outagePks)];
  const rows = wanted.length > 0 ? await query<{ pk: number; monitorPk: number }>(LIST_FREE, [wanted]) : [];
  const free = new Map(rows.map(({ pk, monitorPk }) => [pk, monitorPk]));
  const open = await query<Fact & { pk: number }>(LIST_OPEN, [organization]);
  const members: (typeof tables.causeMembers.$inferInsert)[] = [];
  const add = (causePk: number, outagePk: number) => {
    const monitorPk = free.get(outagePk);
    if (monitorPk !== undefined && free.delete(outagePk)) members.push({ causePk, outagePk, monitorPk });
  };
  const isOpen = new Set(open.map(({ pk }) => pk));
  for (const { causePk, outagePk } of joined) if (isOpen.has(causePk)) add(causePk, outagePk);
  const created: { id: string; outagePks: number[] }[] = [];
  const causes: (typeof tables.causes.$inferInsert)[] = [];
  for (const { outagePks, ...cause } of opened) {
    const same = open.find(({ kind, value }) => kind === cause.kind && value === cause.value);
    for (const pk of same ? outagePks : []) add(same?.pk ?? 0, pk);
    if (same || outagePks.filter((pk) => free.has(pk)).length < FEWEST) continue;
    const id = createId();
    created.push({ id, outagePks });
    causes.push({
      ...cause,
      id,
      organizationPk: organization,
      endsAfter: null,
      endedAt: null,
      refutedAt: null,
    });
  }
  await sets.insert(tables.causes, causes);
  const pks = await numbersOf(tx, created);
  for (const { id, outagePks } of created) for (const pk of outagePks) add(pks.get(id) ?? 0, pk);
  await sets.insert(tables.causeMembers, members);
  await query(END, [organization, now]);
  return members.length > 0;
}

async function numbersOf({ query }: Sql, created: readonly { id: string }[]): Promise<Map<string, number>> {
  if (created.length === 0) return new Map();
  const rows = await query<{ pk: number; id: string }>(FIND_NEW, [created.map(({ id }) => id)]);
  return new Map(rows.map(({ pk, id }) => [id, pk]));
}

/** The first evidence of the open causes of an organization that began after a time. */
const LIST_EVIDENCE = `SELECT cause_pk AS "causePk", ends_after AS "endsAfter", data
  FROM causes JOIN cause_members ON cause_pk = causes.pk JOIN evidence ON evidence.outage_pk = cause_members.outage_pk
  WHERE causes.organization_pk = $1 AND causes.ended_at IS NULL AND causes.started_at >= $2 AND data IS NOT NULL
  ORDER BY evidence.pk LIMIT 100`;

/** The end that the paths to the monitors of a cause have in common. @property endsAfter null if they have none */
export interface CauseEnd {
  pk: number;
  endsAfter: string | null;
}

/** The ends of the paths of the open causes of an organization, if others are stored. @param since when the causes began at the earliest */
export async function listCauseEnds({ query }: Tx, organization: number, since: number): Promise<CauseEnd[]> {
  const rows = await query<{ causePk: number; endsAfter: string | null; data: Uint8Array }>(LIST_EVIDENCE, [
    ...[organization, since],
  ]);
  return [...Map.groupBy(rows, ({ causePk }) => causePk)].flatMap(([pk, own]) => {
    const endsAfter = commonEnd(
      own.flatMap(({ data }) => [unpackEvidence(data).look.path ?? []].filter(isKnown)),
    );
    return endsAfter === own[0]?.endsAfter ? [] : [{ pk, endsAfter }];
  });
}

function isKnown(path: readonly unknown[]): boolean {
  return path.length > 0;
}

const SAVE_ENDS = `UPDATE causes SET ends_after = noted.hop
  FROM json_to_recordset($1) AS noted (pk bigint, hop text) WHERE causes.pk = noted.pk`;

export async function saveCauseEnds({ query }: Sql, ends: readonly CauseEnd[]): Promise<void> {
  if (ends.length === 0) return;
  await query(SAVE_ENDS, [JSON.stringify(ends.map(({ pk, endsAfter }) => ({ pk, hop: endsAfter })))]);
}

const LIST_ASKED = `SELECT pk, id, organization_pk AS "organizationPk", tags, locations FROM monitors
  WHERE organization_pk = $1 AND id = ANY($2::text[]) AND enabled AND type <> 'SCHEDULED' ORDER BY pk`;

interface AskedRow {
  pk: number;
  id: string;
  organizationPk: number;
  tags: string[];
  locations: number[] | null;
}

/** Schedules a check of some monitors at once, spread over some seconds (behavior 22.22). */
export async function askMonitors(
  tx: TimedTx,
  organization: number,
  { ids, within }: { ids: readonly string[]; within: number },
): Promise<void> {
  const rows = await tx.query<AskedRow>(LIST_ASKED, [organization, ids]);
  const asked = rows.map((row) => ({ ...row, tags: fromJson(row.tags), locations: fromJson(row.locations) }));
  await tx.lockStates(asked.map(({ pk }) => pk));
  await askSpread(tx, asked, within);
}

const PRUNE = "DELETE FROM causes WHERE ended_at < $1";

/** @param before those that ended earlier */
export async function pruneCauses({ query }: Sql, before: number): Promise<void> {
  await query(PRUNE, [before]);
}
