import type uPlot from "uplot";
import { groupOf } from "../../../../domain/monitors/status.ts";
import type { Report } from "../../data/api.ts";

/** A time in which a monitor was in trouble or in a maintenance, in seconds since 1970. */
export interface Shade {
  kind: "warning" | "down" | "maintenance";
  from: number;
  to: number;
}

/** The outages and the maintenances of a report. Those that last are shaded to the end of the chart. */
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
      kind: groupOf(trouble.status) === "down" ? ("down" as const) : ("warning" as const),
      ...timesOf(trouble),
    })),
  ];
}

/** Pixels: a short outage is visible, too. */
const LEAST = 2;
/** Pixels between two lines of a hatching. */
const GAP = 6;

/** Draws the shades behind the lines: trouble filled, maintenances hatched. @param color the value of a token */
export function drawShades(plot: uPlot, shades: readonly Shade[], color: (token: string) => string): void {
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
