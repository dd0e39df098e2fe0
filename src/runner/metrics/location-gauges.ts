import type { LocationReport } from "../../store/store.ts";
import type { Gauges } from "./gauges.ts";

/** The current state of the locations of one organization. */
export function locationGauges(reports: LocationReport[]): Gauges {
  return {
    stillup_location_connected: {
      help: "1 if the probe of the location is connected, otherwise 0.",
      values: reports.map(({ name, state }) => ({
        labels: { location: name },
        value: state === "connected" ? 1 : 0,
      })),
    },
    stillup_location_lag_seconds: {
      help: "How old the oldest observation of the latest batch of the location was when it arrived.",
      values: reports.flatMap(({ name, lagMs }) =>
        lagMs === null ? [] : [{ labels: { location: name }, value: lagMs / 1000 }],
      ),
    },
  };
}
