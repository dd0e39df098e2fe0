import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { groupOf } from "../../../../domain/monitors/status.ts";
import type { Report } from "../../data/api.ts";
import { fill, texts } from "../../languages/texts.ts";
import { dateFormat } from "../../ui/time.tsx";
import { bandPath, dotsPath, HEIGHT, linePath, type Scale, scaleOf } from "./chart-scale.ts";
import type { Drawing } from "./drawings.ts";

interface Props {
  /** The same object as long as it shows the same. */
  drawing: Drawing;
  /** As `drawing`. */
  shades?: readonly Shade[];
  /** A summary for screen readers. */
  label: string;
  /**
   * Gets the time that the pointer was dragged over, in milliseconds since 1970; null after a double-click. Without it, no time can be
   * selected.
   */
  onZoom?: (time: { from: number; to: number } | null) => void;
  /** The keys of the lines. */
  children: ReactNode;
}

const NONE: readonly Shade[] = [];
/** Pixels: a shorter drag is a click. */
const LEAST_DRAG = 6;

/** A plot with its keys, and the values at the cursor, which the pointer and the arrow keys move. */
export function LatencyChart({ drawing, shades = NONE, label, onZoom, children }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const scale = useMemo(() => scaleOf(drawing, width), [drawing, width]);
  /** The time at the cursor, in seconds since 1970: further checks move the plot below it. */
  const [cursor, setCursor] = useState<number | null>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const at = cursor === null ? -1 : nearest(drawing, cursor);
  const text = at < 0 ? "" : describePoint(drawing, at);
  const placeOf = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const place = clientX - currentTarget.getBoundingClientRect().left;
    return Math.min(scale.right, Math.max(scale.left, place));
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const to = placeOf(event);
    setCursor(scale.timeAt(to));
    if (drag) setDrag({ ...drag, to });
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    // A finger scrolls.
    if (!onZoom || event.pointerType === "touch" || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ from: placeOf(event), to: placeOf(event) });
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    if (!drag) return;
    setDrag(null);
    const [from, to] = [drag.from, placeOf(event)].sort((one, other) => one - other) as [number, number];
    if (to - from >= LEAST_DRAG) onZoom?.({ from: scale.timeAt(from) * 1000, to: scale.timeAt(to) * 1000 });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextPoint(drawing, at, event.key);
    if (next === undefined) return;
    event.preventDefault();
    setCursor(Number(drawing.columns[0]?.[next]));
  };
  return (
    <figure className="latency-chart">
      <div
        ref={frame}
        className="latency-plot"
        dir="ltr"
        role="slider"
        tabIndex={0}
        aria-label={fill(texts.monitors.chart.keyboard, { label })}
        aria-valuenow={at + 1}
        aria-valuetext={text || texts.monitors.chart.noValue}
        onKeyDown={onKeyDown}
        onBlur={() => setCursor(null)}
        onPointerMove={onPointerMove}
        onPointerDown={onPointerDown}
        onPointerUp={onPointerUp}
        onPointerLeave={() => setCursor(null)}
        onDoubleClick={() => onZoom?.(null)}
      >
        <svg width="100%" height={HEIGHT} role="img" aria-label={label}>
          {width > 0 && <Plot drawing={drawing} scale={scale} shades={shades} />}
          {text && <Cursor drawing={drawing} scale={scale} at={at} />}
          {drag && (
            <rect
              className="latency-drag"
              x={Math.min(drag.from, drag.to)}
              y={scale.top}
              width={Math.abs(drag.to - drag.from)}
              height={scale.bottom - scale.top}
            />
          )}
        </svg>
        <output
          ref={(tip: HTMLElement | null) => placeTip(tip, scale.x(Number(drawing.columns[0]?.[at])) / width)}
          dir="auto"
          hidden={text === ""}
        >
          {text}
        </output>
      </div>
      <ChartKeys shades={shades}>{children}</ChartKeys>
    </figure>
  );
}

function ChartKeys({ shades, children }: Required<Pick<Props, "shades" | "children">>) {
  return (
    <figcaption>
      {children}
      {[...new Set(shades.map(({ kind }) => kind))].map((kind) => (
        <span key={kind} className={`latency-key latency-key-shade latency-key-${kind}`}>
          {texts.monitors.chart.shades[kind]}
        </span>
      ))}
    </figcaption>
  );
}

/** The plot of a time without values: its outages and maintenances, and a sentence about it. */
export function EmptyChart({
  drawing,
  shades,
  label,
}: Required<Pick<Props, "drawing" | "shades" | "label">>) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const scale = useMemo(() => scaleOf(drawing, width), [drawing, width]);
  return (
    <figure className="latency-chart">
      <div ref={frame} className="latency-plot latency-plot-empty" dir="ltr">
        <svg width="100%" height={HEIGHT} aria-hidden="true">
          {width > 0 && <Plot drawing={drawing} scale={scale} shades={shades} />}
        </svg>
        <p dir="auto">{label}</p>
      </div>
      <ChartKeys shades={shades}>{null}</ChartKeys>
    </figure>
  );
}

/** The width of an element in CSS pixels; 0 before it is rendered. */
function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const read = () => setWidth(current.clientWidth);
    const observer = new ResizeObserver(read);
    observer.observe(current);
    read();
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** By script, because the page's Content-Security-Policy forbids style attributes. @param position a fraction of the width */
function placeTip(tip: HTMLElement | null, position: number): void {
  if (!tip || Number.isNaN(position)) return;
  const isRight = position > 0.5;
  tip.style.left = isRight ? "" : `${position * 100}%`;
  tip.style.right = isRight ? `${(1 - position) * 100}%` : "";
}

interface PlotProps {
  drawing: Drawing;
  scale: Scale;
  shades: readonly Shade[];
}

/** All but the cursor. */
const Plot = memo(function Plot({ drawing, scale, shades }: PlotProps) {
  const { left, right, top, bottom, xTicks, yTicks } = scale;
  const [times = [], ...columns] = drawing.columns;
  return (
    <>
      {xTicks.map(({ at, label }) => (
        <g key={at}>
          <path className="latency-grid" d={`M${at} ${top}V${bottom}`} />
          <text x={Math.min(at, right + 12)} y={bottom + 19} textAnchor={anchorOf(at, right)}>
            {label}
          </text>
        </g>
      ))}
      {yTicks.map(({ at, label }) => (
        <g key={at}>
          <path className="latency-grid" d={`M${left} ${at}H${right}`} />
          <text x={left - 8} y={at + 4} textAnchor="end">
            {label}
          </text>
        </g>
      ))}
      {shades.map((shade, at) => (
        <ShadeArea key={at} shade={shade} scale={scale} />
      ))}
      {drawing.bands.map(({ upper, lower, token, opacity }) => (
        <path
          key={upper}
          d={bandPath(scale, times, columns[upper] ?? [], columns[lower] ?? [])}
          fill={`var(--${token})`}
          fillOpacity={opacity}
        />
      ))}
      {drawing.lines.map(
        (line, at) =>
          line && (
            <g
              key={at}
              stroke={`var(--${line.token})`}
              fill="none"
              strokeLinecap="round"
              strokeLinejoin="round"
            >
              {!line.isDots && (
                <path
                  d={linePath(scale, times, columns[at] ?? [])}
                  strokeWidth={line.width ?? 1.6}
                  strokeDasharray={line.dash?.join(" ") || undefined}
                />
              )}
              {line.dot !== undefined && (
                <path d={dotsPath(scale, times, columns[at] ?? [])} strokeWidth={line.dot} />
              )}
            </g>
          ),
      )}
    </>
  );
});

/** The last label must not leave the plot. */
function anchorOf(at: number, right: number): "middle" | "end" {
  return at > right - 22 ? "end" : "middle";
}

/** Pixels: a short outage is visible, too. */
const LEAST = 2;

/** Trouble is filled, a maintenance hatched. */
function ShadeArea({ shade: { kind, from, to }, scale }: { shade: Shade; scale: Scale }) {
  const [start, end] = [Math.max(scale.left, scale.x(from)), Math.min(scale.right, scale.x(to))];
  if (end < scale.left || start > scale.right) return null;
  const [width, height] = [Math.max(LEAST, end - start), scale.bottom - scale.top];
  if (kind !== "maintenance")
    return (
      <rect
        className={`latency-shade latency-shade-${kind}`}
        x={start}
        y={scale.top}
        width={width}
        height={height}
      />
    );
  const lines = Array.from({ length: Math.ceil(width / GAP) }, (_, at) => start + at * GAP);
  return (
    <path
      className="latency-shade-maintenance"
      d={`M${start} ${scale.top}h${width}v${height}h${-width}z${lines
        .map((x) => `M${x} ${scale.bottom}L${Math.min(x + GAP, start + width)} ${scale.top}`)
        .join("")}`}
    />
  );
}

/** Pixels between two lines of a hatching. */
const GAP = 8;

function Cursor({ drawing, scale, at }: { drawing: Drawing; scale: Scale; at: number }) {
  const [times = [], ...columns] = drawing.columns;
  const x = scale.x(Number(times[at]));
  return (
    <>
      <path className="latency-cursor" d={`M${x} ${scale.top}V${scale.bottom}`} />
      {drawing.lines.map((line, index) => {
        const value = columns[index]?.[at];
        return (
          line &&
          typeof value === "number" && (
            <circle key={index} cx={x} cy={scale.y(value)} r="3.5" fill={`var(--${line.token})`} />
          )
        );
      })}
    </>
  );
}

/** The position of the point that is nearest to a time. */
function nearest({ columns: [times = []] }: Drawing, time: number): number {
  const after = times.findIndex((one) => Number(one) >= time);
  if (after < 0) return times.length - 1;
  const before = after - 1;
  return before >= 0 && time - Number(times[before]) < Number(times[after]) - time ? before : after;
}

/** The position of the next point with values. @param at the present one; -1 without one */
function nextPoint(drawing: Drawing, at: number, key: string): number | undefined {
  const known = [...(drawing.columns[0] ?? []).keys()].filter((one) => describePoint(drawing, one) !== "");
  if (key === "ArrowLeft") return at < 0 ? known.at(-1) : (known.findLast((one) => one < at) ?? known[0]);
  if (key === "ArrowRight") return at < 0 ? known.at(-1) : (known.find((one) => one > at) ?? known.at(-1));
  if (key === "Home") return known[0];
  return key === "End" ? known.at(-1) : undefined;
}

const pointFormat = dateFormat({ dateStyle: "medium", timeStyle: "short" });

function describePoint({ columns: [times = [], ...series], describe }: Drawing, at: number): string {
  const description = describe(series.map((column) => column[at]));
  if (!description) return "";
  const time = pointFormat.format(Number(times[at]) * 1000);
  return fill(texts.monitors.chart.point, { time, values: description });
}

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
