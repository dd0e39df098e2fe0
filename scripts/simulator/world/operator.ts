import type { AuditActor } from "../../../src/domain/accounts/audit.ts";
import type { NewAlertBinding } from "../../../src/domain/alerts/alert-binding.ts";
import type { NewMaintenance } from "../../../src/domain/maintenance/request.ts";
import type { MonitorChanges } from "../../../src/domain/monitors/monitor-update.ts";
import { AppError } from "../../../src/errors.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Ledger, Pace, SimMaintenance, SimMonitor, SimRequest } from "../ledger.ts";
import { onCallRoutes } from "./on-call.ts";
import type { OperatedParts } from "./server.ts";

/**
 * The parts that a request needs.
 *
 * @property store writes the changes to the audit log
 * @property organizationId of all monitors @property isRepeated whether an attempt got no answer, although it may have had its effect
 */
export interface Operated extends Omit<OperatedParts, "store"> {
  store: ReturnType<Store["as"]>;
  ledger: Ledger;
  organizationId: string;
  isRepeated: boolean;
}

type Kinds = { [Kind in SimRequest["kind"]]: SimRequest & { kind: Kind } };

/** Does what a route of the API does. @returns whether it had an effect: the API refuses, for example, to end a closed window */
export async function operate(
  request: SimRequest,
  { store, ...others }: Omit<Operated, "store"> & OperatedParts,
): Promise<boolean> {
  const route = routes[request.kind] as (request: SimRequest, parts: Operated) => Promise<boolean>;
  const parts = { ...others, store: store.as({ actor: OPERATOR, address: null, at: others.now() }) };
  try {
    const isDone = await route(request, parts);
    await parts.refreshChecks();
    await parts.alertReview.run();
    return isDone;
  } catch (error) {
    // The answer to an attempt that ended the window, or deleted the person, may be lost.
    if (error instanceof AppError && REFUSALS.includes(error.kind))
      return parts.isRepeated && REPEATABLE.includes(request.kind);
    throw error;
  }
}

const OPERATOR: AuditActor = { type: "key", id: "operator", name: "operator" };

const REFUSALS = ["invalid", "not_found"];

const REPEATABLE: readonly SimRequest["kind"][] = ["end window", "delete person"];

/** The requests by what they ask for. */
export type Routes = {
  [Kind in keyof Kinds]: (request: Kinds[Kind], parts: Operated) => Promise<boolean>;
};

const routes: Routes = {
  ...onCallRoutes,
  pause: ({ monitor }, parts) => update(monitor, { enabled: false }, parts),
  resume: ({ monitor }, parts) => update(monitor, { enabled: true }, parts),
  depend: ({ monitor, on }, parts) =>
    update(monitor, { dependsOn: on.map((name) => idOf(name, parts)) }, parts),
  async edit({ monitor, changes: { interval, maxRunTime, ...changes } }, parts) {
    const { config } = await parts.store.monitors.find(parts.organizationId, idOf(monitor, parts));
    const edited = { ...config, ...(interval && { interval }), ...(maxRunTime && { maxRunTime }) };
    return update(monitor, { ...changes, ...((interval || maxRunTime) && { config: edited }) }, parts);
  },
  bind({ monitor, channels }, parts) {
    const { monitors } = parts.ledger.scenario;
    const bound = monitors.find(({ name }) => name === monitor);
    return bound
      ? update(monitor, { alertBindings: bindingsOf(bound, channels, parts.ledger) }, parts)
      : Promise.resolve(false);
  },
  async delete({ monitor }, { store, organizationId, ...parts }) {
    try {
      await store.monitors.delete(organizationId, idOf(monitor, parts));
    } catch (error) {
      // The answer to the first attempt may be lost.
      if (!(error instanceof AppError && error.kind === "not_found")) throw error;
    }
    return true;
  },
  apply: ({ edits }, parts) => applyEdits(edits, parts),
  async acknowledge({ monitor }, parts) {
    const { store, organizationId, now } = parts;
    const outage = await openOutageOf(monitor, parts);
    const given = { by: "operator", note: null };
    if (outage) await store.outages.acknowledge(organizationId, outage.id, given, now());
    return outage !== undefined;
  },
  async "take back"({ monitor }, parts) {
    const { store, organizationId, now } = parts;
    const outage = await openOutageOf(monitor, parts);
    if (outage) await store.outages.unacknowledge(organizationId, outage.id, now());
    return outage !== undefined;
  },
  async "create maintenance"({ maintenance }, parts) {
    const { store, organizationId, now } = parts;
    // The answer to the first attempt may be lost.
    if (!(await maintenanceIdOf(maintenance.name, parts)))
      await store.maintenances.create(organizationId, bodyOf(maintenance, parts.ledger), now());
    return true;
  },
  async "end window"({ maintenance }, parts) {
    const id = await maintenanceIdOf(maintenance, parts);
    if (id) await parts.store.maintenances.end(parts.organizationId, id, parts.now());
    return id !== undefined;
  },
  async "delete maintenance"({ maintenance }, parts) {
    const id = await maintenanceIdOf(maintenance, parts);
    if (id) await parts.store.maintenances.delete(parts.organizationId, id, parts.now());
    return id !== undefined || parts.isRepeated;
  },
};

async function openOutageOf(monitor: string, parts: Operated) {
  const filter = { monitorId: idOf(monitor, parts), isOpen: true, limit: 1 };
  const { items } = await parts.store.outages.list(parts.organizationId, filter);
  return items[0];
}

async function maintenanceIdOf(name: string, { store, organizationId, now }: Operated) {
  const all = await store.maintenances.list(organizationId, now());
  return all.find(({ title }) => title === name)?.id;
}

/** The body of a request that creates a maintenance. */
export function bodyOf(
  { name: title, selector: { monitors, tags, all }, window, notifies }: SimMaintenance,
  { monitorIds, channelIds }: Pick<Ledger, "monitorIds" | "channelIds">,
): NewMaintenance {
  const time = (at: number) => new Date(at).toISOString();
  const selector = {
    ...(monitors && { monitorIds: monitors.map((name) => monitorIds.get(name) ?? "") }),
    ...(tags && { tags }),
    ...(all && { all }),
  };
  const notifyChannelIds = notifies.map((name) => channelIds.get(name) ?? "");
  if ("startsAt" in window)
    return {
      title,
      selector,
      notifyChannelIds,
      startsAt: time(window.startsAt),
      endsAt: time(window.endsAt),
    };
  const { until, ...recurring } = window;
  return {
    title,
    selector,
    notifyChannelIds,
    ...recurring,
    ...(until !== undefined && { until: time(until) }),
  };
}

/** Applies a document with some monitors as they are, except for the edits. */
async function applyEdits(
  edits: readonly { monitor: string; changes: Pace }[],
  { store, organizationId, now }: Operated,
): Promise<boolean> {
  const { document } = await store.configuration.export(organizationId, now());
  const byName = new Map(edits.map(({ monitor, changes }) => [monitor, changes]));
  const monitors = Object.entries(document.monitors ?? {}).flatMap(([ref, entry]) => {
    const { interval, ...changes } = byName.get(entry.name ?? ref) ?? {};
    if (!byName.has(entry.name ?? ref)) return [];
    const config = { ...entry.config, ...(interval && { interval }) };
    return [[ref, { ...entry, ...changes, config }]];
  });
  const options = { prune: "none", isDryRun: false } as const;
  await store.configuration.apply(organizationId, { monitors: Object.fromEntries(monitors) }, options, now());
  return true;
}

/** @param channels names */
export function bindingsOf(
  { patience = {} }: SimMonitor,
  channels: readonly string[],
  { channelIds }: Pick<Ledger, "channelIds">,
): NewAlertBinding[] {
  return channels.map((channel) => {
    return { alertChannelId: channelIds.get(channel) ?? "", ...patience[channel] };
  });
}

async function update(monitor: string, changes: MonitorChanges, parts: Operated): Promise<boolean> {
  const { store, organizationId, now } = parts;
  const owner = { organizationId, plan: "enterprise" } as const;
  await store.monitors.update(owner, idOf(monitor, parts), changes, now());
  return true;
}

function idOf(monitor: string, { ledger }: Pick<Operated, "ledger">): string {
  return ledger.monitorIds.get(monitor) ?? "";
}
