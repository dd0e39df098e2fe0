import { useQuery } from "@tanstack/react-query";
import { formatLatency } from "../../../domain/duration.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { type Status, statusLabel } from "../../../domain/monitors/status.ts";
import type { Result } from "../data/api.ts";
import { describeDetail } from "../status/result-detail.ts";
import { StatusBars } from "../status/status-bars.tsx";
import { dateFormat } from "../ui/time.tsx";
import { RECENT, recentResultsQuery } from "./monitor-queries.ts";

const timeFormat = dateFormat({
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** A bar for each of the latest checks, the oldest first. It has the same height before there are any. */
export function RecentChecks({ id, type }: { id: string; type: MonitorType }) {
  const results = useQuery(recentResultsQuery(id)).data?.toReversed() ?? [];
  const missing = RECENT - results.length;
  const title = `Last ${RECENT} ${type === "SCHEDULED" ? "check-ins" : "checks"}`;
  return (
    <section className="recent-checks" aria-label={title}>
      <span className="text-hint">{title}</span>
      <StatusBars
        statuses={Array.from({ length: RECENT }, (_, at) => statusSeen(results[at - missing]))}
        describe={(at) => describeResult(results[at - missing])}
        label={title}
        focusable
      />
    </section>
  );
}

/** The status that a check saw, also if it is not confirmed: a failure must not look like a success. */
function statusSeen(result: Result | undefined): Status {
  const seen = result?.detail?.seen as { status: Status } | undefined;
  return seen?.status ?? result?.status ?? "unknown";
}

function describeResult(result: Result | undefined): string {
  if (!result) return "No check";
  const { createdAt, status, latencyMs, detail } = result;
  const latency = latencyMs === null ? "" : formatLatency(latencyMs);
  const parts = [statusLabel(status), latency, describeDetail(detail)].filter(Boolean);
  return `${timeFormat.format(new Date(createdAt))}: ${parts.join(", ")}`;
}
