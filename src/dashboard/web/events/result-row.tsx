import { memo } from "react";
import { Link } from "wouter";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { channelTypeWords } from "../channel/channel-type.ts";
import type { AlertOutcome, Event, Result } from "../data/api.ts";
import { reasonWords } from "../status/result-detail.ts";
import { StatusWord } from "../status/status-label.tsx";
import { latencyWords } from "../ui/numbers.ts";
import { Moment } from "../ui/time.tsx";

export const RESULT_COLUMNS = ["Time", "Status", { number: "Latency" }, "Seen", "Alert"];

/** Whether its alert waits to be delivered. */
export function isUnderWay({ alertOutcome }: Result): boolean {
  return alertOutcome?.status === "pending";
}

/** One result, with its monitor where the list is of several. */
export const ResultRow = memo(function ResultRow({ result }: { result: Result | Event }) {
  const { createdAt, status, latencyMs, detail, alertOutcome } = result;
  return (
    <tr>
      <td>
        <Moment at={createdAt} />
      </td>
      {"monitor" in result && (
        <td className="long">
          <Link href={`/monitors/${result.monitor.id}`}>{result.monitor.name}</Link>
        </td>
      )}
      <td>
        <StatusWord mood={displayStateOfStatus(status)} status={status} />
      </td>
      <td className="number">{latencyWords(latencyMs)}</td>
      <td className="long told">
        {detail && (
          <details>
            <summary>{reasonWords(detail) || "Details"}</summary>
            <pre>{JSON.stringify(detail, null, 2)}</pre>
          </details>
        )}
      </td>
      <td>{alertOutcome && <Alert outcome={alertOutcome} />}</td>
    </tr>
  );
});

const outcomeWords: Record<AlertOutcome["status"], string> = {
  pending: "Waiting",
  delivered: "Delivered",
  failed: "Failed",
  partial: "Partly delivered",
};

function Alert({ outcome: { status, channels } }: { outcome: AlertOutcome }) {
  return (
    <details>
      <summary className={`outcome ${status}`}>{outcomeWords[status]}</summary>
      <ul className="plain">
        {channels.map(({ channelId, type, status, attempts, error }) => (
          <li key={channelId}>
            {channelTypeWords[type]}: {outcomeWords[status].toLowerCase()} ({attempts}×)
            {error && ` – ${error}`}
          </li>
        ))}
      </ul>
    </details>
  );
}
