import { type ReactNode, useEffect, useRef } from "react";
import uPlot from "uplot";
import { formatLatency } from "../../../../domain/duration.ts";
import { groupOf } from "../../../../domain/monitors/status.ts";
import { THEME_EVENT } from "../../app/theme.ts";
import type { Report } from "../../data/api.ts";
import { dateFormat } from "../../ui/time.tsx";
import type { Column } from "./drawings.ts";

interface Props {
  /** The same object as long as it shows the same. */
  drawing: Drawing;
  /** As `drawing`. */
  shades?: readonly Shade[];
  /** A summary for screen readers. */
  label: string;
  /** See `Plotted`. Without it, no time can be selected. */
  onZoom?: Plotted["onZoom"];
  /** The keys of the lines. */
  children: ReactNode;
}

const NONE: readonly Shade[] = [];

/** A plot with its keys, and a description of the point under the pointer. */
export function LatencyChart({ drawing, shades = NONE, label, onZoom, children }: Props) {
  const plot = useRef<HTMLDivElement>(null);
  const view = useRef<PlotView>(null);
  const point = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    if (plot.current) view.current = new PlotView(plot.current);
    return () => view.current?.remove();
  }, []);
  useEffect(() => {
    const onPoint = (description: string) => {
      if (point.current) point.current.textContent = description;
    };
    view.current?.show({ drawing, shades, onPoint, onZoom });
  }, [drawing, shades]);
  return (
    <figure className="latency-chart">
      <div ref={plot} role="img" aria-label={label} />
      <figcaption>
        {children}
        {[...new Set(shades.map(({ kind }) => kind))].map((kind) => (
          <span key={kind} className={`latency-key latency-key-shade latency-key-${kind}`}>
            {kind}
          </span>
        ))}
        <output ref={point} />
      </figcaption>
    </figure>
  );
}

/**
 * @property onPoint gets a description of the point under the pointer; empty without one
 * @property onZoom gets the time that the pointer was dragged over, in milliseconds since 1970; null after a double-click.
 *   Without it, no time can be selected
 */
interface Plotted {
  drawing: Drawing;
  shades: readonly Shade[];
  onPoint: (description: string) => void;
  onZoom: ((time: { from: number; to: number } | null) => void) | undefined;
}

const HEIGHT = 200;
const FONT = "12px system-ui, sans-serif";

/** Draws a plot, and draws it again after a change of its content, its width or the color scheme: not while a reader drags over it. */
class PlotView {
  readonly #dark = matchMedia("(prefers-color-scheme: dark)");
  readonly #resize = new ResizeObserver(() => {
    this.#plot?.setSize({ width: this.element.clientWidth, height: HEIGHT });
  });
  #plot: uPlot | undefined;
  #plotted: Plotted | undefined;
  #isDragging = false;
  /** Whether the content changed during a drag. */
  #isStale = false;

  constructor(private readonly element: HTMLElement) {
    this.#resize.observe(element);
    this.#dark.addEventListener("change", this.#draw);
    addEventListener(THEME_EVENT, this.#draw);
    element.addEventListener("mousedown", this.#drag);
  }

  show(plotted: Plotted): void {
    this.#plotted = plotted;
    this.#draw();
  }

  remove(): void {
    this.#resize.disconnect();
    this.#dark.removeEventListener("change", this.#draw);
    removeEventListener(THEME_EVENT, this.#draw);
    removeEventListener("mouseup", this.#drop);
    this.#plot?.destroy();
  }

  readonly #draw = () => {
    this.#isStale = this.#isDragging;
    if (!this.#plotted || this.#isDragging) return;
    this.#plot?.destroy();
    this.#plot = createPlot(this.element, this.#plotted);
  };

  readonly #drag = () => {
    this.#isDragging = true;
    addEventListener("mouseup", this.#drop, { once: true });
  };

  /** After the plot itself, because that listens to the document. */
  readonly #drop = () => {
    this.#isDragging = false;
    if (this.#isStale) this.#draw();
  };
}

function createPlot(element: HTMLElement, { drawing, shades, onPoint, onZoom }: Plotted): uPlot {
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
      hooks: {
        drawClear: [(plot) => drawShades(plot, shades, color)],
        setCursor: [(plot) => onPoint(describePoint(plot, drawing))],
        setSelect: [(plot) => onSelect(plot, onZoom)],
      },
      cursor: {
        drag: { x: onZoom !== undefined, y: false, setScale: false },
        points: { size: 7 },
        bind: {
          dblclick: () => () => {
            onZoom?.(null);
            return null;
          },
        },
      },
      scales: {
        y: { range: (_, __, highest) => [0, Math.max(highest, drawing.includes) * 1.05 || 1] },
      },
      axes: [
        { ...axis, space: 80, size: 32, values: formatTicks },
        { ...axis, ...verticalAxis(drawing) },
      ],
      bands: drawing.bands(color),
      series: [{ label: "Time" }, ...drawing.series(color)],
    },
    drawing.columns as uPlot.AlignedData,
    element,
  );
}

function verticalAxis({ axis }: Drawing): uPlot.Axis {
  const format = axis?.format ?? formatLatency;
  return {
    size: axis ? 82 : 64,
    ...(axis && { incrs: [...axis.steps] }),
    values: (_, ticks) => ticks.map((tick) => format(tick)),
  };
}

/** Pixels: a shorter drag is a click. */
const LEAST_DRAG = 6;

function onSelect(plot: uPlot, onZoom: Plotted["onZoom"]): void {
  const { left, width } = plot.select;
  if (width < LEAST_DRAG) return;
  const timeAt = (position: number) => plot.posToVal(position, "x") * 1000;
  onZoom?.({ from: timeAt(left), to: timeAt(left + width) });
}

const timeFormat = dateFormat({ timeStyle: "short" });
const secondFormat = dateFormat({ timeStyle: "medium" });
const dayFormat = dateFormat({ month: "short", day: "numeric" });
const pointFormat = dateFormat({ dateStyle: "medium", timeStyle: "short" });

/** Labels of the time axis in the reader's zone and language: the day at midnight, otherwise the time, with seconds if needed. */
function formatTicks(_: uPlot, ticks: number[]): string[] {
  const time = (ticks[1] ?? Number.POSITIVE_INFINITY) - (ticks[0] ?? 0) < 60 ? secondFormat : timeFormat;
  return ticks.map((tick) => {
    const date = new Date(tick * 1000);
    return (date.getHours() + date.getMinutes() === 0 ? dayFormat : time).format(date);
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
  /** The times in seconds since 1970, then the values of each series. */
  columns: Column[];
  /** A series for each column after the times. @param color the value of a token */
  series: (color: (token: string) => string) => uPlot.Series[];
  bands: (color: (token: string) => string) => uPlot.Band[];
  /** A latency that the vertical axis includes, in milliseconds. */
  includes: number;
  /** The labels of the vertical axis, if its values are not latencies. @property steps the offered distances between two of them */
  axis?: { format: (value: number) => string; steps: readonly number[] };
  /** A text for a point in time. Empty if nothing was measured then. @param values of each series */
  describe: (values: (number | null | undefined)[]) => string;
}

/** For a series that has no line. */
export const hidden = { stroke: "transparent", points: { show: false } };

/** A time in which a monitor was in trouble or in a maintenance, in seconds since 1970. */
export interface Shade {
  kind: "warning" | "down" | "maintenance";
  from: number;
  to: number;
}

/** The outages and the maintenances of a report. Outages and maintenances that last are shaded to the end of the chart. */
export function shadesOf({
  troubles,
  windows,
  stretch,
}: Pick<Report, "troubles" | "windows" | "stretch">): Shade[] {
  const timesOf = ({ start, end }: { start: string; end: string | null }) => ({
    from: Date.parse(start) / 1000,
    to: Date.parse(end ?? stretch.to) / 1000,
  });
  return [
    ...windows.map((window) => ({ kind: "maintenance" as const, ...timesOf(window) })),
    ...troubles.map((trouble) => ({
      kind: groupOf[trouble.status] === "down" ? ("down" as const) : ("warning" as const),
      ...timesOf(trouble),
    })),
  ];
}

/** Pixels: a short outage is visible, too. */
const LEAST = 2;
/** Pixels between two lines of a hatching. */
const GAP = 6;

/** Draws the shades behind the lines: trouble filled, maintenances hatched. @param color the value of a token */
function drawShades(plot: uPlot, shades: readonly Shade[], color: (token: string) => string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { kind, from, to } of shades) {
    const left = plot.valToPos(from, "x", true);
    const width = Math.max(LEAST, plot.valToPos(to, "x", true) - left);
    if (kind === "maintenance") {
      hatch(ctx, { ...bbox, left, width }, color("--muted"));
    } else {
      ctx.globalAlpha = 0.16;
      ctx.fillStyle = color(`--${kind}`);
      ctx.fillRect(left, bbox.top, width, bbox.height);
    }
  }
  ctx.restore();
}

function hatch(
  ctx: CanvasRenderingContext2D,
  { left, width, top, height }: { left: number; width: number; top: number; height: number },
  color: string,
): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.globalAlpha = 0.35;
  ctx.strokeStyle = color;
  ctx.beginPath();
  for (let x = left - height; x < left + width; x += GAP * devicePixelRatio) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}
