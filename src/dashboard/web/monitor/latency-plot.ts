import uPlot from "uplot";
import { formatLatency } from "../../../domain/duration.ts";
import type { Range } from "../../../domain/results/range.ts";
import type { Report } from "../data/api.ts";
import { latencyOrDash } from "../ui/numbers.ts";
import { dateFormat } from "../ui/time/date-format.ts";
import { columnsOf } from "./latency-columns.ts";

export interface Latencies {
  latencies: Report["latencies"];
  /** Milliseconds above which a check counts as degraded; null if it is not known yet. */
  threshold: number | null;
  range: Range;
}

/** @property onPoint gets a description of the point under the pointer; empty without one */
export type Plotted = Latencies & { onPoint: (description: string) => void };

const HEIGHT = 200;
const FONT = "12px system-ui, sans-serif";

/** Draws the plot, and draws it again after a change of its width or of the color scheme. @returns a function that removes it */
export function showPlot(element: HTMLElement, plotted: Plotted): () => void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let plot = createPlot(element, plotted);
  const redraw = () => {
    plot.destroy();
    plot = createPlot(element, plotted);
  };
  const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
  resize.observe(element);
  dark.addEventListener("change", redraw);
  return () => {
    resize.disconnect();
    dark.removeEventListener("change", redraw);
    plot.destroy();
  };
}

function createPlot(element: HTMLElement, plotted: Plotted): uPlot {
  const { latencies, threshold, onPoint } = plotted;
  const styles = getComputedStyle(element);
  const color = (name: string) => styles.getPropertyValue(name).trim();
  const axis = {
    stroke: color("--muted"),
    grid: { stroke: color("--line"), width: 1 },
    ticks: { show: false },
    font: FONT,
  };
  const hidden = { stroke: "transparent", points: { show: false } };
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      padding: [8, halfLabelWidth(), 0, 0],
      legend: { show: false },
      hooks: { setCursor: [(plot) => onPoint(describePoint(plot))] },
      cursor: { drag: { x: false, y: false }, points: { size: 7 } },
      scales: {
        y: { range: (_, __, highest) => [0, Math.max(highest, (threshold ?? 0) * 1.05) * 1.05 || 1] },
      },
      axes: [
        { ...axis, space: 80, size: 32, values: formatTicks },
        { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => formatLatency(tick)) },
      ],
      bands: [{ series: [3, 2], fill: color("--accent-soft") }],
      series: [
        { label: "Time" },
        { label: "Mean", stroke: color("--accent"), width: 1.6, points: { show: latencies.length < 3 } },
        { label: "Shortest", ...hidden },
        { label: "Longest", ...hidden },
        { ...hidden, label: "Degraded above", stroke: color("--warning"), dash: [5, 4], width: 1.4 },
      ],
    },
    columnsOf(plotted, Date.now()),
    element,
  );
}

const timeFormat = dateFormat({ timeStyle: "short" });
const dayFormat = dateFormat({ month: "short", day: "numeric" });
const pointFormat = dateFormat({ dateStyle: "medium", timeStyle: "short" });

/** Labels of the time axis in the reader's zone and language: the day at midnight, otherwise the time. */
function formatTicks(_: uPlot, ticks: number[]): string[] {
  return ticks.map((tick) => {
    const date = new Date(tick * 1000);
    return (date.getHours() + date.getMinutes() === 0 ? dayFormat : timeFormat).format(date);
  });
}

/** Half the width of the widest label of the time axis, in CSS pixels: the last label may be centered on the right end. */
function halfLabelWidth(): number {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return 0;
  context.font = FONT;
  const hours = Array.from({ length: 24 }, (_, hour) => timeFormat.format(new Date(2026, 0, 1, hour)));
  const days = Array.from({ length: 12 }, (_, month) => dayFormat.format(new Date(2026, month, 28)));
  const widths = [...hours, ...days].map((label) => context.measureText(label).width);
  return Math.ceil(Math.max(...widths) / 2) + 2;
}

function describePoint({ cursor: { idx }, data }: uPlot): string {
  const [time, mean, shortest, longest] = data.map((column) => column[idx ?? -1]);
  if (typeof time !== "number" || typeof mean !== "number") return "";
  const band = `${latencyOrDash(shortest)} to ${latencyOrDash(longest)}`;
  return `${pointFormat.format(time * 1000)}: ${formatLatency(mean)} (${band})`;
}
