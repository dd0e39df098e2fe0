import { formatLatency } from "../../../domain/duration.ts";
import { groupOf } from "../../../domain/monitors/status.ts";
import type { Outage, OutageReport } from "../data/api.ts";
import type { Column } from "../monitors/latency/drawings.ts";
import type { Drawing } from "../monitors/latency/latency-plot.ts";

type Check = OutageReport["checks"][number];
type Span = Pick<Outage, "startedAt" | "endedAt">;

type Parts = [[string, Check[]], [string, Check[]], [string, Check[]]];

/** The checks before, in and after an outage. */
function split(checks: readonly Check[], { startedAt, endedAt }: Span): [string, Check[]][] {
  const [start, end] = [
    Date.parse(startedAt),
    endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(endedAt),
  ];
  const between = (from: number, to: number) =>
    checks.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < to);
  return [
    ["before", between(0, start)],
    ["at its beginning", between(start, end)],
    ["after", between(end, Number.POSITIVE_INFINITY)],
  ];
}

/** The mean latency before, in and after an outage, in words: only of the checks with a latency. */
export function latencyWords(checks: readonly Check[], span: Span): string {
  return split(checks, span)
    .flatMap(([when, some]) => {
      const latencies = some.flatMap(({ latencyMs }) => latencyMs ?? []);
      if (latencies.length === 0) return some.length === 0 ? [] : [`none ${when}`];
      const mean = latencies.reduce((sum, one) => sum + one, 0) / latencies.length;
      return [`${formatLatency(mean)} ${when}`];
    })
    .join(", ");
}

/** How many times as long as the time before it an outage may be for one chart with the time after it. */
const WIDEST = 3;

/** The checks that fit into one chart: those after a long outage are too far away. */
export function shownChecks(checks: readonly Check[], span: Span): Check[] {
  const [[, before], [, beginning], [, after]] = split(checks, span) as Parts;
  const start = Date.parse(span.startedAt);
  const lead = start - Date.parse(before[0]?.at ?? span.startedAt);
  const isNear = Date.parse(span.endedAt ?? span.startedAt) - start <= WIDEST * lead;
  return [...before, ...beginning, ...(isNear ? after : [])];
}

const isHealthy = ({ status }: Check) => groupOf(status) === "healthy";

/**
 * The findings of checks: a check that waits for others to agree is recorded with the status that the monitor still has. So the checks from the
 * start of an outage to its first unhealthy result failed too, and the checks from its end to its first healthy result did not.
 */
function findFailing(checks: readonly Check[], span: Span): Set<Check> {
  const [[, before], [, inside], [, after]] = split(checks, span) as Parts;
  const confirmed = inside.findIndex((check) => !isHealthy(check));
  const recovered = Math.max(0, after.findIndex(isHealthy));
  const failing = (check: Check) => !isHealthy(check);
  return new Set([
    ...before.filter(failing),
    ...inside.filter((check, at) => at < confirmed || failing(check)),
    ...after.filter((check, at) => at >= recovered && failing(check)),
  ]);
}

/** The latencies of checks as a line, and the latencies of failing checks as dots: at 0 if nothing responded. */
export function checksDrawing(checks: readonly Check[], span: Span): Drawing {
  const failed = findFailing(checks, span);
  const isGood = (check: Check) => !failed.has(check);
  const good: Column = checks.map((check) => (isGood(check) ? check.latencyMs : null));
  const failing: Column = checks.map((check) => (isGood(check) ? null : (check.latencyMs ?? 0)));
  const dots = { show: true, size: 6 };
  return {
    columns: [checks.map(({ at }) => Date.parse(at) / 1000), good, failing],
    series: (color) => [
      { label: "Healthy", stroke: color("--accent"), width: 1.6, points: { show: checks.length < 10 } },
      {
        label: "Failing",
        stroke: color("--down"),
        paths: () => null,
        points: { ...dots, fill: color("--down"), stroke: color("--down") },
      },
    ],
    bands: () => [],
    includes: 0,
    describe: ([healthy, failed]) => {
      if (typeof healthy === "number") return formatLatency(healthy);
      if (typeof failed !== "number") return "";
      return failed === 0 ? "failing, without an answer" : `failing, ${formatLatency(failed)}`;
    },
  };
}
