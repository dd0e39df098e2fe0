import type { LocationState } from "../../../domain/locations/location.ts";
import type { DisplayState } from "../../../domain/monitors/display-state.ts";

type Condition = LocationState | "atFault";

interface ConditionTraits {
  label: string;
  mark: DisplayState;
  /** The consequence; empty for a location that has a vote. */
  effect: string;
}

const traits: Record<Condition, ConditionTraits> = {
  new: { label: "Not connected yet", mark: "waiting", effect: "It has no vote until its probe connects." },
  connected: { label: "Connected", mark: "healthy", effect: "" },
  silent: {
    label: "Silent",
    mark: "down",
    effect: "It has no vote. Monitors that only it checks are Waiting.",
  },
  atFault: {
    label: "Network at fault",
    mark: "warning",
    effect: "All its checks fail, while other locations see most of the monitors healthy. It has no vote.",
  },
};

/** The state of a location in words for users (behavior 13.65). */
export function conditionOf(location: { state: LocationState; isAtFault: boolean }): ConditionTraits {
  return traits[location.isAtFault && location.state === "connected" ? "atFault" : location.state];
}
