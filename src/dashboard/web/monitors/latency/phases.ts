import { formatLatency } from "../../../../domain/duration.ts";
import { columnsOf, type Point, type Stretch } from "./drawings.ts";
import { type Drawing, hidden } from "./latency-plot.ts";

/** The phases of a check in their order. */
export const PHASES = [
  ["resolve", "Name lookup"],
  ["connect", "Connection"],
  ["tls", "TLS handshake"],
  ["firstByte", "First byte"],
] as const;

/** The phases that any point has, with their positions among all phases, which decide on their colors. */
export function phasesIn(points: readonly Point[]) {
  return PHASES.map(([name, label], at) => ({ name, label, token: `series-${at + 1}` })).filter(({ name }) =>
    points.some(({ phases }) => phases?.[name] !== undefined),
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
    series: (color) => [
      { label: "Start", ...hidden },
      ...shown.map(({ label, token }) => ({
        label,
        stroke: color(`--${token}`),
        width: 1.2,
        points: { show: false },
      })),
    ],
    bands: (color) =>
      shown.map(({ token }, at) => ({ series: [at + 2, at + 1], fill: `${color(`--${token}`)}55` })),
    includes: 0,
    describe: (values) =>
      shown
        .map(({ label }, at) => `${label} ${formatLatency((values[at + 1] ?? 0) - (values[at] ?? 0))}`)
        .filter(() => typeof values[0] === "number")
        .join(", "),
  };
}
