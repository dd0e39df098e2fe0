import { and, eq, gt, inArray, ne } from "drizzle-orm";
import { type Export, exportDocument } from "../../domain/configuration/export-document.ts";
import { type Named, proposeRefs } from "../../domain/configuration/placeholder.ts";
import { type Deletion, kindOf } from "../../domain/configuration/plan.ts";
import {
  SECTIONS,
  type Section,
  type StoredChannel,
  type StoredConfiguration,
  type StoredMonitor,
} from "../../domain/configuration/stored-configuration.ts";
import { HERE_ID } from "../../domain/locations/location.ts";
import { CREATED_SETTINGS, PLACEMENT } from "../../domain/monitors/monitor-update.ts";
import { pick } from "../../domain/pick.ts";
import { defaultChannelIds } from "../accounts/organization-settings.ts";
import { findOrganization, organizationPk } from "../accounts/organizations.ts";
import { bindingOf } from "../alerts/bindings.ts";
import { isListed } from "../alerts/channels.ts";
import { auditAll, updateOf } from "../audit/audit.ts";
import { findLocationIds, placementOf } from "../locations/monitor-locations.ts";
import { listMaintenances } from "../maintenance/maintenances.ts";
import { listSchedules } from "../on-call/schedules.ts";
import { listReserved } from "../pages/page-rows.ts";
import { listPages } from "../pages/pages.ts";
import { listPeople } from "../people/people.ts";
import { listReportMails } from "../reports/report-mails.ts";
import { readInBatches, type TimedTx, type Tx } from "../tx.ts";

/**
 * All that a document can describe of an organization, in a few statements.
 *
 * @param read with the slugs and push tokens of a document: see `StoredConfiguration.foreignSlugs`; whether it names people
 * @throws AppError `not_found` if the organization does not exist
 */
export async function readConfiguration(
  tx: TimedTx,
  {
    organizationId,
    slugs = [],
    tokens = [],
    namesPeople = false,
  }: { organizationId: string; slugs?: string[]; tokens?: string[]; namesPeople?: boolean },
): Promise<StoredConfiguration> {
  const { pk, ...organization } = await findOrganization(tx, organizationId);
  const { monitors, pages } = tx.tables;
  return {
    organization,
    defaultChannelIds: await defaultChannelIds(tx, pk),
    locationIds: [HERE_ID, ...(await listLocationIds(tx, pk))],
    channels: await listChannels(tx, pk),
    ...(await readOnCall(tx, organizationId, namesPeople)),
    monitors: await listMonitors(tx, pk),
    maintenances: await listMaintenances(tx, organizationId),
    pages: await listPages(tx, organizationId),
    reports: await listReportMails(tx, organizationId),
    foreignSlugs: new Set([
      ...(await listForeign(tx, { column: pages.slug, table: pages, organizationPk: pk, values: slugs })),
      ...(slugs.length > 0 ? await listReserved(tx, { organizationPk: pk, slugs }) : []),
    ]),
    foreignTokens: new Set(
      await listForeign(tx, {
        column: monitors.pushToken,
        table: monitors,
        organizationPk: pk,
        values: tokens,
      }),
    ),
  };
}

async function listLocationIds({ db, tables: { locations } }: Tx, organizationPk: number): Promise<string[]> {
  const rows = await db
    .select({ id: locations.id })
    .from(locations)
    .where(eq(locations.organizationPk, organizationPk));
  return rows.map(({ id }) => id);
}

async function listChannels({ db, tables }: Tx, organizationPk: number): Promise<StoredChannel[]> {
  const { alertChannels } = tables;
  const { id, ref, name, type, config, enabled, notifyOn, language, pk } = alertChannels;
  return db
    .select({ id, ref, name, type, config, enabled, notifyOn, language })
    .from(alertChannels)
    .where(and(eq(alertChannels.organizationPk, organizationPk), isListed(tables)))
    .orderBy(pk);
}

/** The schedules, and the people if schedules name some. */
async function readOnCall(
  tx: Tx,
  organizationId: string,
  namesPeople: boolean,
): Promise<Pick<StoredConfiguration, "schedules" | "people">> {
  const schedules = await listSchedules(tx, organizationId);
  const isNeeded = namesPeople || schedules.length > 0;
  return { schedules, people: isNeeded ? await listPeople(tx, organizationId) : [] };
}

async function listMonitors(tx: Tx, organizationPk: number): Promise<StoredMonitor[]> {
  const { monitors } = tx.tables;
  const { pk } = monitors;
  const rows = await readInBatches((after, limit) =>
    tx.db
      .select({
        pk,
        stored: pick(monitors, PLACEMENT),
        monitor: pick(monitors, CREATED_SETTINGS),
      })
      .from(monitors)
      .where(and(eq(monitors.organizationPk, organizationPk), gt(pk, after)))
      .orderBy(pk)
      .limit(limit),
  );
  const ids = await findLocationIds(
    tx,
    organizationPk,
    rows.map(({ stored }) => stored),
  );
  const dependencies = await listDependencies(tx, organizationPk);
  const bindings = await listBindings(tx, organizationPk);
  return rows.map(({ pk: number, stored, monitor }) => ({
    ...monitor,
    ...placementOf(stored, ids),
    dependsOn: dependencies.get(number) ?? [],
    alertBindings: bindings.get(number) ?? [],
  }));
}

/** The IDs of what each monitor depends on, oldest first, by its number. */
async function listDependencies({ db, tables }: Tx, organizationPk: number): Promise<Map<number, string[]>> {
  const { monitorPk, dependsOnPk } = tables.monitorDependencies;
  const { pk, id } = tables.monitors;
  const rows = await db
    .select({ monitorPk, value: id })
    .from(tables.monitorDependencies)
    .innerJoin(tables.monitors, eq(pk, dependsOnPk))
    .where(eq(tables.monitors.organizationPk, organizationPk))
    .orderBy(pk);
  return byMonitor(rows);
}

/** The bindings of each monitor, oldest channel first, by its number. */
async function listBindings({ db, tables }: Tx, organizationPk: number) {
  const { monitorPk, channelPk, after, every, hours } = tables.alertBindings;
  const { pk, id, schedulePk } = tables.alertChannels;
  const rows = await db
    .select({ monitorPk, id, schedulePk, after, every, hours })
    .from(tables.alertBindings)
    .innerJoin(tables.alertChannels, eq(pk, channelPk))
    .where(
      and(eq(tables.alertChannels.organizationPk, organizationPk), eq(tables.alertBindings.routed, false)),
    )
    .orderBy(pk);
  return byMonitor(
    rows.map(({ monitorPk: monitor, ...binding }) => ({ monitorPk: monitor, value: bindingOf(binding) })),
  );
}

function byMonitor<Value>(rows: readonly { monitorPk: number; value: Value }[]): Map<number, Value[]> {
  const found = new Map<number, Value[]>();
  for (const { monitorPk, value } of rows) {
    const listed = found.get(monitorPk);
    if (listed) listed.push(value);
    else found.set(monitorPk, [value]);
  }
  return found;
}

/** The most values in one statement. */
const VALUES_AT_ONCE = 500;

/** The values that a column already has in another organization. */
async function listForeign(
  { db }: Tx,
  {
    column,
    table,
    organizationPk,
    values,
  }: {
    column: Tx["tables"]["pages"]["slug"] | Tx["tables"]["monitors"]["pushToken"];
    table: Tx["tables"]["pages"] | Tx["tables"]["monitors"];
    organizationPk: number;
    values: readonly string[];
  },
): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < values.length; at += VALUES_AT_ONCE) {
    const some = inArray(column, values.slice(at, at + VALUES_AT_ONCE));
    const rows = await db
      .select({ value: column })
      .from(table)
      .where(and(some, ne(table.organizationPk, organizationPk)));
    for (const { value } of rows) if (value !== null) found.push(value);
  }
  return found;
}

/** The document for what exists (behavior 16.50). @throws AppError `not_found` */
export async function exportConfiguration(tx: TimedTx, organizationId: string): Promise<Export> {
  return exportDocument(await readConfiguration(tx, { organizationId }));
}

/**
 * Gives each object without a ref the one under which the document for what exists has it (behavior 16.52).
 *
 * @throws AppError `not_found`
 */
export async function storeRefs(tx: TimedTx, organizationId: string): Promise<Deletion[]> {
  const stored = await readConfiguration(tx, { organizationId });
  const refs = proposeRefs(stored);
  const pk = await organizationPk(tx, organizationId);
  const all: Deletion[] = [];
  for (const section of SECTIONS) {
    const objects: readonly Named[] = stored[section];
    const nameless = objects.filter(({ ref }) => ref === null);
    const given = nameless.map((object) => ({ ...object, ref: refs[section].get(object.id) ?? "" }));
    await setRefs(tx, section, { given, now: tx.now });
    const changes = given.map(({ id, name, title }) =>
      updateOf({ organizationPk: pk, type: kindOf[section], id, name: name ?? title ?? "" }, ["ref"]),
    );
    await auditAll(tx, changes);
    for (const { id, ref } of given) all.push({ kind: kindOf[section], id, ref });
  }
  return all;
}

async function setRefs(
  { sets, tables }: Tx,
  section: Section,
  { given, now }: { given: readonly { id: string; ref: string }[]; now: number },
): Promise<void> {
  const { alertChannels: channels, schedules, monitors, maintenances, pages, reportMails: reports } = tables;
  const table = { channels, schedules, monitors, maintenances, pages, reports }[section];
  await sets.update(
    table,
    given.map(({ id, ref }) => ({ where: { id }, set: { ref, updatedAt: now } })),
  );
}
