import { DISPLAY_STATES, type DisplayState } from "../../../domain/monitors/display-state.ts";
import { type Filters, isMatch, ORDERS, type Sort } from "../../../domain/overview/selection.ts";
import type { MonitorSummary } from "../data/api.ts";

/** The monitors that match the filters, sorted. */
export function selectMonitors(
  monitors: MonitorSummary[],
  { sort, ...filters }: Filters & { sort: Sort },
): MonitorSummary[] {
  return monitors.filter((one) => isMatch(one, filters)).sort(ORDERS[sort]);
}

/** The worst state that any monitor has, and a sentence about it. */
export function describeOverall(counts: Record<DisplayState, number>): { state: DisplayState; text: string } {
  const total = DISPLAY_STATES.reduce((sum, state) => sum + counts[state], 0);
  const { down, warning, healthy, waiting } = counts;
  if (down > 0) return { state: "down", text: `${down} of ${total} ${down === 1 ? "is" : "are"} down` };
  if (warning > 0) {
    return { state: "warning", text: `${warning} of ${total} ${warning === 1 ? "has" : "have"} a warning` };
  }
  if (healthy > 0) {
    const text = waiting > 0 ? `${healthy} healthy, ${waiting} waiting` : "All monitors are healthy";
    return { state: "healthy", text };
  }
  return waiting > 0
    ? { state: "waiting", text: "Waiting for first results" }
    : { state: "paused", text: "All monitors are paused" };
}

/** Filters as parameters of the API, without the tags. */
export function requestedFilters({ search, type, state }: Filters) {
  const text = search.trim();
  return { ...(text && { search: text }), ...(type && { type }), ...(state && { status: state }) };
}
