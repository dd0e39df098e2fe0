import { eq } from "drizzle-orm";
import type { Plan } from "../../domain/accounts/organization.ts";
import type {
  ApplyPlan,
  ObjectKind,
  PlannedChannel,
  PlannedMaintenance,
  PlannedMonitor,
  PlannedPage,
  Step,
} from "../../domain/configuration/plan.ts";
import { isoOrNull } from "../../domain/iso-time.ts";
import type { NewMaintenance } from "../../domain/maintenance/request.ts";
import type { NewPage } from "../../domain/pages/page-request.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { createChannel, deleteChannel, updateChannel } from "../alerting/channels.ts";
import type { LockMonitors } from "../engine.ts";
import { createMaintenance, deleteMaintenance, replaceMaintenance } from "../maintenances/maintenances.ts";
import { deleteMonitor } from "../monitors/monitors.ts";
import { createPage, deletePage, replacePage } from "../pages/pages.ts";
import type { Tx } from "../tx.ts";
import { only } from "./api-fields.ts";
import { createMonitors } from "./create-monitors.ts";
import { findNamed, type NamedObjects, named } from "./named-objects.ts";
import { updateMonitors } from "./update-monitors.ts";
import { writeHistory } from "./write-history.ts";

interface Owner {
  organizationId: string;
  plan: Plan;
}

/**
 * Writes a plan. What is deleted is deleted first, because what is created may need its place: a slug, or one of the monitors
 * that the plan of the organization allows.
 *
 * @param now milliseconds since 1970
 */
export async function savePlan(
  tx: Tx,
  { owner, plan, lock }: { owner: Owner; plan: ApplyPlan; lock: LockMonitors },
  now: number,
): Promise<void> {
  const { organizationId } = owner;
  const pk = await organizationPk(tx, organizationId);
  await lock(changedMonitors(plan));
  for (const { kind, id } of plan.deletions) await deleters[kind](tx, organizationId, id, now);
  for (const step of plan.channels) await saveChannel(tx, { owner, step }, now);
  const objects = await findNamed(tx, pk);
  await freeTokens(tx, plan.monitors);
  const created = plan.monitors.filter(({ id }) => id === null);
  await createMonitors(tx, { organizationPk: pk, steps: created, objects }, now);
  await writeHistory(tx, { steps: created, history: plan.history, objects });
  const updated = plan.monitors.filter(({ id }) => id !== null);
  await updateMonitors(tx, { plan: owner.plan, organizationPk: pk, steps: updated, objects }, now);
  for (const step of plan.maintenances) await saveMaintenance(tx, { owner, step, objects }, now);
  await freeSlugs(tx, plan.pages);
  for (const step of plan.pages) await savePage(tx, { owner, step, objects }, now);
}

function changedMonitors({ monitors, deletions }: ApplyPlan): string[] {
  const deleted = deletions.filter(({ kind }) => kind === "monitor").map(({ id }) => id);
  return [...monitors.flatMap(({ id }) => id ?? []), ...deleted];
}

type Delete = (tx: Tx, organizationId: string, id: string, now: number) => Promise<unknown>;

const deleters: Record<ObjectKind, Delete> = {
  channel: deleteChannel,
  monitor: deleteMonitor,
  maintenance: deleteMaintenance,
  page: deletePage,
};

async function saveChannel(
  tx: Tx,
  { owner, step }: { owner: Owner; step: Step<PlannedChannel> },
  now: number,
): Promise<void> {
  const { ref, id, fields } = step;
  const { name, type, config, enabled, notifyOn } = step.values;
  const settings = only(fields, { config, enabled, notifyOn });
  if (id === null) await createChannel(tx, owner, { ...settings, name, type, config, ref }, now);
  else await updateChannel(tx, owner.organizationId, id, only(fields, { ...settings, name }), now);
}

interface Saved<Values> {
  owner: Owner;
  step: Step<Values>;
  objects: NamedObjects;
}

async function saveMaintenance(
  tx: Tx,
  { owner, step, objects }: Saved<PlannedMaintenance>,
  now: number,
): Promise<void> {
  const { organizationId } = owner;
  const request = maintenanceRequest(step, objects);
  if (step.id === null) await createMaintenance(tx, organizationId, request, now);
  else await replaceMaintenance(tx, organizationId, step.id, request, now);
}

function maintenanceRequest(
  { ref, values }: Step<PlannedMaintenance>,
  objects: NamedObjects,
): NewMaintenance {
  const { title, message, selector, times, notifyChannelIds } = values;
  const { monitorIds, ...others } = selector;
  const { startsAt, endsAt, cron, timezone, duration, until } = times;
  return {
    ref,
    title,
    selector: {
      ...others,
      ...(monitorIds && { monitorIds: monitorIds.map((key) => named(objects.monitors, key).id) }),
    },
    ...given({
      startsAt: isoOrNull(startsAt),
      endsAt: isoOrNull(endsAt),
      cron,
      timezone,
      duration,
      until: isoOrNull(until),
      message,
    }),
    ...(notifyChannelIds.length > 0 && {
      notifyChannelIds: notifyChannelIds.map((key) => named(objects.channels, key).id),
    }),
  };
}

/** Another monitor may get the push token of one. */
async function freeTokens(
  { db, tables: { monitors } }: Tx,
  steps: readonly Step<PlannedMonitor>[],
): Promise<void> {
  const changed = steps.flatMap(({ id, fields }) =>
    id !== null && fields.includes("config.pushToken") ? [id] : [],
  );
  for (const id of changed) await db.update(monitors).set({ pushToken: null }).where(eq(monitors.id, id));
}

/** A slug that no page has, until its page gets its new one: two pages may swap theirs. */
async function freeSlugs({ db, tables: { pages } }: Tx, steps: readonly Step<PlannedPage>[]): Promise<void> {
  const renamed = steps.flatMap(({ id, fields }) => (id !== null && fields.includes("slug") ? [id] : []));
  for (const id of renamed)
    await db
      .update(pages)
      .set({ slug: `!${id}` })
      .where(eq(pages.id, id));
}

async function savePage(tx: Tx, { owner, step, objects }: Saved<PlannedPage>, now: number): Promise<void> {
  const { organizationId } = owner;
  const request = pageRequest(step, objects);
  if (step.id === null) await createPage(tx, organizationId, request, now);
  else await replacePage(tx, organizationId, step.id, request, now);
}

function pageRequest({ ref, id, fields, values }: Step<PlannedPage>, objects: NamedObjects): NewPage {
  const { slug, title, description, visibility, days, minOutage, showLatency } = values;
  const components = values.components.map(({ monitor, name, group }) => {
    return { monitorId: named(objects.monitors, monitor).id, ...given({ name, group }) };
  });
  const settings = { ...given({ description }), visibility, days, minOutage, showLatency, components };
  return { ref, slug, title, ...(id === null ? only(fields, settings) : settings) };
}

type Given<Values> = { [Name in keyof Values]?: NonNullable<Values[Name]> };

/** The values that are not null. */
function given<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Given<Values>;
}
