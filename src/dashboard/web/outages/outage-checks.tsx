import { useMemo } from "react";
import { Link } from "wouter";
import { groupOf } from "../../../domain/monitors/status.ts";
import type { Outage, OutageReport } from "../data/api.ts";
import { rich } from "../languages/rich.tsx";
import { fill, listOf, texts } from "../languages/texts.ts";
import type { Column, Drawing } from "../monitors/latency/drawings.ts";
import { LatencyChart } from "../monitors/latency/latency-chart.tsx";
import { describeCause } from "../status/result-detail.ts";
import { Card, Fact } from "../ui/card.tsx";
import { formatLatency, latencyOrDash } from "../ui/durations.ts";
import { Time } from "../ui/time.tsx";

interface Props {
  outage: Outage;
  report: OutageReport;
  cause: string;
}

/** The checks before, in and after an outage, with a link to the results of that time. */
export function OutageChecks({ outage, report: { lastGood, lastFailing, checks }, cause }: Props) {
  const { startedAt } = outage;
  const latency = latencyWords(checks, outage);
  const words = texts.outages.checks;
  const results = (
    <Link className="button button-small" href={resultsAddress(outage, lastGood)}>
      {words.results}
    </Link>
  );
  return (
    <Card id="checks" title={words.title} aside={results}>
      <dl className="facts">
        <Fact name={words.lastGood}>{lastGood ? <GoodCheck {...lastGood} /> : "–"}</Fact>
        <Fact name={words.firstFailing}>
          <FailingCheck at={startedAt} cause={cause} />
        </Fact>
        {lastFailing && lastFailing.at !== startedAt && (
          <Fact name={words.lastFailing}>
            <FailingCheck at={lastFailing.at} cause={describeCause(lastFailing.detail)} />
          </Fact>
        )}
        {latency && <Fact name={words.meanLatency}>{latency}</Fact>}
      </dl>
      <LatencyAround outage={outage} checks={checks} />
    </Card>
  );
}

function GoodCheck({ at, latencyMs }: Pick<Check, "at" | "latencyMs">) {
  const time = <Time at={at} />;
  if (latencyMs === null) return time;
  return rich(texts.outages.checks.timeWithLatency, { time, latency: latencyOrDash(latencyMs) });
}

function FailingCheck({ at, cause }: { at: string; cause: string }) {
  const time = <Time at={at} />;
  return cause ? rich(texts.outages.checks.timeWithCause, { time, cause }) : time;
}

/** Nothing if no check had a latency. */
function LatencyAround({
  outage: { startedAt, endedAt },
  checks,
}: Pick<OutageReport, "checks"> & Pick<Props, "outage">) {
  const shown = useMemo(() => shownChecks(checks, { startedAt, endedAt }), [checks, startedAt, endedAt]);
  const drawing = useMemo(() => checksDrawing(shown, { startedAt, endedAt }), [shown, startedAt, endedAt]);
  if (!shown.some(({ latencyMs }) => latencyMs !== null)) return null;
  const { chart, key } = texts.outages.checks;
  return (
    <LatencyChart
      drawing={drawing}
      label={fill(chart, { latencies: latencyWords(shown, { startedAt, endedAt }) })}
    >
      <span className="latency-key">{key.latency}</span>
      <span className="latency-key-failing">{key.failing}</span>
    </LatencyChart>
  );
}

const MINUTE = 60_000;

/** The results from the last good check until a minute after the end, in whole minutes, as the fields of the filter have them. */
export function resultsAddress(
  { monitor, startedAt, endedAt }: Pick<Outage, "startedAt" | "endedAt"> & { monitor: { id: string } },
  lastGood: Pick<NonNullable<OutageReport["lastGood"]>, "at"> | null,
): string {
  const minute = (at: string, later: number) =>
    new Date((Math.floor(Date.parse(at) / MINUTE) + later) * MINUTE).toISOString();
  const stretch = new URLSearchParams({
    from: minute(lastGood?.at ?? startedAt, 0),
    ...(endedAt && { to: minute(endedAt, 2) }),
  });
  return `/monitors/${monitor.id}?${stretch}#results`;
}

type Check = OutageReport["checks"][number];
type Span = Pick<Outage, "startedAt" | "endedAt">;

type When = "before" | "beginning" | "after";
type Parts = [[When, Check[]], [When, Check[]], [When, Check[]]];

/** The checks before, in and after an outage. */
function split(checks: readonly Check[], { startedAt, endedAt }: Span): Parts {
  const [start, end] = [
    Date.parse(startedAt),
    endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(endedAt),
  ];
  const between = (from: number, to: number) =>
    checks.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < to);
  return [
    ["before", between(0, start)],
    ["beginning", between(start, end)],
    ["after", between(end, Number.POSITIVE_INFINITY)],
  ];
}

/** The mean latency before, in and after an outage, in words: only of the checks with a latency. */
export function latencyWords(checks: readonly Check[], span: Span): string {
  const { mean, noMean } = texts.outages.checks;
  const items = split(checks, span).flatMap(([when, some]) => {
    const latencies = some.flatMap(({ latencyMs }) => latencyMs ?? []);
    if (latencies.length === 0) return some.length === 0 ? [] : [noMean[when]];
    const latency = latencies.reduce((sum, one) => sum + one, 0) / latencies.length;
    return [fill(mean[when], { latency: formatLatency(latency) })];
  });
  return listOf(items, "unit");
}

/** How many times as long as the time before it an outage may be for one chart with the time after it. */
const WIDEST = 3;

/** The checks that fit into one chart: those after a long outage are too far away. */
export function shownChecks(checks: readonly Check[], span: Span): Check[] {
  const [[, before], [, beginning], [, after]] = split(checks, span);
  const start = Date.parse(span.startedAt);
  const lead = start - Date.parse(before[0]?.at ?? span.startedAt);
  const isNear = Date.parse(span.endedAt ?? span.startedAt) - start <= WIDEST * lead;
  return [...before, ...beginning, ...(isNear ? after : [])];
}

const isHealthy = ({ status }: Check) => groupOf[status] === "healthy";

/**
 * The findings of checks: a check that waits for others to agree is recorded with the status that the monitor still has. So the checks from the
 * start of an outage to its first unhealthy result failed too, and the checks from its end to its first healthy result did not.
 */
function findFailing(checks: readonly Check[], span: Span): Set<Check> {
  const [[, before], [, inside], [, after]] = split(checks, span);
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
  return {
    columns: [checks.map(({ at }) => Date.parse(at) / 1000), good, failing],
    lines: [
      { token: "accent", dot: checks.length < 10 ? 5 : undefined },
      { token: "down", isDots: true, dot: 8 },
    ],
    bands: [],
    includes: 0,
    describe: ([healthy, failed]) => {
      if (typeof healthy === "number") return formatLatency(healthy);
      if (typeof failed !== "number") return "";
      const words = texts.outages.checks;
      return failed === 0
        ? words.failingWithoutAnswer
        : fill(words.failing, { latency: formatLatency(failed) });
    },
  };
}
