import { useMemo } from "react";
import { Link } from "wouter";
import type { Outage, OutageReport } from "../data/api.ts";
import { LatencyChart } from "../monitors/latency/latency-chart.tsx";
import { describeCause } from "../status/result-detail.ts";
import { Card, Fact } from "../ui/card.tsx";
import { latencyOrDash } from "../ui/numbers.ts";
import { Time } from "../ui/time.tsx";
import { checksDrawing, latencyWords, shownChecks } from "./outage-latency.ts";

interface Props {
  outage: Outage;
  report: OutageReport;
  cause: string;
}

/** The checks before, in and after an outage, with a link to the results of that time. */
export function OutageChecks({ outage, report: { lastGood, lastFailing, checks }, cause }: Props) {
  const { startedAt } = outage;
  const latency = latencyWords(checks, outage);
  const results = (
    <Link className="button button-small" href={resultsAddress(outage, lastGood)}>
      Results of this time
    </Link>
  );
  return (
    <Card id="checks" title="Checks" aside={results}>
      <dl className="facts">
        <Fact name="Last good check">
          {lastGood ? (
            <>
              <Time at={lastGood.at} />
              {lastGood.latencyMs !== null && `, ${latencyOrDash(lastGood.latencyMs)}`}
            </>
          ) : (
            "–"
          )}
        </Fact>
        <Fact name="First failing check">
          <Time at={startedAt} />
          {cause && `: ${cause}`}
        </Fact>
        {lastFailing && lastFailing.at !== startedAt && (
          <Fact name="Last failing check">
            <Time at={lastFailing.at} />
            {lastFailing.detail && `: ${describeCause(lastFailing.detail)}`}
          </Fact>
        )}
        {latency && <Fact name="Latency on average">{latency}</Fact>}
      </dl>
      <LatencyAround outage={outage} checks={checks} />
    </Card>
  );
}

/** Nothing if no check had a latency. */
function LatencyAround({
  outage: { startedAt, endedAt },
  checks,
}: Pick<OutageReport, "checks"> & Pick<Props, "outage">) {
  const shown = useMemo(() => shownChecks(checks, { startedAt, endedAt }), [checks, startedAt, endedAt]);
  const drawing = useMemo(() => checksDrawing(shown, { startedAt, endedAt }), [shown, startedAt, endedAt]);
  if (!shown.some(({ latencyMs }) => latencyMs !== null)) return null;
  return (
    <LatencyChart
      drawing={drawing}
      label={`Latency on average: ${latencyWords(shown, { startedAt, endedAt })}`}
    >
      <span className="latency-key">latency</span>
      <span className="latency-key-failing">failing check</span>
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
