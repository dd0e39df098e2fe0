import { sql } from "drizzle-orm";
import { monitorStates, monitors } from "../schema.ts";

/** The columns of a monitor in the domain, with its locations as they are stored, of `monitors` joined with `monitor_states`. */
export const monitorColumns = {
  id: monitors.id,
  name: monitors.name,
  type: monitors.type,
  config: monitors.config,
  status: monitorStates.status,
  enabled: monitors.enabled,
  tags: monitors.tags,
  dependsOn: sql`(
    SELECT json_group_array(id) FROM (
      SELECT causes.id FROM monitor_dependencies JOIN monitors AS causes ON causes.pk = depends_on_pk
      WHERE monitor_pk = ${monitors.pk} ORDER BY causes.pk))`.mapWith((text): string[] => JSON.parse(text)),
  confirmations: monitors.confirmations,
  recoveries: monitors.recoveries,
  locations: monitors.locations,
  downWhen: monitors.downWhen,
  ref: monitors.ref,
  blindSince: monitorStates.blindSince,
  createdAt: monitors.createdAt,
  updatedAt: monitors.updatedAt,
};
