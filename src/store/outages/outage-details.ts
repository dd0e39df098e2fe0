import type { Detail } from "../../domain/checks/observation.ts";
import type { OutageWithDetail } from "../../domain/outages/outage.ts";
import type { Page, PageRequest } from "../page.ts";
import { readMeasured } from "../results/measured.ts";
import { readDetails } from "../results/results.ts";
import type { Tx } from "../tx.ts";
import { listRows, type OutageFilter, type OutageRow, withoutKeys } from "./outages.ts";

/** One page of the outages of an organization, each with the detail of its first result. @throws AppError like `listOutages` */
export async function listOutagesWithDetails(
  tx: Tx,
  organizationId: string,
  request: PageRequest & OutageFilter,
): Promise<Page<OutageWithDetail>> {
  const { rows, cursor } = await listRows(tx, organizationId, request);
  const details = await firstDetails(tx, rows);
  const items = rows.map((row) => ({ ...withoutKeys(row), detail: details.get(row.pk) ?? null }));
  return { items, cursor };
}

/** The details of the first results of some outages, by the number of the outage. */
export async function firstDetails(
  tx: Tx,
  outages: readonly OutageRow[],
): Promise<Map<number, Detail | null>> {
  const stored = await readDetails(tx, outages);
  return new Map(outages.map((one) => [one.pk, detailOf(one, stored.get(one.detailPk ?? 0))]));
}

/** The detail of the first result. Only the reason is left after the result and its detail were deleted. */
export function detailOf(
  { reason, timings }: { reason: string | null; timings: Uint8Array | null },
  stored: Detail | undefined,
): Detail | null {
  return stored === undefined && reason !== null ? { reason } : readMeasured(timings, stored).detail;
}
