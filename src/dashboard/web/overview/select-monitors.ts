import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import { STANDINGS, type StandingCounts } from "../../../domain/monitors/standing.ts";
import { type Filters, isMatch, ORDERS, type Sort } from "../../../domain/overview/selection.ts";
import type { MonitorSummary } from "../data/api.ts";

/** The monitors that match the filters, sorted. */
export function selectMonitors(
  monitors: MonitorSummary[],
  { sort, ...filters }: Filters & { sort: Sort },
): MonitorSummary[] {
  return monitors.filter((one) => isMatch(one, filters)).sort(ORDERS[sort]);
}

/** The worst state that needs somebody, and a sentence about it and about what people do about the rest. */
export function describeOverall(counts: StandingCounts): { state: DisplayState; text: string } {
  const { state, text } = describeWorst(counts);
  const { maintenance, acknowledged } = counts;
  const rest = [
    maintenance > 0 && `${maintenance} in maintenance`,
    acknowledged > 0 && `${acknowledged} acknowledged`,
  ];
  return { state, text: [text, ...rest].filter(Boolean).join(" · ") };
}

function describeWorst(counts: StandingCounts): { state: DisplayState; text: string } {
  const total = STANDINGS.reduce((sum, standing) => sum + counts[standing], 0);
  const { down, warning, healthy, waiting, acknowledged, maintenance } = counts;
  if (down > 0) return { state: "down", text: `${down} of ${total} ${down === 1 ? "is" : "are"} down` };
  if (warning > 0) {
    return { state: "warning", text: `${warning} of ${total} ${warning === 1 ? "has" : "have"} a warning` };
  }
  if (healthy > 0) {
    const isAll = waiting + acknowledged + maintenance === 0;
    const waits = waiting > 0 ? `, ${waiting} waiting` : "";
    return { state: "healthy", text: isAll ? "All monitors are healthy" : `${healthy} healthy${waits}` };
  }
  if (waiting === 0 && acknowledged + maintenance > 0)
    return { state: acknowledged > 0 ? "warning" : "healthy", text: "Nothing else needs you" };
  return waiting > 0
    ? { state: "waiting", text: "Waiting for first results" }
    : { state: "paused", text: "All monitors are paused" };
}

/** Filters as parameters of the API, without the tags. */
export function requestedFilters({ search, type, kind, state }: Filters) {
  const text = search.trim();
  return {
    ...(text && { search: text }),
    ...(type && { type }),
    ...(kind && { kind }),
    ...(state && { status: state }),
  };
}
