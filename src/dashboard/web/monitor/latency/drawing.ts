import type uPlot from "uplot";
import type { Column } from "./latency-columns.ts";

/** What a plot shows. */
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
