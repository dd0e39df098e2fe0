import { sql } from "drizzle-orm";
import { toTenths } from "../../domain/checks/latency-baseline.ts";
import type { NewHistory } from "../../domain/configuration/history.ts";
import { parseInSteps } from "../../domain/configuration/parse-document.ts";
import type { ParsedDocument } from "../../domain/configuration/parse-monitor.ts";
import {
  type ApplyOptions,
  type Change,
  changesOf,
  isNew,
  type ObjectKind,
  only,
  type PlannedMaintenance,
  type PlannedPage,
  type PlannedReport,
  type PlannedSchedule,
  type SealedPasswords,
  type Step,
} from "../../domain/configuration/plan.ts";
import { planApply } from "../../domain/configuration/plan-apply.ts";
import type { StoredConfiguration } from "../../domain/configuration/stored-configuration.ts";
import { HERE } from "../../domain/locations/location.ts";
import { type NewMaintenance, timeFieldsOf } from "../../domain/maintenance/request.ts";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { pushTokenOf } from "../../domain/monitors/push-token.ts";
import { bySeverity } from "../../domain/monitors/status.ts";
import { shownLayers } from "../../domain/on-call/schedule.ts";
import type { PasswordHash, Sealed, SealPassword } from "../../domain/pages/page-password.ts";
import { type NewPage, PAGE_SETTINGS } from "../../domain/pages/page-request.ts";
import { emailKey } from "../../domain/people/person.ts";
import { pick } from "../../domain/pick.ts";
import { MASK } from "../../domain/schemas/mask.ts";
import type { Engine, LockMonitors } from "../engine.ts";
import { reviseWork } from "../locations/monitor-locations.ts";
import { findAffected } from "../maintenance/ask-at-end.ts";
import { createMaintenance, deleteMaintenance, replaceMaintenance } from "../maintenance/maintenances.ts";
import { deleteMonitors } from "../monitors/monitors.ts";
import { revisedLocations, updateMonitors } from "../monitors/update-monitors.ts";
import { createSchedule, deleteUnused, updateSchedule } from "../on-call/schedules.ts";
import { releaseSlugs, sealPassword } from "../pages/page-rows.ts";
import { createPage, deletePage, findPasswordHash, replacePage } from "../pages/pages.ts";
import { createReportMail, deleteReportMail, replaceReportMail } from "../reports/report-mails.ts";
import { HOUR } from "../results/hour-columns.ts";
import { inTurns } from "../turns.ts";
import type { TimedTx, Tx } from "../tx.ts";
import {
  createMonitors,
  freeTokens,
  type OwnedPlan,
  type PreparedPlan,
  preparePlan,
  withRelations,
} from "./prepare-plan.ts";
import { readConfiguration } from "./read-configuration.ts";
import {
  createChannels,
  type Deleted,
  deleteChannels,
  findNamedSchedules,
  type NamedObjects,
  named,
  updateChannels,
} from "./save-channels.ts";

/**
 * Gives an organization what a document says, in one transaction (behavior 16.30 to 16.39). What changes is read first without a
 * lock, so that nothing waits for a document that changes nothing.
 *
 * @param value the document, as it is in a JSON or YAML file
 * @param now milliseconds since 1970
 * @throws FaultsError with all faults of the document; AppError `no_subscription`, `not_found`
 */
export async function applyConfiguration(
  engine: WritingEngine,
  organizationId: string,
  value: unknown,
  { prune, isDryRun, seal = sealPassword }: ApplyOptions,
  now: number,
): Promise<{ changes: Change[] }> {
  const parsed = await inTurns(parseInSteps(value));
  const { pages, monitors, schedules } = parsed.document;
  const slugs = [...pages.values()].map(({ slug }) => slug);
  const tokens = [...monitors.values()].flatMap(({ config }) => pushTokenOf(config) ?? []);
  const load = (tx: Tx) =>
    readConfiguration({ ...tx, now }, { organizationId, slugs, tokens, namesPeople: schedules.size > 0 });
  const passwords = await sealPasswords(pages, {
    seal,
    find: (ref) => engine.read((tx) => findPasswordHash(tx, organizationId, { ref })),
  });
  const planned = async (stored: StoredConfiguration): Promise<OwnedPlan> => ({
    owner: { organizationId, plan: stored.organization.plan },
    people: new Map(stored.people.map(({ id, email }) => [emailKey(email), id])),
    plan: await inTurns(planApply(parsed, stored, { prune, now, passwords })),
  });
  const hasWork = ({ plan }: OwnedPlan) => !isDryRun && changesOf(plan).length > 0;
  const { plan } = await planAndSave(engine, { load, planned, hasWork }, now);
  return { changes: changesOf(plan) };
}

export type WritingEngine = Pick<Engine, "read" | "writeMany" | "editMark">;

/**
 * @property load reads what is planned with @property hasWork whether a plan is to be written
 * @property saveMore writes the rest of a plan, in the same transaction
 */
interface Planning<Stored, Planned extends OwnedPlan> {
  load: (tx: Tx) => Promise<Stored>;
  planned: (stored: Stored) => Promise<Planned>;
  hasWork: (planned: Planned) => boolean;
  saveMore?: (tx: TimedTx, planned: Planned) => Promise<void>;
}

/** Plans without a lock, and writes the plan in one transaction, if there is something to write. @returns the plan */
export async function planAndSave<Stored, Planned extends OwnedPlan>(
  { read, writeMany, editMark }: WritingEngine,
  { load, planned, hasWork, saveMore }: Planning<Stored, Planned>,
  now: number,
): Promise<Planned> {
  const mark = editMark();
  const first = await planned(await read(load));
  if (!hasWork(first)) return first;
  const early = mark === undefined ? undefined : await read((tx) => preparePlan({ ...tx, now }, first));
  return writeMany(async (tx, lock) => {
    // Again, if something may have changed meanwhile. Else nothing waits for another plan.
    const isSame = early !== undefined && editMark() === mark;
    const last = isSame ? first : await planned(await load(tx));
    const prepared = isSame ? early : await preparePlan({ ...tx, now }, last);
    await savePlan({ ...tx, now }, prepared, lock);
    await saveMore?.({ ...tx, now }, last);
    return last;
  });
}

/** Before the transaction, because each hash takes some 20 ms. @param find the hash of the page with a ref */
async function sealPasswords(
  pages: ParsedDocument["pages"],
  { seal, find }: { seal: SealPassword; find: (ref: string) => Promise<PasswordHash | null> },
): Promise<SealedPasswords> {
  const sealed = new Map<string, PasswordHash | typeof MASK>();
  for (const [ref, { password }] of pages) {
    if (password === null || password === MASK) continue;
    const stored = await find(ref);
    const hash = await seal(password, stored);
    sealed.set(ref, hash === stored ? MASK : hash);
  }
  return sealed;
}

type Owner = OwnedPlan["owner"];

/**
 * Writes a plan. The settings come first: nothing waits for them, however many they are. Then the states of monitors are locked, so
 * that until the end no results of these are recorded. What is deleted is deleted before a page is saved that needs its slug.
 */
async function savePlan(tx: TimedTx, prepared: PreparedPlan, lock: LockMonitors): Promise<void> {
  const { owner, plan, organizationPk, objects, newIds, deleted, created } = prepared;
  const work = [...created, ...deleted].map(({ locations }) => locations);
  await reviseWork(tx, ...work, ...revisedLocations(prepared.updates));
  await freeTokens(tx, plan.monitors, deleted);
  const newChannels = { organizationPk, steps: plan.channels.filter(isNew), objects, newIds };
  await createChannels(tx, newChannels);
  for (const step of plan.schedules) await saveSchedule(tx, { owner, step, people: prepared.people });
  if (plan.schedules.some(isNew)) objects.schedules = await findNamedSchedules(tx, organizationPk);
  await createMonitors(tx, prepared);
  await writeHistory(tx, prepared);
  await tx.sets.insert(tx.tables.auditEntries, prepared.auditRows);
  const updates = prepared.updates.map((update) => withRelations(update, objects));
  const monitorPks = pksOf(deleted, "monitor");
  await updateMonitors(tx, { organizationPk, updates }, async (changed) => {
    const inWindows = await findInWindows(tx, prepared);
    const others = plan.deletions.length + plan.channels.length + plan.maintenances.length;
    if (changed.length + others > 0) await lock([...changed, ...monitorPks, ...inWindows]);
    for (const { kind, id } of plan.deletions)
      await deleters[kind]?.({ ...tx, author: undefined }, owner.organizationId, id);
  });
  await deleteMonitors(tx, monitorPks);
  await deleteChannels(tx, pksOf(deleted, "channel"));
  for (const one of deleted) if (one.kind === "schedule") await deleteUnused(tx, one);
  await updateChannels(tx, plan.channels);
  for (const step of plan.maintenances) await saveMaintenance(tx, { owner, step, objects });
  await freeSlugs(tx, { steps: plan.pages, organizationPk });
  for (const step of plan.pages) await savePage(tx, { owner, step, objects });
  for (const step of plan.reports) await saveReport(tx, { owner, step, objects });
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

type Delete = (tx: TimedTx, organizationId: string, id: string) => Promise<unknown>;

/** Each of them moves deadlines of jobs, or has rows of its own: there are few. */
const deleters: Partial<Record<ObjectKind, Delete>> = {
  maintenance: deleteMaintenance,
  page: deletePage,
  report: deleteReportMail,
};

interface Saved<Values> {
  owner: Owner;
  step: Step<Values>;
  objects: NamedObjects;
}

/** Its overrides stay. */
async function saveSchedule(
  tx: TimedTx,
  { owner, step, people }: Pick<Saved<PlannedSchedule>, "owner" | "step"> & Pick<PreparedPlan, "people">,
): Promise<void> {
  const { organizationId } = owner;
  const { name, timezone, layers } = step.values;
  const named = layers.map((layer) => ({
    ...layer,
    personIds: layer.personIds.map((email) => people.get(emailKey(email)) ?? ""),
  }));
  const request = { name, timezone, layers: shownLayers(named), ref: step.ref };
  if (step.id === null) await createSchedule(tx, organizationId, request);
  else await updateSchedule(tx, organizationId, step.id, request);
}

async function saveMaintenance(
  tx: TimedTx,
  { owner, step, objects }: Saved<PlannedMaintenance>,
): Promise<void> {
  const { organizationId } = owner;
  const request = maintenanceRequest(step, objects);
  if (step.id === null) await createMaintenance(tx, organizationId, request);
  else await replaceMaintenance(tx, organizationId, step.id, request);
}

function maintenanceRequest(
  { ref, values }: Step<PlannedMaintenance>,
  objects: NamedObjects,
): NewMaintenance {
  const { title, message, selector, times, notifyChannelIds, notifySubscribers } = values;
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
    notifySubscribers,
  };
}

async function saveReport(tx: TimedTx, { owner, step, objects }: Saved<PlannedReport>): Promise<void> {
  const { ref, id, values } = step;
  const { given: _, selector, channelIds, to, ...settings } = values;
  const { monitorIds, ...others } = selector;
  const request = {
    ...{ ref, ...settings },
    selector: {
      ...others,
      ...(monitorIds && { monitorIds: monitorIds.map((key) => named(objects.monitors, key).id) }),
    },
    ...(channelIds && { channelIds: channelIds.map((key) => named(objects.channels, key).id) }),
    ...(to && { to }),
  };
  if (id === null) await createReportMail(tx, owner.organizationId, request);
  else await replaceReportMail(tx, owner.organizationId, id, request);
}

/** A slug that no page has, until its page gets its new one: two pages may swap theirs. */
async function freeSlugs(
  tx: TimedTx,
  { steps, organizationPk }: { steps: readonly Step<PlannedPage>[]; organizationPk: number },
): Promise<void> {
  const { db, sets, tables } = tx;
  const { pages } = tables;
  const renamed = steps.flatMap(({ id, fields }) => (id !== null && fields.includes("slug") ? [id] : []));
  if (renamed.length === 0) return;
  const isRenamed = sets.among(pages.id, renamed);
  const given = await db.select({ slug: pages.slug }).from(pages).where(isRenamed);
  const slugs = given.map(({ slug }) => slug);
  await releaseSlugs(tx, { organizationPk, slugs }, tx.now);
  await db
    .update(pages)
    .set({ slug: sql`'!' || ${pages.id}` })
    .where(isRenamed);
}

async function savePage(tx: TimedTx, { owner, step, objects }: Saved<PlannedPage>): Promise<void> {
  const { organizationId } = owner;
  const request = pageRequest(step, objects);
  if (step.id === null) await createPage(tx, organizationId, request);
  else await replacePage(tx, organizationId, step.id, request);
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

/** Writes the past of monitors that were just created, as daily rollups of this server (behavior 16.45). */
async function writeHistory(
  { sets, tables: { dailyRollups } }: Tx,
  { plan, objects }: PreparedPlan,
): Promise<void> {
  const rows = plan.monitors.filter(isNew).flatMap(({ ref, values: { type } }) => {
    const { pk } = named(objects.monitors, ref);
    return (plan.history.get(ref) ?? []).flatMap((day) => rollupsOf(day, { monitorPk: pk, type }));
  });
  await sets.insert(dailyRollups, rows);
}

/** The rollups of a day: of its good results, and of its bad results. */
function rollupsOf(
  { day, up, down, latency }: NewHistory[number],
  { monitorPk, type }: { monitorPk: number; type: MonitorType },
) {
  const [worst, best] = [bySeverity[type][0], bySeverity[type].at(-1)];
  if (!worst || !best) return [];
  const key = { monitorPk, start: day / HOUR, location: HERE };
  const tenths = latency === null ? null : toTenths(latency);
  const latencies = {
    latencyCount: up,
    latencySum: up * (tenths ?? 0),
    latencySquares: up * (tenths ?? 0) ** 2,
  };
  const measured = tenths === null ? NO_LATENCY : { ...latencies, shortest: tenths, longest: tenths };
  return [
    ...(up > 0 ? [{ ...key, status: best, count: up, ...measured }] : []),
    ...(down > 0 ? [{ ...key, status: worst, count: down, ...NO_LATENCY }] : []),
  ];
}

const NO_LATENCY = { latencyCount: 0, latencySum: 0, latencySquares: 0, shortest: null, longest: null };
