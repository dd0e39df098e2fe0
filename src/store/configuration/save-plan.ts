import { sql } from "drizzle-orm";
import {
  isNew,
  type ObjectKind,
  type PlannedMaintenance,
  type PlannedPage,
  type Step,
} from "../../domain/configuration/plan.ts";
import { only } from "../../domain/configuration/plan-entries.ts";
import { type NewMaintenance, timeFieldsOf } from "../../domain/maintenance/request.ts";
import type { Sealed } from "../../domain/pages/page-password.ts";
import { type NewPage, PAGE_SETTINGS } from "../../domain/pages/page-request.ts";
import { pick } from "../../domain/pick.ts";
import type { LockMonitors } from "../engine.ts";
import { reviseWork } from "../locations/monitor-locations.ts";
import { findAffected } from "../maintenance/affected-monitors.ts";
import { createMaintenance, deleteMaintenance, replaceMaintenance } from "../maintenance/maintenances.ts";
import { deleteMonitors } from "../monitors/monitors.ts";
import { revisedLocations, updateMonitors } from "../monitors/update-monitors.ts";
import { createPage, deletePage, replacePage } from "../pages/pages.ts";
import { releaseSlugs } from "../pages/released-slugs.ts";
import type { Tx } from "../tx.ts";
import { type Deleted, type NamedObjects, named } from "./plan-objects.ts";
import type { OwnedPlan, PreparedPlan } from "./prepare-plan.ts";
import { createChannels, deleteChannels, updateChannels } from "./save-channels.ts";
import { createMonitors, freeTokens, withRelations } from "./save-monitors.ts";
import { writeHistory } from "./write-history.ts";

type Owner = OwnedPlan["owner"];

/**
 * Writes a plan. The settings come first: nothing waits for them, however many they are. Then the states of monitors are locked, so
 * that until the end no results of these are recorded. What is deleted is deleted before a page is saved that needs its slug.
 *
 * @param now milliseconds since 1970
 */
export async function savePlan(
  tx: Tx,
  prepared: PreparedPlan,
  lock: LockMonitors,
  now: number,
): Promise<void> {
  const { owner, plan, organizationPk, objects, newIds, deleted, created } = prepared;
  const work = [...created, ...deleted].map(({ locations }) => locations);
  await reviseWork(tx, ...work, ...revisedLocations(prepared.updates));
  await freeTokens(tx, plan.monitors, deleted);
  const newChannels = { organizationPk, steps: plan.channels.filter(isNew), objects, newIds };
  await createChannels(tx, newChannels, now);
  await createMonitors(tx, prepared, now);
  await writeHistory(tx, prepared);
  await tx.sets.insert(tx.tables.auditEntries, prepared.auditRows);
  const updates = prepared.updates.map((update) => withRelations(update, objects));
  const monitorPks = pksOf(deleted, "monitor");
  await updateMonitors(tx, { organizationPk, updates }, now, async (changed) => {
    const inWindows = await findInWindows(tx, prepared);
    const others = plan.deletions.length + plan.channels.length + plan.maintenances.length;
    if (changed.length + others > 0) await lock([...changed, ...monitorPks, ...inWindows]);
    for (const { kind, id } of plan.deletions)
      await deleters[kind]?.({ ...tx, author: undefined }, owner.organizationId, id, now);
  });
  await deleteMonitors(tx, monitorPks);
  await deleteChannels(tx, pksOf(deleted, "channel"));
  await updateChannels(tx, plan.channels, now);
  for (const step of plan.maintenances) await saveMaintenance(tx, { owner, step, objects }, now);
  await freeSlugs(tx, { steps: plan.pages, organizationPk }, now);
  for (const step of plan.pages) await savePage(tx, { owner, step, objects }, now);
}

function pksOf(deleted: readonly Deleted[], kind: ObjectKind): number[] {
  return deleted.flatMap((one) => (one.kind === kind ? [one.pk] : []));
}

/** The numbers of the monitors whose states the maintenances of a plan change. */
async function findInWindows(tx: Tx, { organizationPk, plan, objects }: PreparedPlan): Promise<number[]> {
  const deleted = plan.deletions.filter(({ kind }) => kind === "maintenance");
  if (plan.maintenances.length + deleted.length === 0) return [];
  const ids = [...deleted, ...plan.maintenances].flatMap(({ id }) => id ?? []);
  const selectors = plan.maintenances.map((step) => maintenanceRequest(step, objects).selector);
  return findAffected(tx, { organizationPk, ids, selectors });
}

type Delete = (tx: Tx, organizationId: string, id: string, now: number) => Promise<unknown>;

/** Each of them moves deadlines of jobs, or has rows of its own: there are few. */
const deleters: Partial<Record<ObjectKind, Delete>> = { maintenance: deleteMaintenance, page: deletePage };

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
  return {
    ref,
    title,
    selector: {
      ...others,
      ...(monitorIds && { monitorIds: monitorIds.map((key) => named(objects.monitors, key).id) }),
    },
    ...given({ ...timeFieldsOf(times), message }),
    ...(notifyChannelIds.length > 0 && {
      notifyChannelIds: notifyChannelIds.map((key) => named(objects.channels, key).id),
    }),
  };
}

/** A slug that no page has, until its page gets its new one: two pages may swap theirs. */
async function freeSlugs(
  tx: Tx,
  { steps, organizationPk }: { steps: readonly Step<PlannedPage>[]; organizationPk: number },
  now: number,
): Promise<void> {
  const { db, sets, tables } = tx;
  const { pages } = tables;
  const renamed = steps.flatMap(({ id, fields }) => (id !== null && fields.includes("slug") ? [id] : []));
  if (renamed.length === 0) return;
  const isRenamed = sets.among(pages.id, renamed);
  const given = await db.select({ slug: pages.slug }).from(pages).where(isRenamed);
  const slugs = given.map(({ slug }) => slug);
  await releaseSlugs(tx, { organizationPk, slugs }, now);
  await db
    .update(pages)
    .set({ slug: sql`'!' || ${pages.id}` })
    .where(isRenamed);
}

async function savePage(tx: Tx, { owner, step, objects }: Saved<PlannedPage>, now: number): Promise<void> {
  const { organizationId } = owner;
  const request = pageRequest(step, objects);
  if (step.id === null) await createPage(tx, organizationId, request, now);
  else await replacePage(tx, organizationId, step.id, request, now);
}

function pageRequest({ ref, id, fields, values }: Step<PlannedPage>, objects: NamedObjects): Sealed<NewPage> {
  const { slug, title } = values;
  const components = values.components.map(({ monitor, name, group }) => {
    return { monitorId: named(objects.monitors, monitor).id, ...given({ name, group }) };
  });
  const settings = { ...given(pick(values, PAGE_SETTINGS)), components };
  return { ref, slug, title, ...(id === null ? only(fields, settings) : settings) };
}

type Given<Values> = { [Name in keyof Values]?: NonNullable<Values[Name]> };

/** The values that are not null. */
function given<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Given<Values>;
}
