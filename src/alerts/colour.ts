import type { StatusGroup } from "../domain/monitors/status.ts";

/** The colour of a message, as `#rrggbb`. */
export const colours: Record<StatusGroup, string> = {
  down: "#d92d20",
  warning: "#f79009",
  healthy: "#12a150",
};
