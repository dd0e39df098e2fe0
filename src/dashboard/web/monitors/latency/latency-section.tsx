import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSearchParams } from "wouter";
import { hasLatency } from "../../../../domain/monitors/kinds/kinds.ts";
import type { MonitorType } from "../../../../domain/monitors/monitor.ts";
import { groupOf } from "../../../../domain/monitors/status.ts";
import type { Report } from "../../data/api.ts";
import { fill, listOf, texts } from "../../languages/texts.ts";
import { locationLabel } from "../../locations/location-label.ts";
import { formatLatency } from "../../ui/durations.ts";
import { dateFormat } from "../../ui/time.tsx";
import { reportQuery } from "../monitor-queries.ts";
import {
  columnsOf,
  type Drawing,
  describeValue,
  emptyDrawing,
  inOrderOf,
  lineOf,
  locationDrawing,
  movedBy,
  overallDrawing,
  type Point,
  type Stretch,
  wordsOf,
} from "./drawings.ts";
import { EmptyChart, LatencyChart, type Shade, shadesOf } from "./latency-chart.tsx";

interface Props {
  id: string;
  type: MonitorType;
  /** When the monitor was created, ISO 8601: the chart does not begin before that. */
  createdAt: string;
  report: Report;
  /** Gets a time that the reader selects, in milliseconds since 1970; null to show everything again. */
  onZoom: (time: { from: number; to: number } | null) => void;
}

/** The latencies of a monitor: a line for each location, if there are others than this server. */
export function LatencySection({ id, type, createdAt, report: whole, onZoom }: Props) {
  const report = useMemo(
    () => ({ ...whole, stretch: sinceCreation(whole.stretch, createdAt) }),
    [whole, createdAt],
  );
  const { latencies, latencyByLocation, places } = report;
  const byLocation = useMemo(() => inOrderOf(places, latencyByLocation), [places, latencyByLocation]);
  const shades = useMemo(() => shadesOf(report), [report]);
  const shown = { report, shades, onZoom };
  if (byLocation.some(({ points }) => points.length > 0))
    return <ByLocation id={id} latencies={byLocation} {...shown} />;
  if (latencies.length === 0) return hasLatency(type) ? <NoLatency {...shown} /> : null;
  return (
    <>
      <Overall id={id} {...shown} />
      <Phases {...shown} />
    </>
  );
}

/** Without the time in which the monitor did not exist. */
export function sinceCreation(stretch: Stretch, createdAt: string): Stretch {
  const isYoung = Date.parse(createdAt) > Date.parse(stretch.from);
  return isYoung && Date.parse(createdAt) < Date.parse(stretch.to)
    ? { ...stretch, from: createdAt }
    : stretch;
}

interface ShownProps extends Pick<Props, "report" | "onZoom"> {
  shades: readonly Shade[];
}

function NoLatency({ report, shades }: ShownProps) {
  const drawing = useMemo(() => emptyDrawing(report.stretch), [report.stretch]);
  return <EmptyChart drawing={drawing} shades={shades} label={describeNone(report)} />;
}

/** Why a time has no latencies, as far as its outages say it. */
export function describeNone({ troubles, stretch }: Pick<Report, "troubles" | "stretch">): string {
  const slack = 2 * stretch.step * 1000;
  const isWhole = ({ start, end }: { start: string; end: string | null }) =>
    Date.parse(start) <= Date.parse(stretch.from) + slack &&
    (end === null || Date.parse(end) >= Date.parse(stretch.to) - slack);
  const outages = troubles.filter(({ status }) => groupOf[status] === "down");
  const whole = outages.find(isWhole);
  const words = texts.monitors.chart.none;
  if (whole) return fill(words.allDown, { time: startFormat.format(Date.parse(whole.start)) });
  return outages.length > 0 ? words.failed : words.other;
}

const startFormat = dateFormat({ dateStyle: "medium", timeStyle: "short" });

function Overall({ id, report, ...shown }: ShownProps & { id: string }) {
  const { latencies, degradedAbove: threshold, percentiles, stretch } = report;
  const { isOn, toggle, before } = useBefore(id, stretch);
  const drawing = useMemo(
    () => overallDrawing({ latencies, threshold, stretch, before: before?.points ?? [] }),
    [latencies, threshold, stretch, before?.points],
  );
  const [line, band] = wordsOf([...latencies, ...(before?.points ?? [])], stretch);
  const words = texts.monitors.chart;
  const figure = (name: string, value: number | undefined) =>
    value === undefined ? name : describeValue(name, value);
  return (
    <LatencyChart drawing={drawing} label={fill(words.latency, summaryOf(latencies))} {...shown}>
      <span className="latency-key">{figure(line, percentiles?.p50)}</span>
      <span className="latency-key latency-key-band">{figure(band, percentiles?.p95)}</span>
      {threshold !== null && (
        <span className="latency-key latency-key-threshold">
          {fill(words.degradedAbove, { latency: formatLatency(threshold) })}
        </span>
      )}
      {before && (
        <span className="latency-key latency-key-before">
          {before.points.length === 0
            ? words.beforeWithoutChecks
            : before.p50 === undefined
              ? words.beforeKey
              : fill(words.before, { latency: formatLatency(before.p50) })}
        </span>
      )}
      <CompareButton isOn={isOn} toggle={toggle} />
    </LatencyChart>
  );
}

function CompareButton({ isOn, toggle }: Pick<ReturnType<typeof useBefore>, "isOn" | "toggle">) {
  return (
    <button type="button" className="button-small latency-compare" aria-pressed={isOn} onClick={toggle}>
      {texts.monitors.chart.compare}
    </button>
  );
}

const MINUTE = 60;

/** The latencies of the time before, as long as the one that is shown, if the reader compares with it: the address says so. */
function useBefore(id: string, { from, to, step }: Stretch) {
  const [params, setParams] = useSearchParams();
  const isOn = params.get("compare") === "before";
  // In steps, so that each further check does not ask for another time.
  const unit = Math.max(step, MINUTE) * 1000;
  const length = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / unit)) * unit;
  const end = Math.floor(Date.parse(from) / unit) * unit;
  const iso = (at: number) => new Date(at).toISOString();
  const wish = { from: iso(end - length), to: iso(end) };
  const { data } = useQuery({ ...reportQuery(id, wish), enabled: isOn });
  const before = useMemo(
    () =>
      data && {
        points: movedBy(data.latencies, length),
        byLocation: data.latencyByLocation.map(({ location, points }) => ({
          location,
          points: movedBy(points, length),
        })),
        p50: data.percentiles?.p50,
      },
    [data, length],
  );
  const toggle = () =>
    setParams(
      (present) => {
        if (isOn) present.delete("compare");
        else present.set("compare", "before");
        return present;
      },
      { replace: true },
    );
  return { isOn, toggle, before: isOn ? before : undefined };
}

/** Where the time of the checks goes. Nothing if no check of the time has phases. */
function Phases({ report: { latencies, stretch }, ...shown }: ShownProps) {
  const drawing = useMemo(() => phaseDrawing(latencies, stretch), [latencies, stretch]);
  const phases = phasesIn(latencies);
  if (phases.length < 2) return null;
  const names = phases.map((phase) => phase.label);
  const label = fill(texts.monitors.chart.phases, { phases: listOf(names, "unit") });
  return (
    <LatencyChart drawing={drawing} label={label} {...shown}>
      {phases.map(({ name, label, token }) => (
        <span key={name}>
          <svg className="latency-line-key" width="14" height="10" aria-hidden="true">
            <path d="M0 5h14" className={token} strokeWidth="8" />
          </svg>{" "}
          {label}
        </span>
      ))}
    </LatencyChart>
  );
}

function ByLocation({
  id,
  latencies,
  report,
  ...shown
}: ShownProps & { id: string; latencies: Report["latencyByLocation"] }) {
  const { stretch, percentiles } = report;
  const { isOn, toggle, before } = useBefore(id, stretch);
  const drawing = useMemo(
    () => locationDrawing(latencies, stretch, before?.byLocation),
    [latencies, stretch, before?.byLocation],
  );
  const hasBefore = before?.byLocation.some(({ points }) => points.length > 0);
  const measured = latencies.filter(({ points }) => points.length > 0);
  const words = texts.monitors.chart;
  const { p50, p95 } = words.figures;
  const locations = measured
    .map(({ location, points }) =>
      fill(words.atLocation, { location: locationLabel(location), ...summaryOf(points) }),
    )
    .join("; ");
  return (
    <LatencyChart drawing={drawing} label={fill(words.latencyByLocation, { locations })} {...shown}>
      {latencies.map(({ location }, at) => (
        <span key={location} className="text-wrap">
          <LineKey at={at} /> {locationLabel(location)}
        </span>
      ))}
      {percentiles && (
        <span>
          {listOf([describeValue(p50, percentiles.p50), describeValue(p95, percentiles.p95)], "unit")}
        </span>
      )}
      {before && (
        <span className="latency-key latency-key-before">
          {hasBefore ? words.beforeKey : words.beforeWithoutChecks}
        </span>
      )}
      <CompareButton isOn={isOn} toggle={toggle} />
    </LatencyChart>
  );
}

/** The line of a location in small. */
function LineKey({ at }: { at: number }) {
  const { token, dash } = lineOf(at);
  return (
    <svg className="latency-line-key" width="24" height="8" aria-hidden="true">
      <path d="M0 4h24" className={token} strokeDasharray={dash.join(" ")} />
    </svg>
  );
}

function summaryOf(latencies: Report["latencies"]) {
  const mean = latencies.reduce((sum, one) => sum + one.mean, 0) / latencies.length;
  return {
    shortest: formatLatency(Math.min(...latencies.map((one) => one.shortest))),
    longest: formatLatency(Math.max(...latencies.map((one) => one.longest))),
    mean: formatLatency(mean),
  };
}

/** The phases of a check in their order. */
export const PHASES = ["resolve", "connect", "tls", "firstByte"] as const;

/** The phases that any point has, with their positions among all phases, which decide on their colors. */
function phasesIn(points: readonly Point[]) {
  const labels = texts.monitors.phases;
  return PHASES.map((name, at) => ({ name, label: labels[name], token: `series-${at + 1}` })).filter(
    ({ name }) => points.some(({ phases }) => phases?.[name] !== undefined),
  );
}

/** The phases one above the other: their sum is the time to the first byte. */
export function phaseDrawing(points: readonly Point[], stretch: Stretch): Drawing {
  const shown = phasesIn(points);
  return {
    columns: columnsOf(points, stretch, (point) => {
      let sum = 0;
      return [0, ...shown.map(({ name }) => (sum += point?.phases?.[name] ?? 0))].map((value) =>
        point?.phases ? value : null,
      );
    }),
    lines: [null, ...shown.map(({ token }) => ({ token, width: 1.2 }))],
    bands: shown.map(({ token }, at) => ({ upper: at + 1, lower: at, token, opacity: 0.33 })),
    includes: 0,
    describe: (values) =>
      typeof values[0] === "number"
        ? listOf(
            shown.map(({ label }, at) => describeValue(label, (values[at + 1] ?? 0) - (values[at] ?? 0))),
            "unit",
          )
        : "",
  };
}
