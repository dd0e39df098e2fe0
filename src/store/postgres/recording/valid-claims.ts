import type { Recording } from "../../../domain/monitors/recording-plan.ts";
import type { Sql } from "../../tx.ts";
import type { OpenClaims } from "../monitors/check-claims.ts";
import { arraysOf } from "../values.ts";
import type { StoredSubject } from "./load-subjects.ts";

/** The claim of a check whose outcome is to be recorded. @property slot undefined if it is not known here */
interface CheckClaim {
  claim: number;
  monitorPk: number;
  slot: number | undefined;
}

const FIND_SLOTS = `SELECT wanted.claim, wanted.pk AS "monitorPk", entry.slot
  FROM unnest($1::bigint[], $2::integer[]) AS wanted (claim, pk)
  JOIN check_claims ON check_claims.pk = wanted.claim
  CROSS JOIN LATERAL unnest(monitor_pks, slots) AS entry (pk, slot)
  WHERE entry.pk = wanted.pk`;

/* Only the claims of other nodes matter: the outcome of an earlier claim of this node is never recorded after a later claim. */
const FIND_TAKEOVERS = `SELECT entry.pk AS "monitorPk", entry.slot, check_claims.pk AS claim
  FROM check_claims CROSS JOIN LATERAL unnest(monitor_pks, slots) AS entry (pk, slot)
  WHERE is_takeover AND entry.pk = ANY($1::integer[])`;

/**
 * The events whose claim still decides on its slot, and events without a claim. A claim that has lapsed holds until another node
 * claims the slot. To be called after the states of the monitors were locked.
 */
export async function withValidClaim(
  sql: Sql,
  events: readonly Recording[],
  { subjects, openClaims }: { subjects: ReadonlyMap<string, StoredSubject>; openClaims: OpenClaims },
): Promise<Recording[]> {
  const claims = new Map<Recording, CheckClaim>();
  for (const event of events) {
    const { kind, claim, monitorId } = event;
    const subject = subjects.get(monitorId);
    if (kind === "check" && claim !== undefined && subject)
      claims.set(event, { claim, monitorPk: subject.pk, slot: openClaims.slotOf(claim, monitorId) });
  }
  await findSlots(sql, [...claims.values()]);
  const takenOver = [...subjects.values()].filter(({ isTakenOver }) => isTakenOver);
  const takeovers = await findTakeovers(sql, takenOver);
  return events.filter((event) => {
    const subject = subjects.get(event.monitorId);
    if (event.claim === undefined) return true;
    if (!subject) return false;
    const check = claims.get(event);
    return check ? holds(check, subject, takeovers) : holdsJob(event.claim, subject);
  });
}

async function findSlots({ query }: Sql, claims: readonly CheckClaim[]): Promise<void> {
  const unknown = claims.filter(({ slot }) => slot === undefined);
  if (unknown.length === 0) return;
  const rows = await query<CheckClaim>(FIND_SLOTS, arraysOf(unknown, ["claim", "monitorPk"]));
  const slots = new Map(rows.map(({ claim, monitorPk, slot }) => [`${claim} ${monitorPk}`, slot]));
  for (const one of unknown) one.slot = slots.get(`${one.claim} ${one.monitorPk}`);
}

async function findTakeovers(sql: Sql, subjects: readonly StoredSubject[]): Promise<CheckClaim[]> {
  return subjects.length > 0 ? sql.query<CheckClaim>(FIND_TAKEOVERS, arraysOf(subjects, ["pk"])) : [];
}

function holds(
  { claim, monitorPk, slot }: CheckClaim,
  { state }: StoredSubject,
  takeovers: readonly CheckClaim[],
): boolean {
  const isLater = (other: CheckClaim) =>
    other.monitorPk === monitorPk && other.slot === slot && other.claim > claim;
  return slot === state.nextCheckAt && !takeovers.some(isLater);
}

function holdsJob(claim: number, { claim: latest, claimedSlot, slot }: StoredSubject): boolean {
  return claim === latest && claimedSlot === slot;
}
