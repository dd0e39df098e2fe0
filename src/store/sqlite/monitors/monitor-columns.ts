import { monitorStates, monitors } from "../schema.ts";

/** The columns of a monitor in the domain, with its locations as they are stored, of `monitors` joined with `monitor_states`. */
export const monitorColumns = {
  id: monitors.id,
  name: monitors.name,
  type: monitors.type,
  config: monitors.config,
  status: monitorStates.status,
  enabled: monitors.enabled,
  confirmations: monitors.confirmations,
  recoveries: monitors.recoveries,
  locations: monitors.locations,
  downWhen: monitors.downWhen,
  createdAt: monitors.createdAt,
  updatedAt: monitors.updatedAt,
};
