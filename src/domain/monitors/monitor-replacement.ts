import type { Plan } from "../accounts/organization.ts";
import { requestedBindings } from "../alerts/alert-binding.ts";
import { ONLY_HERE } from "../locations/placement.ts";
import { UNCONFIRMED } from "./confirmation.ts";
import { assertIntervalAllowed, type MonitorType, parseConfig } from "./monitor.ts";
import type { MonitorChanges } from "./monitor-update.ts";

/** The values of a request that creates a monitor, or replaces it in full. The config is not validated yet. */
export interface MonitorRequest extends MonitorChanges {
  name: string;
  type: MonitorType;
  config: unknown;
}

/** A request for a new monitor with its config validated. @throws AppError `invalid` for its interval, then for its config */
export function parseNewMonitor<Request extends MonitorRequest>(request: Request, plan: Plan) {
  const { name, type, config } = request;
  if (type !== "SCHEDULED") assertIntervalAllowed(plan, config);
  return { ...request, name: name.trim(), config: parseConfig(type, config, plan) };
}

/**
 * The changes that give a monitor exactly the values of a request: what it does not give gets the default of a new monitor
 * (behavior 16.5).
 *
 * @param defaultChannelIds of the organization, for a request without bindings
 * @throws AppError `invalid` for both forms of bindings, or for a channel that is in two bindings
 */
export function monitorReplacement(
  request: MonitorRequest,
  defaultChannelIds: readonly string[],
): MonitorChanges {
  const { name, type, config, ref, enabled = true, tags = [] } = request;
  const { alertChannelIds, alertBindings, dependsOn = [] } = request;
  const { confirmations = UNCONFIRMED.confirmations, recoveries = UNCONFIRMED.recoveries } = request;
  const bindings = requestedBindings(request)
    ? { alertChannelIds, alertBindings }
    : { alertChannelIds: [...defaultChannelIds] };
  const values = { name: name.trim(), config, ref, enabled, confirmations, recoveries, tags, dependsOn };
  return { ...values, ...bindings, ...placementOf(type, request) };
}

/** Jobs have no locations. */
function placementOf(type: MonitorType, { locations, downWhen }: MonitorRequest) {
  if (type === "SCHEDULED") return { locations, downWhen };
  return { locations: locations ?? ONLY_HERE.locations, downWhen: downWhen ?? ONLY_HERE.downWhen };
}
