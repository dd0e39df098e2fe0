import type { OutageChange } from "../../../domain/monitors/outage.ts";
import { createId } from "../../ids.ts";
import type { OutageKey } from "../../recording/plan-effects.ts";
import { findSubject, type StoredSubjects } from "../../recording/stored-subject.ts";
import { statusCodes } from "../../status-codes.ts";
import { type Database, prepared } from "../open.ts";
import type { InsertedResult } from "../results/insert-result.ts";

const OPEN = `INSERT INTO outages
  (id, organization_pk, monitor_pk, started_at, status, reason, maintenance_id, result_pk, timings, detail_pk)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const WORSEN = "UPDATE outages SET status = ? WHERE pk = ?";
const UNACKNOWLEDGE = `UPDATE outages SET acknowledged_at = NULL, acknowledged_by = NULL, note = NULL
  WHERE pk = ?`;
const CLOSE = "UPDATE outages SET ended_at = ? WHERE pk = ?";
/** After the clock was set back, a stretch may begin again at the same time. */
const BEGIN_DOWN = `INSERT INTO outage_downs (outage_pk, started_at) VALUES (?, ?)
  ON CONFLICT (outage_pk, started_at) DO UPDATE SET ended_at = NULL`;
const END_DOWN = "UPDATE outage_downs SET ended_at = ? WHERE outage_pk = ? AND ended_at IS NULL";

/**
 * @property openOutages the number of the open outage of each monitor that the changes concern, by its ID; null if it has none
 *   now
 */
interface SavedOutages {
  openOutages: Map<string, number | null>;
  opened: Map<OutageChange, OutageKey>;
}

interface Saved {
  subjects: StoredSubjects;
  results: readonly InsertedResult[];
}

export function saveOutages(
  db: Database,
  { subjects, results }: Saved,
  changes: readonly OutageChange[],
): SavedOutages {
  const outages: SavedOutages = { openOutages: new Map(), opened: new Map() };
  const { openOutages, opened } = outages;
  for (const change of changes) {
    const { monitorId, resultAt } = change;
    const subject = findSubject(subjects, monitorId);
    if (change.kind === "opened") {
      const key = open(db, { ...subject, monitorPk: subject.pk, result: results[resultAt] }, change);
      opened.set(change, key);
      openOutages.set(monitorId, key.pk);
      continue;
    }
    update(db, openOutages.get(monitorId) ?? subject.outagePk, change);
    if (change.kind === "closed") openOutages.set(monitorId, null);
  }
  return outages;
}

function open(
  db: Database,
  {
    organizationPk,
    monitorPk,
    result,
  }: { organizationPk: number; monitorPk: number; result: InsertedResult | undefined },
  { startedAt, status, reason, maintenanceId }: OutageChange & { kind: "opened" },
): OutageKey {
  const id = createId();
  const keys = [id, organizationPk, monitorPk, startedAt];
  const copied = [result?.pk ?? 0, result?.timings ?? null, result?.detailPk ?? null];
  const row = [...keys, statusCodes[status], reason, maintenanceId, ...copied];
  return { id, pk: Number(prepared(db, OPEN).run(...row).lastInsertRowid) };
}

function update(db: Database, pk: number | null, change: Exclude<OutageChange, { kind: "opened" }>): void {
  switch (change.kind) {
    case "worsened":
      prepared(db, WORSEN).run(statusCodes[change.status], pk);
      break;
    case "unacknowledged":
      prepared(db, UNACKNOWLEDGE).run(pk);
      break;
    case "downBegan":
      prepared(db, BEGIN_DOWN).run(pk, change.at);
      break;
    case "downEnded":
      prepared(db, END_DOWN).run(change.at, pk);
      break;
    case "closed":
      prepared(db, CLOSE).run(change.endedAt, pk);
  }
}
