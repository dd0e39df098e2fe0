import type { StatusGroup } from "../domain/monitors/status.ts";

/** The colour of a message, as `#rrggbb`: `--down`, `--warning` and `--healthy` of the page in its light scheme. */
export const colours: Record<StatusGroup, string> = {
  down: "#c02a25",
  warning: "#8f5b00",
  healthy: "#1c7c4a",
};
