import { and, eq, inArray, ne } from "drizzle-orm";
import type {
  StoredChannel,
  StoredConfiguration,
  StoredMonitor,
} from "../../domain/configuration/stored-configuration.ts";
import { HERE_ID } from "../../domain/locations/location.ts";
import { defaultChannelIds } from "../accounts/organization-settings.ts";
import { findOrganization } from "../accounts/organizations.ts";
import { findLocationIds, placementOf } from "../locations/monitor-locations.ts";
import { listMaintenances } from "../maintenances/maintenances.ts";
import { listPages } from "../pages/pages.ts";
import type { Tx } from "../tx.ts";

/**
 * All that a document can describe of an organization, in a few statements.
 *
 * @param names slugs and push tokens of a document: see `StoredConfiguration.foreignSlugs`
 * @param now milliseconds since 1970
 * @throws AppError `not_found` if the organization does not exist
 */
export async function readConfiguration(
  tx: Tx,
  {
    organizationId,
    slugs,
    pushTokens,
  }: { organizationId: string; slugs: readonly string[]; pushTokens: readonly string[] },
  now: number,
): Promise<StoredConfiguration> {
  const { pk, ...organization } = await findOrganization(tx, organizationId);
  return {
    organization,
    defaultChannelIds: await defaultChannelIds(tx, pk),
    locationIds: [HERE_ID, ...(await listLocationIds(tx, pk))],
    channels: await listChannels(tx, pk),
    monitors: await listMonitors(tx, pk),
    maintenances: await listMaintenances(tx, organizationId, now),
    pages: await listPages(tx, organizationId),
    foreignSlugs: new Set(await listForeignSlugs(tx, pk, slugs)),
    foreignPushTokens: new Set(await listForeignPushTokens(tx, pk, pushTokens)),
  };
}

async function listLocationIds({ db, tables: { locations } }: Tx, organizationPk: number): Promise<string[]> {
  const rows = await db
    .select({ id: locations.id })
    .from(locations)
    .where(eq(locations.organizationPk, organizationPk));
  return rows.map(({ id }) => id);
}

async function listChannels(
  { db, tables: { alertChannels } }: Tx,
  organizationPk: number,
): Promise<StoredChannel[]> {
  const { id, ref, name, type, config, enabled, notifyOn, pk } = alertChannels;
  return db
    .select({ id, ref, name, type, config, enabled, notifyOn })
    .from(alertChannels)
    .where(eq(alertChannels.organizationPk, organizationPk))
    .orderBy(pk);
}

async function listMonitors(tx: Tx, organizationPk: number): Promise<StoredMonitor[]> {
  const { monitors } = tx.tables;
  const { pk, id, ref, name, type, config, enabled, tags, confirmations, recoveries } = monitors;
  const { locations, downWhen } = monitors;
  const rows = await tx.db
    .select({
      pk,
      stored: { locations, downWhen },
      monitor: { id, ref, name, type, config, enabled, tags, confirmations, recoveries },
    })
    .from(monitors)
    .where(eq(monitors.organizationPk, organizationPk))
    .orderBy(pk);
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
  const { monitorPk, channelPk, after, every } = tables.alertBindings;
  const { pk, id } = tables.alertChannels;
  const rows = await db
    .select({ monitorPk, value: { alertChannelId: id, after, every } })
    .from(tables.alertBindings)
    .innerJoin(tables.alertChannels, eq(pk, channelPk))
    .where(eq(tables.alertChannels.organizationPk, organizationPk))
    .orderBy(pk);
  return byMonitor(rows);
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

/** The most slugs or push tokens in one statement. */
const NAMES_AT_ONCE = 500;

async function listForeignSlugs(
  { db, tables: { pages } }: Tx,
  organizationPk: number,
  slugs: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < slugs.length; at += NAMES_AT_ONCE) {
    const some = inArray(pages.slug, slugs.slice(at, at + NAMES_AT_ONCE));
    const rows = await db
      .select({ slug: pages.slug })
      .from(pages)
      .where(and(some, ne(pages.organizationPk, organizationPk)));
    for (const { slug } of rows) found.push(slug);
  }
  return found;
}

async function listForeignPushTokens(
  { db, tables: { monitors } }: Tx,
  organizationPk: number,
  tokens: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < tokens.length; at += NAMES_AT_ONCE) {
    const some = inArray(monitors.pushToken, tokens.slice(at, at + NAMES_AT_ONCE));
    const rows = await db
      .select({ token: monitors.pushToken })
      .from(monitors)
      .where(and(some, ne(monitors.organizationPk, organizationPk)));
    for (const { token } of rows) if (token !== null) found.push(token);
  }
  return found;
}
