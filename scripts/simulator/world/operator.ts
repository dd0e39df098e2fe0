import type { NewMaintenance } from "../../../src/domain/maintenance/request.ts";
import { AppError } from "../../../src/errors.ts";
import type { Ledger, SimMaintenance, SimRequest } from "../ledger.ts";
import type { OperatedParts } from "./server.ts";

/** The parts that a request needs. @property organizationId of all monitors */
export interface Operated extends OperatedParts {
  ledger: Ledger;
  organizationId: string;
}

type Kinds = { [Kind in SimRequest["kind"]]: SimRequest & { kind: Kind } };

/** Does what a route of the API does. @returns whether it had an effect */
export async function operate(request: SimRequest, parts: Operated): Promise<boolean> {
  const isDone = await (routes[request.kind] as (request: SimRequest, parts: Operated) => Promise<boolean>)(
    request,
    parts,
  );
  await parts.alertReview.run();
  return isDone;
}

const routes: {
  [Kind in keyof Kinds]: (request: Kinds[Kind], parts: Operated) => Promise<boolean>;
} = {
  pause: ({ monitor }, parts) => update(monitor, { enabled: false }, parts),
  resume: ({ monitor }, parts) => update(monitor, { enabled: true }, parts),
  depend: ({ monitor, on }, parts) =>
    update(monitor, { dependsOn: on.map((name) => idOf(name, parts)) }, parts),
  async acknowledge({ monitor }, parts) {
    const { store, organizationId, now } = parts;
    const outage = await openOutageOf(monitor, parts);
    const given = { by: "operator", note: null };
    return (
      outage !== undefined && took(() => store.outages.acknowledge(organizationId, outage.id, given, now()))
    );
  },
  async "take back"({ monitor }, parts) {
    const { store, organizationId, now } = parts;
    const outage = await openOutageOf(monitor, parts);
    return outage !== undefined && took(() => store.outages.unacknowledge(organizationId, outage.id, now()));
  },
  async "create maintenance"({ maintenance }, parts) {
    const { store, organizationId, now } = parts;
    // The answer to the first attempt may be lost.
    if (await maintenanceIdOf(maintenance.name, parts)) return true;
    return took(() => store.maintenances.create(organizationId, bodyOf(maintenance, parts.ledger), now()));
  },
  async "end window"({ maintenance }, parts) {
    const id = await maintenanceIdOf(maintenance, parts);
    return (
      id !== undefined && took(() => parts.store.maintenances.end(parts.organizationId, id, parts.now()))
    );
  },
  async "delete maintenance"({ maintenance }, parts) {
    const id = await maintenanceIdOf(maintenance, parts);
    return (
      id !== undefined && took(() => parts.store.maintenances.delete(parts.organizationId, id, parts.now()))
    );
  },
};

/** @returns false if the API refuses it, for example because there is no open window */
async function took(request: () => Promise<unknown>): Promise<boolean> {
  try {
    await request();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.kind === "invalid") return false;
    throw error;
  }
}

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

async function update(
  monitor: string,
  changes: { enabled?: boolean; dependsOn?: string[] },
  parts: Operated,
): Promise<boolean> {
  const { store, organizationId, now } = parts;
  const owner = { organizationId, plan: "enterprise" } as const;
  await store.monitors.update(owner, idOf(monitor, parts), changes, now());
  return true;
}

function idOf(monitor: string, { ledger }: Operated): string {
  return ledger.monitorIds.get(monitor) ?? "";
}
