import { knownTls, type Memory } from "../../domain/checks/judge.ts";
import type { Detail } from "../../domain/checks/observation.ts";
import type { Good } from "../../domain/evidence/evidence.ts";
import type { LastAnswers } from "../../domain/evidence/evidence-limits.ts";
import type { PlannedEvidence } from "../../domain/evidence/planned-evidence.ts";
import { groupOf, type Status } from "../../domain/monitors/status.ts";
import { RESULT_COLUMNS, type ResultRow } from "../results/result-items.ts";
import { readDetails } from "../results/results.ts";
import { readMeasured } from "../results/timings.ts";
import { statusOfCode } from "../status-codes.ts";
import type { Sql } from "../tx.ts";
import { unpackEvidence } from "./evidence-rows.ts";
import type { StoredSubject } from "./stored-subject.ts";

/** A failure whose last good check is looked up. */
type Failed = Pick<PlannedEvidence, "monitorId" | "at" | "location" | "memory"> & {
  id: string;
  subject: StoredSubject;
};

/** Older results are packed on SQLite: they are not read for this. */
const RECENT = 2 * 60 * 60_000;

const LIST_RECENT = `SELECT ${RESULT_COLUMNS} FROM check_results
  WHERE monitor_pk = ANY($1::integer[]) AND created_at >= $2 AND created_at < $3 ORDER BY pk DESC`;
/** For monitors that are checked less often. */
const LIST_LAST = `SELECT last_result_pk AS pk, monitor_pk AS "monitorPk", last_status AS status, last_timings AS timings,
    last_detail_pk AS "detailPk", last_result_at AS "createdAt"
  FROM monitor_states WHERE monitor_pk = ANY($1::integer[]) AND last_status IS NOT NULL`;
/** The trouble goes on since then, if no later check was good. */
const LIST_EVIDENCE = `SELECT monitor_pk AS "monitorPk", location, data FROM evidence
  WHERE pk IN (SELECT max(pk) FROM evidence WHERE monitor_pk = ANY($1::integer[]) AND data IS NOT NULL GROUP BY monitor_pk, location)`;

/**
 * The last good check before some failures at the same location, as far as results, memory and earlier evidence have it. To be called
 * before the states of the monitors are saved. The number of statements does not depend on how many failures there are.
 *
 * @returns by the ID of the evidence
 */
export async function findGoods(
  sql: Sql,
  failed: readonly Failed[],
  answers: LastAnswers,
): Promise<Map<string, Good>> {
  const found = new Map<string, Good>();
  const missing = () => failed.filter(({ id }) => !found.has(id));
  const search = async (list: (pks: number[]) => Promise<ResultRow[]>) => {
    const left = missing();
    if (left.length === 0) return;
    const rows = await list([...new Set(left.map(({ subject }) => subject.pk))]);
    const details = await readDetails(sql, rows);
    const byMonitor = Map.groupBy(rows, ({ monitorPk }) => monitorPk);
    for (const one of left) {
      const good = goodAmong(byMonitor.get(one.subject.pk) ?? [], details, one);
      if (good) found.set(one.id, withAnswer(good, answers.find(one.monitorId, one.location)));
    }
  };
  const times = failed.map(({ at }) => at);
  await search((pks) => sql.query(LIST_RECENT, [pks, Math.min(...times) - RECENT, Math.max(...times)]));
  await search((pks) => sql.query(LIST_LAST, [pks]));
  const left = missing();
  if (left.length > 0) await addFromEvidence(sql, left, found);
  return found;
}

function withAnswer(good: Good, answer: ReturnType<LastAnswers["find"]>): Good {
  if (!answer) return good;
  const { size = null, ms, headerNames } = answer;
  const phases = ms === undefined ? good.phases : { ...good.phases, body: ms };
  return { ...good, size, phases, ...(headerNames !== undefined && { headerNames }) };
}

function goodAmong(
  rows: readonly ResultRow[],
  details: ReadonlyMap<number, Detail>,
  { at, memory, location, subject: { places } }: Failed,
): Good | null {
  const name = places?.list.find((place) => place.location === location)?.name;
  for (const { status, timings, detailPk, createdAt } of rows) {
    if (createdAt >= at) continue;
    const { detail } = readMeasured(timings, details.get(detailPk ?? 0));
    const seen = (detail?.seen as { status?: Status } | undefined)?.status ?? statusOfCode(status);
    if (groupOf[seen] !== "healthy" || (places && detail?.location !== name)) continue;
    return goodOf({ at: createdAt, detail, memory });
  }
  return null;
}

function goodOf({ at, detail, memory }: { at: number; detail: Detail | null; memory: Memory | null }): Good {
  const { address, statusCode, phases } = detail ?? {};
  const [valid = null] = memory && "valid" in memory ? memory.valid : [];
  return {
    at,
    address: typeof address === "string" ? address : null,
    certificate: memory?.fingerprint ?? valid,
    statusCode: typeof statusCode === "number" ? statusCode : null,
    size: null,
    phases: phases ?? {},
    protocol: knownTls(memory)?.protocol ?? null,
  };
}

async function addFromEvidence(
  { query }: Sql,
  failed: readonly Failed[],
  found: Map<string, Good>,
): Promise<void> {
  const pks = [...new Set(failed.map(({ subject }) => subject.pk))];
  const rows = await query<{ monitorPk: number; location: number; data: Uint8Array }>(LIST_EVIDENCE, [pks]);
  for (const { id, location, subject, at } of failed) {
    const row = rows.find((one) => one.monitorPk === subject.pk && one.location === location);
    const good = row && unpackEvidence(row.data).good;
    if (good && good.at < at) found.set(id, good);
  }
}
