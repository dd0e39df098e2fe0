import { memo } from "react";
import { Link } from "wouter";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { statusLabel } from "../../../domain/monitors/status.ts";
import type { Event, Result } from "../data/api.ts";
import { describeDetail, locationOf } from "../status/result-detail.ts";
import { StatusCell } from "../status/status-cell.tsx";
import { Badge } from "../ui/badge.tsx";
import { latencyOrDash } from "../ui/numbers.ts";
import { Time } from "../ui/time/time.tsx";
import { AlertOutcomeCell } from "./alert-outcome.tsx";

export const RESULT_COLUMNS = ["Time", "Status", { number: "Latency" }, "Detail", "Alert"];

/** The columns for a monitor that is checked from other locations. */
export const RESULT_COLUMNS_WITH_LOCATION = RESULT_COLUMNS.toSpliced(1, 0, "Location");

/** Milliseconds after which a pending delivery is no longer expected to change soon: its channel waits, or has failed. */
const SOON = 600_000;

/** Whether a delivery of its alert is pending, and may change soon. */
export function hasPendingAlert({ alertOutcome, createdAt }: Result): boolean {
  return alertOutcome?.status === "pending" && Date.now() - Date.parse(createdAt) < SOON;
}

interface Row {
  result: Result | Event;
  /** Whether the table has a column for the location. */
  hasLocation?: boolean;
}

/** One result, with its monitor if the list has results of all monitors. */
export const ResultRow = memo(function ResultRow({ result, hasLocation = false }: Row) {
  const { createdAt, status, latencyMs, detail, alertOutcome } = result;
  const location = locationOf(detail);
  return (
    <tr>
      <td>
        <Time at={createdAt} />
      </td>
      {"monitor" in result && (
        <td className="table-long">
          <Link href={`/monitors/${result.monitor.id}`}>{result.monitor.name}</Link>
          {location && <span className="text-muted"> · {location}</span>}
        </td>
      )}
      {hasLocation && <td className="table-long">{location || "–"}</td>}
      <td>
        <StatusCell state={displayStateOfStatus(status)} status={status} />
        <Before event={result} />
        {detail?.maintenance !== undefined && (
          <>
            {" "}
            <Badge>Maintenance</Badge>
          </>
        )}
      </td>
      <td className="table-number">{latencyOrDash(latencyMs)}</td>
      <td className="table-long table-detail">
        {detail && (
          <details>
            <summary>{describeDetail(detail) || "Details"}</summary>
            <pre>{JSON.stringify(detail, null, 2)}</pre>
          </details>
        )}
      </td>
      <td>{alertOutcome && <AlertOutcomeCell outcome={alertOutcome} />}</td>
    </tr>
  );
});

/** The status before a change. Nothing for the first result of a monitor. */
function Before({ event }: { event: Result | Event }) {
  const before = "previousStatus" in event ? event.previousStatus : undefined;
  if (before === undefined || before === "unknown") return null;
  return <span className="text-muted"> from {statusLabel(before)}</span>;
}
