import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import { type Status, statusLabel } from "../../../domain/monitors/status.ts";

export const stateLabels: Record<DisplayState, string> = {
  healthy: "Healthy",
  warning: "Warning",
  down: "Down",
  waiting: "Waiting",
  paused: "Paused",
};

/** The current status of a monitor for the page (behavior 1.6). */
export function monitorStatusLabel({ status, enabled }: { status: Status; enabled: boolean }): string {
  return enabled ? statusLabel(status) : stateLabels.paused;
}
