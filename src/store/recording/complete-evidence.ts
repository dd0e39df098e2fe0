import type { Detail } from "../../domain/checks/observation.ts";
import type { Look, SelfFacts } from "../../domain/evidence/evidence.ts";
import { afterLook, type EvidenceData } from "../../domain/evidence/evidence-data.ts";
import { configOfStep, endpointOf } from "../../domain/evidence/failure.ts";
import type { MonitorConfig, ProbedType } from "../../domain/monitors/monitor.ts";
import { groupOf } from "../../domain/monitors/status.ts";
import { statusOfCode } from "../status-codes.ts";
import { fromJson, type Sql, type Tx } from "../tx.ts";
import { packEvidence, unpackEvidence } from "./evidence-rows.ts";
import type { EvidenceParts } from "./save-evidence.ts";

/**
 * The findings of a location that looked once more.
 *
 * @property id of the evidence
 * @property location its number, the same as in the evidence
 * @property self null if the location does not know it; the database counts the monitors
 * @property now milliseconds since 1970
 */
export interface LookedEvidence {
  id: string;
  location: number;
  look: Look;
  self: Omit<SelfFacts, "healthyElsewhere" | "failingElsewhere"> | null;
  now: number;
}

interface Row {
  pk: number;
  monitorPk: number;
  organizationPk: number;
  type: ProbedType;
  config: MonitorConfig<ProbedType> | string;
  data: Uint8Array | null;
}

const FIND = `SELECT evidence.pk, monitor_pk AS "monitorPk", evidence.organization_pk AS "organizationPk", type, config, data
  FROM evidence JOIN monitors ON monitors.pk = monitor_pk WHERE evidence.id = $1 AND evidence.location = $2`;
const SAVE = "UPDATE evidence SET layer = $2, summary = $3, data = $4 WHERE pk = $1";

/** @returns false if there is no such evidence of this location any more, or only its layer and summary were kept */
export async function completeEvidence(
  tx: Tx,
  { budget }: EvidenceParts,
  { id, location, look, self, now }: LookedEvidence,
): Promise<boolean> {
  budget.end(location, id);
  const [row] = await tx.query<Row>(FIND, [id, location]);
  if (!row?.data) return false;
  const config = fromJson(row.config);
  const before = unpackEvidence(row.data);
  const { layer, summary, data } = afterLook(before, {
    ...{ type: row.type, config, look },
    self: self && { ...self, ...(await countOthers(tx, row, now)) },
    doOtherPortsAnswer:
      mentionsPorts(row, before) &&
      (await doOtherPortsAnswer(tx, row, { config, detail: before.seen.detail, now })),
  });
  const packed = packEvidence(data);
  if (packed) await tx.query(SAVE, [row.pk, layer, summary, packed]);
  return packed !== null;
}

/** Only the sentence of a refused connection says whether other ports answer: the search for them reads each config. */
function mentionsPorts({ type }: Row, { observation }: EvidenceData): boolean {
  if (type === "DNS") return false;
  const all =
    observation.outcome === "by_address" ? observation.addresses.map((one) => one.evidence) : [observation];
  return all.some((one) => one.outcome === "failed" && one.reason === "refused" && !one.facts?.isRedirected);
}

const MINUTE = 60_000;

/** The latest checks of the last minute, by what they saw. */
const COUNT_OTHERS = `SELECT last_status AS status, suspicion -> 'seen' ->> 'status' AS seen, count(*) AS count
  FROM monitor_states JOIN monitors ON monitors.pk = monitor_states.monitor_pk
  WHERE monitor_states.organization_pk = $1 AND monitor_states.monitor_pk <> $2 AND type <> 'SCHEDULED'
    AND last_result_at > $3 AND last_status IS NOT NULL
  GROUP BY 1, 2`;

async function countOthers({ query }: Sql, { organizationPk, monitorPk }: Row, now: number) {
  const rows = await query<{ status: number; seen: string | null; count: number }>(COUNT_OTHERS, [
    ...[organizationPk, monitorPk, now - MINUTE],
  ]);
  const counts = { healthyElsewhere: 0, failingElsewhere: 0 };
  for (const { status, seen, count } of rows) {
    const last = (seen ?? statusOfCode(status)) as keyof typeof groupOf;
    if (groupOf[last] === "healthy") counts.healthyElsewhere += Number(count);
    else counts.failingElsewhere += Number(count);
  }
  return counts;
}

/** The monitors whose config contains a text. Most of them have the same host. */
const LIST_OF_HOST = `SELECT config, monitor_states.last_status AS status
  FROM monitors JOIN monitor_states ON monitor_states.monitor_pk = monitors.pk
  WHERE monitors.organization_pk = $1 AND monitors.pk <> $2 AND enabled AND last_result_at > $3
    AND lower(CAST(config AS text)) LIKE $4 LIMIT 100`;

/** The longest interval of a check that still says something about the present. */
const RECENT = 10 * MINUTE;

/** Whether a healthy monitor of the same host has another port. */
async function doOtherPortsAnswer(
  { query }: Sql,
  { organizationPk, monitorPk }: Row,
  { config, detail, now }: { config: MonitorConfig; detail: Detail | null; now: number },
): Promise<boolean> {
  const own = endpointOf(configOfStep(config, detail));
  if (own.host === "" || own.port === null) return false;
  const pattern = `%${own.host.toLowerCase().replace(/[%_\\]/g, "_")}%`;
  const rows = await query<{ config: MonitorConfig | string; status: number | null }>(LIST_OF_HOST, [
    ...[organizationPk, monitorPk, now - RECENT, pattern],
  ]);
  return rows.some(({ config: other, status }) => {
    const { host, port } = endpointOf(fromJson(other));
    const isHealthy = status !== null && groupOf[statusOfCode(status)] === "healthy";
    return isHealthy && host === own.host && port !== null && port !== own.port;
  });
}
