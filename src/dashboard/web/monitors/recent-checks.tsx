import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { hasLatency, type MonitorType } from "../../../domain/monitors/kinds/kinds.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import type { Config, Result } from "../data/api.ts";
import { fill, listOf, texts } from "../languages/texts.ts";
import { AlertOutcomeCell } from "../results/result-row.tsx";
import { describeDetail, locationOf } from "../status/result-detail.ts";
import { StatusBars } from "../status/status-bars.tsx";
import { StatusCell } from "../status/status-mark.tsx";
import { Fact } from "../ui/card.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { formatLatency, latencyOrDash } from "../ui/durations.ts";
import { formatUnit } from "../ui/numbers.ts";
import { dateFormat } from "../ui/time.tsx";
import { PHASES } from "./latency/latency-section.tsx";
import { RECENT, recentResultsQuery } from "./monitor-queries.ts";

const timeFormat = dateFormat({
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/**
 * A bar for each of the latest checks, the oldest first: its height says the latency, and a click opens the check. The strip has
 * the same height before there are any.
 */
export function RecentChecks({ id, type }: { id: string; type: MonitorType }) {
  const results = useQuery(recentResultsQuery(id)).data?.toReversed() ?? [];
  // By its ID, because each further check moves all bars.
  const [open, setOpen] = useState<string | null>(null);
  const missing = RECENT - results.length;
  const bars = Array.from({ length: RECENT }, (_, at) => results[at - missing]);
  const { checkins, checks } = texts.monitors.recent;
  const title = fill(type === "SCHEDULED" ? checkins : checks, { count: RECENT });
  const shown = results.findIndex((result) => result.id === open);
  const result = results[shown];
  return (
    <section className="recent-checks" aria-label={title}>
      <span className="text-hint">{title}</span>
      <StatusBars
        statuses={bars.map(statusSeen)}
        describe={(at) => describeResult(bars[at])}
        label={title}
        focusable
        opens="check"
        onOpen={(at) => setOpen(bars[at]?.id ?? null)}
        {...(hasLatency(type) && { latencies: bars.map((one) => one?.latencyMs ?? null) })}
        isUnsure={(at) => isUnsure(bars[at])}
      />
      {result && (
        <CheckDialog
          result={result}
          before={results[shown - 1]?.id}
          after={results[shown + 1]?.id}
          onMove={setOpen}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}

/** The status that a check saw, also if it is not confirmed: a failure must not look like a success. */
function statusSeen(result: Result | undefined): Status {
  const seen = result?.detail?.seen as { status: Status } | undefined;
  return seen?.status ?? result?.status ?? "unknown";
}

function isUnsure(result: Result | undefined): boolean {
  return result?.detail?.seen !== undefined;
}

function describeResult(result: Result | undefined): string {
  const { noCheck, bar } = texts.monitors.recent;
  if (!result) return noCheck;
  const { createdAt, status, latencyMs, detail } = result;
  const latency = latencyMs === null ? "" : formatLatency(latencyMs);
  const parts = [texts.status.label[status], latency, describeDetail(detail)].filter(Boolean);
  return fill(bar, { time: timeFormat.format(new Date(createdAt)), finding: listOf(parts, "unit") });
}

interface DialogProps {
  result: Result;
  /** The IDs of the checks before and after it, if the strip has them. */
  before: string | undefined;
  after: string | undefined;
  onMove: (id: string) => void;
  onClose: () => void;
}

/** All that is known of one check. */
function CheckDialog({ result, before, after, onMove, onClose }: DialogProps) {
  const { createdAt, status, latencyMs, detail, alertOutcome } = result;
  const seen = statusSeen(result);
  const location = locationOf(detail);
  const reason = describeDetail(detail);
  const words = texts.monitors.recent.dialog;
  const step = (label: string, id: string | undefined) => (
    <button type="button" aria-disabled={id === undefined} onClick={() => id !== undefined && onMove(id)}>
      {label}
    </button>
  );
  return (
    <Dialog title={fill(words.title, { time: timeFormat.format(new Date(createdAt)) })} onClose={onClose}>
      <dl className="facts" aria-live="polite">
        <Fact name={isUnsure(result) ? words.sawUnconfirmed : words.status}>
          <StatusCell state={displayStateOfStatus(seen)} status={seen} />
        </Fact>
        {isUnsure(result) && (
          <Fact name={words.status}>
            <StatusCell state={displayStateOfStatus(status)} status={status} />
          </Fact>
        )}
        <Fact name={words.latency}>{latencyOrDash(latencyMs)}</Fact>
        {location && <Fact name={words.location}>{location}</Fact>}
        {alertOutcome && (
          <Fact name={words.alert}>
            <AlertOutcomeCell outcome={alertOutcome} />
          </Fact>
        )}
        {detail && phasesIn(detail)}
      </dl>
      {reason && <p className="text-wrap">{reason}</p>}
      {detail && (
        <details>
          <summary>{words.allDetails}</summary>
          <pre>{JSON.stringify(detail, null, 2)}</pre>
        </details>
      )}
      <DialogActions close={words.close} onClose={onClose}>
        {step(words.previous, before)}
        {step(words.next, after)}
      </DialogActions>
    </Dialog>
  );
}

function phasesIn({ phases = {} }: Config) {
  return PHASES.flatMap((name) => {
    const length = (phases as Record<string, unknown>)[name];
    return typeof length === "number" ? (
      <Fact key={name} name={texts.monitors.phases[name]}>
        {formatUnit(length, "millisecond", 1)}
      </Fact>
    ) : (
      []
    );
  });
}
