import { useEffect, useRef } from "react";
import uPlot from "uplot";
import type { Range } from "../../../domain/results/range.ts";
import type { Report } from "../data/api.ts";
import { latencyWords } from "../ui/numbers.ts";
import { columnsOf } from "./latency-columns.ts";

interface Chart {
  latencies: Report["latencies"];
  threshold: number | null;
  range: Range;
}

const HEIGHT = 200;
const FONT = "12px system-ui, sans-serif";

/** The mean latency, within the band from the shortest to the longest, and the threshold of `degraded`. */
export function LatencyChart({ latencies, threshold, range }: Chart) {
  const place = useRef<HTMLDivElement>(null);
  const told = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    const tell = (words: string) => {
      if (told.current) told.current.textContent = words;
    };
    return draw(place.current, { latencies, threshold, range, tell });
  }, [latencies, threshold, range]);
  const means = latencies.map(({ mean }) => mean);
  const words = `Latency from ${latencyWords(Math.min(...latencies.map(({ shortest }) => shortest)))} to ${latencyWords(
    Math.max(...latencies.map(({ longest }) => longest)),
  )}, ${latencyWords(means.reduce((sum, mean) => sum + mean, 0) / means.length)} on average`;
  return (
    <figure className="chart">
      <div ref={place} role="img" aria-label={words} />
      <figcaption>
        <span className="key mean">mean</span>
        <span className="key band">shortest to longest</span>
        {threshold !== null && (
          <span className="key threshold">degraded above {latencyWords(threshold)}</span>
        )}
        <output ref={told} />
      </figcaption>
    </figure>
  );
}

/** @property tell says what is under the pointer */
type Drawn = Chart & { tell: (words: string) => void };

/** @returns to be called at the end */
function draw(place: HTMLElement | null, chart: Drawn): (() => void) | undefined {
  if (!place) return undefined;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let plot = create(place, chart);
  const redraw = () => {
    plot.destroy();
    plot = create(place, chart);
  };
  const resize = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT }));
  resize.observe(place);
  dark.addEventListener("change", redraw);
  return () => {
    resize.disconnect();
    dark.removeEventListener("change", redraw);
    plot.destroy();
  };
}

function create(place: HTMLElement, chart: Drawn): uPlot {
  const { latencies, threshold, tell } = chart;
  const styles = getComputedStyle(place);
  const colour = (name: string) => styles.getPropertyValue(name).trim();
  const axis = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    font: FONT,
  };
  const points = { show: latencies.length < 3 };
  const accent = colour("--accent");
  return new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      padding: [8, halfLabel(), 0, 0],
      legend: { show: false },
      hooks: { setCursor: [(plot) => tell(pointed(plot))] },
      cursor: { drag: { x: false, y: false }, points: { size: 7 } },
      scales: {
        y: { range: (_, __, highest) => [0, Math.max(highest, (threshold ?? 0) * 1.05) * 1.05 || 1] },
      },
      axes: [
        { ...axis, space: 80, size: 32, values: timeWords },
        { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => latencyWords(tick)) },
      ],
      bands: [{ series: [3, 2], fill: colour("--accent-soft") }],
      series: [
        { label: "Time" },
        { label: "Mean", stroke: accent, width: 1.6, points },
        { label: "Shortest", stroke: "transparent", points: { show: false } },
        { label: "Longest", stroke: "transparent", points: { show: false } },
        {
          label: "Degraded above",
          stroke: colour("--warning"),
          dash: [5, 4],
          width: 1.4,
          points: { show: false },
        },
      ],
    },
    columnsOf(chart, Date.now()),
    place,
  );
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const day = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

/** The ticks below the chart, in the reader's zone and language: a day where it begins, else the time. */
function timeWords(_: uPlot, ticks: number[]): string[] {
  return ticks.map((tick) => {
    const date = new Date(tick * 1000);
    return (date.getHours() + date.getMinutes() === 0 ? day : clock).format(date);
  });
}

/** Half the width of the widest label of the time axis: the last one may be centred on the right end. In CSS pixels. */
function halfLabel(): number {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return 0;
  context.font = FONT;
  const hours = Array.from({ length: 24 }, (_, hour) => clock.format(new Date(2026, 0, 1, hour)));
  const days = Array.from({ length: 12 }, (_, month) => day.format(new Date(2026, month, 28)));
  const widths = [...hours, ...days].map((label) => context.measureText(label).width);
  return Math.ceil(Math.max(...widths) / 2) + 2;
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function pointed({ cursor: { idx }, data }: uPlot): string {
  const [time, mean, shortest, longest] = data.map((column) => column[idx ?? -1]);
  if (typeof time !== "number" || typeof mean !== "number") return "";
  const band = `${latencyWords(shortest)} to ${latencyWords(longest)}`;
  return `${moment.format(time * 1000)}: ${latencyWords(mean)} (${band})`;
}
