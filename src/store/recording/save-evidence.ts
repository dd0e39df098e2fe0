import { knownAddresses } from "../../domain/checks/target-memory.ts";
import { askedLook, type EvidenceLook } from "../../domain/evidence/asked-look.ts";
import type { AllPhases, Good } from "../../domain/evidence/evidence.ts";
import { NOTHING_LOOKED } from "../../domain/evidence/evidence.ts";
import { explainAlone, makeEvidence } from "../../domain/evidence/evidence-data.ts";
import type { EvidenceBudget, LastAnswers } from "../../domain/evidence/evidence-limits.ts";
import type { PlannedEvidence } from "../../domain/evidence/planned-evidence.ts";
import { HERE } from "../../domain/locations/location.ts";
import type { Recording, RecordingPlan } from "../../domain/monitors/recording-plan.ts";
import { groupOf } from "../../domain/monitors/status.ts";
import { createId } from "../ids.ts";
import type { Sql, Tx } from "../tx.ts";
import { packEvidence } from "./evidence-rows.ts";
import { findGoods } from "./find-good.ts";
import { findSubject, type StoredSubject, type StoredSubjects } from "./stored-subject.ts";

/** The limits and the answers that only this process knows: no database has them. */
export interface EvidenceParts {
  budget: EvidenceBudget;
  answers: LastAnswers;
}

/** Evidence of a check that was just stored, whose location may look once more. @property location its number */
export interface StoredEvidence {
  monitorId: string;
  location: number;
  look: EvidenceLook;
}

type Row = Tx["tables"]["evidence"]["$inferInsert"];

const EVERY = 60_000;

/** Which of some evidence has evidence of the same monitor in the minute before it. */
const FIND_RECENT = `SELECT place FROM json_to_recordset($1) AS wanted (place integer, monitor_pk integer, at bigint)
  WHERE EXISTS (SELECT 1 FROM evidence
    WHERE evidence.monitor_pk = wanted.monitor_pk AND evidence.at > wanted.at - ${EVERY} AND evidence.at <= wanted.at)`;

/**
 * The outage of evidence is that in which its check ended: also if it opened only later, because a suspicion began before it was
 * confirmed (behavior 22.5).
 */
const LINK = `UPDATE evidence SET outage_pk = (
    SELECT outages.pk FROM outages
    WHERE outages.monitor_pk = evidence.monitor_pk AND outages.started_at <= evidence.at
      AND (outages.ended_at IS NULL OR outages.ended_at > evidence.at)
    ORDER BY outages.pk DESC LIMIT 1)
  WHERE monitor_pk = ANY($1) AND at >= $2 AND outage_pk IS NULL`;

/** Evidence that is to be saved. @property isWhole whether more than the layer and the summary is kept */
interface Wanted extends PlannedEvidence {
  id: string;
  isWhole: boolean;
  subject: StoredSubject;
}

/**
 * Saves the evidence of a plan, within its transaction: after its results and outages, and before the states, which still have the
 * results before.
 *
 * @returns the evidence of which all was kept, and whose location may look once more
 */
export async function saveEvidence(
  tx: Tx,
  subjects: StoredSubjects,
  { plan, parts, now }: { plan: RecordingPlan; parts: EvidenceParts; now: number },
): Promise<StoredEvidence[]> {
  const planned = await withinLimit(tx, subjects, plan.evidence);
  const wanted = planned.map((one): Wanted => {
    const id = createId();
    const isWhole = parts.budget.take(one.location, id, now);
    if (one.isLate) parts.budget.end(one.location, id);
    return { ...one, id, isWhole, subject: findSubject(subjects, one.monitorId) };
  });
  const goods = await findGoods(
    tx,
    wanted.filter(({ isWhole }) => isWhole),
    parts.answers,
  );
  await tx.sets.insert(
    tx.tables.evidence,
    wanted.map((one) => rowOf(one, goods.get(one.id) ?? null)),
  );
  await link(tx, subjects, { wanted, plan });
  return wanted.flatMap((one) => {
    const { id, monitorId, location, isWhole, isLate } = one;
    const look = { evidenceId: id, ...askedLook(one.observation, one) };
    return isWhole && !isLate ? [{ monitorId, location, look }] : [];
  });
}

async function link(
  { query }: Sql,
  subjects: StoredSubjects,
  { wanted, plan: { outages } }: { wanted: readonly Wanted[]; plan: RecordingPlan },
): Promise<void> {
  const opened = outages.flatMap((one) => (one.kind === "opened" ? [one] : []));
  const monitorPks = [...wanted, ...opened].map(({ monitorId }) => findSubject(subjects, monitorId).pk);
  const since = Math.min(...wanted.map(({ at }) => at), ...opened.map(({ startedAt }) => startedAt));
  if (monitorPks.length > 0) await query(LINK, [[...new Set(monitorPks)], since]);
}

/** At most one a minute for each monitor, except what opens an outage or turns it to down. */
async function withinLimit(
  { query }: Sql,
  subjects: StoredSubjects,
  planned: readonly PlannedEvidence[],
): Promise<PlannedEvidence[]> {
  const limited = planned.flatMap(({ monitorId, at, isExempt }, place) =>
    isExempt ? [] : [{ place, monitor_pk: findSubject(subjects, monitorId).pk, at }],
  );
  const found =
    limited.length > 0 ? await query<{ place: number }>(FIND_RECENT, [JSON.stringify(limited)]) : [];
  const recent = new Set(found.map(({ place }) => place));
  const last = new Map<string, number>();
  return planned.filter(({ monitorId, at, isExempt }, place) => {
    const before = last.get(monitorId) ?? Number.NEGATIVE_INFINITY;
    const isKept = isExempt || (!recent.has(place) && at - before >= EVERY);
    if (isKept) last.set(monitorId, at);
    return isKept;
  });
}

function rowOf(wanted: Wanted, good: Good | null): Row {
  const { id, at, location, seen, memory, isWhole, subject } = wanted;
  const given = { good, known: knownAddresses(memory, at), look: NOTHING_LOOKED, doOtherPortsAnswer: false };
  const failure = { ...wanted, ...given };
  const made = isWhole ? makeEvidence(failure) : { ...explainAlone(failure), data: null };
  const { reason } = seen.detail ?? {};
  return {
    ...{ id, organizationPk: subject.organizationPk, monitorPk: subject.pk, outagePk: null, location, at },
    ...{ status: seen.status, reason: typeof reason === "string" ? reason : null },
    ...{ layer: made.layer, summary: made.summary, data: made.data && packEvidence(made.data) },
  };
}

/** The answers that healthy checks read, after they were recorded. */
export function noteAnswers(
  { answers }: EvidenceParts,
  plan: RecordingPlan,
  events: readonly Recording[],
): void {
  for (const [at, event] of events.entries()) {
    if (event.kind !== "check" || event.evidence.outcome !== "reached") continue;
    const { size, headerNames, detail } = event.evidence;
    if (size === undefined && headerNames === undefined) continue;
    const seen = plan.recorded[at]?.seen;
    if (seen === undefined || groupOf[seen] !== "healthy") continue;
    const { body: ms } = (detail.phases ?? {}) as AllPhases;
    const answer = { size, ms, headerNames: headerNames?.join("\n") };
    answers.note(event.monitorId, event.location ?? HERE, answer);
  }
}
