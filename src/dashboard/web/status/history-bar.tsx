import { memo } from "react";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { type Status, statusesOf, statusLabel } from "../../../domain/monitors/status.ts";
import { dateFormat } from "../ui/time.tsx";
import { StatusBars } from "./status-bars.tsx";

interface History {
  type: MonitorType;
  /** One character for each bucket, as the API sends it in `MonitorSummary`. */
  history: string;
  /** The start of each bucket, ISO 8601. */
  buckets: string[];
  /** Whether the keyboard can select buckets. */
  focusable?: boolean;
  /** A click on a bucket, or Enter, opens it. */
  onOpen?: (at: number) => void;
}

/** A bar for each bucket, oldest first. */
export const HistoryBar = memo(function HistoryBar({ type, history, buckets, ...props }: History) {
  const statuses = [...history].map((letter): Status => statusesOf[type][Number(letter)] ?? "unknown");
  return (
    <StatusBars
      {...props}
      statuses={statuses}
      describe={(at) => describeBucket(buckets, at, statuses[at] ?? "unknown")}
      label="History"
    />
  );
});

const hourFormat = dateFormat({ month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
const dayFormat = dateFormat({ month: "short", day: "numeric", timeZone: "UTC" });

/** Hours are in the reader's zone. Days are in UTC, because the server counts UTC days. */
function describeBucket(buckets: string[], at: number, status: Status): string {
  const start = new Date(buckets[at] ?? "");
  const time = isDaily(buckets) ? `${dayFormat.format(start)} (UTC)` : hourFormat.format(start);
  return `${time}: ${status === "unknown" ? "no checks" : statusLabel(status)}`;
}

function isDaily([first, second]: string[]): boolean {
  return Date.parse(second ?? "") - Date.parse(first ?? "") >= 86_400_000;
}
