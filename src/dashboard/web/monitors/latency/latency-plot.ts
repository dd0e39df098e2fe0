import uPlot from "uplot";
import { formatLatency } from "../../../../domain/duration.ts";
import { THEME_EVENT } from "../../app/theme.ts";
import { dateFormat } from "../../ui/time.tsx";
import type { Column } from "./drawings.ts";

/** @property onPoint gets a description of the point under the pointer; empty without one */
interface Plotted {
  drawing: Drawing;
  onPoint: (description: string) => void;
}

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
  addEventListener(THEME_EVENT, redraw);
  return () => {
    resize.disconnect();
    dark.removeEventListener("change", redraw);
    removeEventListener(THEME_EVENT, redraw);
    plot.destroy();
  };
}

function createPlot(element: HTMLElement, { drawing, onPoint }: Plotted): uPlot {
  const styles = getComputedStyle(element);
  const color = (name: string) => styles.getPropertyValue(name).trim();
  const axis = {
    stroke: color("--muted"),
    grid: { stroke: color("--line"), width: 1 },
    ticks: { show: false },
    font: FONT,
  };
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      padding: [8, halfLabelWidth(), 0, 0],
      legend: { show: false },
      hooks: { setCursor: [(plot) => onPoint(describePoint(plot, drawing))] },
      cursor: { drag: { x: false, y: false }, points: { size: 7 } },
      scales: {
        y: { range: (_, __, highest) => [0, Math.max(highest, drawing.includes) * 1.05 || 1] },
      },
      axes: [
        { ...axis, space: 80, size: 32, values: formatTicks },
        { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => formatLatency(tick)) },
      ],
      bands: drawing.bands(color),
      series: [{ label: "Time" }, ...drawing.series(color)],
    },
    drawing.columns(Date.now()) as uPlot.AlignedData,
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

function describePoint({ cursor: { idx }, data }: uPlot, drawing: Drawing): string {
  const [time, ...values] = data.map((column) => column[idx ?? -1]);
  const description = drawing.describe(values);
  return typeof time === "number" && description ? `${pointFormat.format(time * 1000)}: ${description}` : "";
}

/** The content of a plot. */
export interface Drawing {
  /** The times in seconds since 1970, then the values of each series. @param now milliseconds since 1970 */
  columns: (now: number) => Column[];
  /** One for each column after the times. @param color the value of a token */
  series: (color: (token: string) => string) => uPlot.Series[];
  bands: (color: (token: string) => string) => uPlot.Band[];
  /** A latency that the vertical axis includes, in milliseconds. */
  includes: number;
  /** A text for a point in time. Empty if nothing was measured then. @param values of each series */
  describe: (values: (number | null | undefined)[]) => string;
}

/** For a series that has no line. */
export const hidden = { stroke: "transparent", points: { show: false } };
