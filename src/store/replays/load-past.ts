import { and, eq } from "drizzle-orm";
import { type AlertTiming, AT_ONCE } from "../../domain/alerts/alert-binding.ts";
import { DAY, HOUR } from "../../domain/duration.ts";
import type { MonitorConfig, MonitorType } from "../../domain/monitors/monitor.ts";
import { isSelected, type Selector } from "../../domain/monitors/selector.ts";
import type {
  MonitorPast,
  MonitorSettings,
  PastNotification,
  PastOutage,
  ReplayedPast,
  ReplayedRange,
} from "../../domain/replay/history.ts";
import { monitorSettings, pastBinding } from "../../domain/replay/past-settings.ts";
import { invalid } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { bindingOf } from "../alerts/bindings.ts";
import type { Engine } from "../engine.ts";
import { placementOf } from "../locations/monitor-locations.ts";
import { fromJson, type Tx } from "../tx.ts";
import { readAlerting, readNotifications, readOutages } from "./past-alerts.ts";
import { type CheckWishes, readChecks } from "./past-checks.ts";
import { type PastEdits, readEdits } from "./past-edits.ts";

/*
 * The past that a replay needs. It is read in slices, each in a snapshot of its own: other work of the process runs between them, and
 * what is edited meanwhile is in some of them. Times are milliseconds since 1970.
 */

/** @property slowerThan, warnDays see `KeptTraits` */
export interface WantedPast extends CheckWishes {
  selector: Selector;
  range: ReplayedRange;
}

/** How long before the range results are read, at least: for the checks that a change of the status at its start needs. */
const LEAD = HOUR;
/** The same in checks, for monitors that are checked rarely. */
const LEAD_CHECKS = 24;
/** How long before the range an outage may have begun whose results are read from its start. */
const MAX_LEAD = 7 * DAY;

/**
 * Loads the past of the selected monitors, and of those that they depend on.
 *
 * @throws AppError `not_found` if the organization does not exist; `invalid` for an ID that is not a monitor of it
 */
export async function loadPast(
  engine: Engine,
  organizationId: string,
  { selector, range, ...wishes }: WantedPast,
): Promise<ReplayedPast> {
  const organization = await engine.readSlice((tx) => organizationPk(tx, organizationId));
  const selected = await findSelected(engine, organization, selector);
  const edits = await readEdits(engine, organization, range.from - MAX_LEAD);
  const names = await readLocationNames(engine, organization);
  const loaded = await loadMonitors(engine, { organization, selected, edits, names });
  const pks = loaded.map(({ pk }) => pk);
  const outages = await readOutages(engine, pks, { range, edits });
  const alerting = await readAlerting(engine, organization, { edits, loaded });
  const notifications = await readNotifications(engine, loaded, range);
  const sources = loaded.map((one) => {
    const since = sinceOf(one, outages.get(one.pk), range);
    return { ...one, since, isOlder: one.createdAt < since };
  });
  const places = presentNames(edits, names);
  const checks = await readChecks(engine, sources, { until: range.to, places, ...wishes });
  const deleted = new Set(edits.deleted("channel").map(({ resource }) => resource.id));
  const monitors = loaded.flatMap(({ pk, id, name, type, tags, isSelected: isNamed, settings }) => {
    const own = checks.get(pk);
    const notified = notifications.get(pk) ?? [];
    if (!own) return [];
    const past: MonitorPast = {
      ...{ id, name, type, tags, isSelected: isNamed, checks: own, outages: outages.get(pk) ?? [] },
      ...{ settings: withDeletedChannels(settings, { notified, deleted }), notifications: notified },
    };
    return [[id, past] as const];
  });
  return { range, monitors: new Map(monitors), ...alerting };
}

/** The present names of locations by names that they had before: results have the name of their time. */
function presentNames(edits: PastEdits, names: LocationNames): ReadonlyMap<string, string> {
  const known = new Map([...names.values()].map(({ id, name }) => [id, name]));
  const taken = new Set(known.values());
  return new Map(
    [...edits.renamedLocations()].flatMap(([before, id]) => {
      const name = known.get(id);
      return name === undefined || taken.has(before) ? [] : [[before, name] as const];
    }),
  );
}

/**
 * The settings of a monitor with the bindings that ended with their channels, which no audit entry has: they are known by the notifications that
 * the channels got, but without their times.
 */
function withDeletedChannels(
  settings: readonly MonitorSettings[],
  { notified, deleted }: { notified: readonly PastNotification[]; deleted: ReadonlySet<string> },
): readonly MonitorSettings[] {
  const known = new Set(settings.flatMap(({ bindings }) => bindings.map(({ channelId }) => channelId)));
  const lost = new Set(
    notified.map(({ channelId }) => channelId).filter((id) => deleted.has(id) && !known.has(id)),
  );
  if (lost.size === 0) return settings;
  const added = [...lost].map((channelId) => ({ channelId, scheduleId: null, timing: AT_ONCE }));
  return settings.map((one) => ({ ...one, bindings: [...one.bindings, ...added] }));
}

/** From when on the results of a monitor are read. */
function sinceOf(
  { type, config }: LoadedMonitor,
  outages: readonly PastOutage[] | undefined,
  { from }: ReplayedRange,
): number {
  const interval = type === "SCHEDULED" || !("interval" in config) ? 0 : config.interval * 1000;
  const lead = Math.max(LEAD, LEAD_CHECKS * interval);
  const first = Math.max(outages?.[0]?.startedAt ?? from, from - MAX_LEAD);
  return Math.min(from, first) - lead;
}

/** Monitors of which rows without their results are read at once, as a multiple of those whose hours are. */
const MORE = 20;
const LISTED_AT_ONCE = 1000;

const LIST = `SELECT pk, id, tags FROM monitors WHERE organization_pk = $1 AND pk > $2 ORDER BY pk LIMIT ${LISTED_AT_ONCE}`;
const LIST_NAMED =
  "SELECT pk, id, tags FROM monitors WHERE id = ANY($3::text[]) AND organization_pk = $1 AND pk > $2 ORDER BY pk";

/** The IDs of the selected monitors, oldest first. @throws AppError `invalid` for an ID that is not a monitor of the organization */
async function findSelected(engine: Engine, organization: number, selector: Selector): Promise<string[]> {
  const { monitorIds, ...others } = selector;
  const isById = monitorIds !== undefined && Object.keys(others).length === 0;
  const known = new Set<string>();
  const selected: string[] = [];
  for (let after = 0, isMore = true; isMore; ) {
    const [text, values] = isById
      ? [LIST_NAMED, [organization, after, monitorIds]]
      : [LIST, [organization, after]];
    const rows = await engine.readSlice((tx) =>
      tx.query<{ pk: number; id: string; tags: string[] | string }>(text, values),
    );
    for (const { id, tags } of rows) {
      known.add(id);
      if (isSelected(selector, { id, tags: fromJson(tags) })) selected.push(id);
    }
    after = rows.at(-1)?.pk ?? after;
    isMore = !isById && rows.length === LISTED_AT_ONCE;
  }
  const unknown = monitorIds?.findIndex((id) => !known.has(id)) ?? -1;
  if (unknown >= 0) throw invalid(`selector.monitorIds.${unknown} is not a monitor of this organization`);
  return selected;
}

/** A monitor without its results. */
export interface LoadedMonitor {
  pk: number;
  id: string;
  name: string;
  type: MonitorType;
  config: MonitorConfig;
  tags: readonly string[];
  isSelected: boolean;
  createdAt: number;
  settings: readonly MonitorSettings[];
}

/** The locations of an organization by their numbers. */
type LocationNames = ReadonlyMap<number, { id: string; name: string }>;

async function readLocationNames(engine: Engine, organization: number): Promise<LocationNames> {
  const rows = await engine.readSlice((tx) =>
    tx.query<{ pk: number; id: string; name: string }>(
      "SELECT pk, id, name FROM locations WHERE organization_pk = $1",
      [organization],
    ),
  );
  return new Map(rows.map(({ pk, ...location }) => [pk, location]));
}

interface Wanted {
  organization: number;
  selected: readonly string[];
  edits: PastEdits;
  names: LocationNames;
}

/** The selected monitors, and all that they depend on or depended on: each after those. */
async function loadMonitors(
  engine: Engine,
  { organization, selected, edits, names }: Wanted,
): Promise<LoadedMonitor[]> {
  const named = new Set(selected);
  const byId = new Map<string, LoadedMonitor>();
  const byLocation = new Map([...names.values()].map(({ id, name }) => [id, name]));
  const nameOf = (locationId: string) => byLocation.get(locationId) ?? locationId;
  const atOnce = engine.monitorsInSlice * MORE;
  const asked = new Set(selected);
  for (let wanted = [...selected]; wanted.length > 0; ) {
    const further = new Set<string>();
    for (let at = 0; at < wanted.length; at += atOnce) {
      const rows = await engine.readSlice((tx) => readRows(tx, organization, wanted.slice(at, at + atOnce)));
      for (const { pk, id, name, type, tags, ...row } of rows) {
        const { config, enabled, confirmations, recoveries, bindings, dependsOn, createdAt } = row;
        const settled = { config, enabled, confirmations, recoveries, bindings, dependsOn, createdAt };
        const present = { ...settled, ...placementOf(row, names) };
        const settings = monitorSettings(present, edits.ofMonitor(id), nameOf);
        byId.set(id, { pk, id, name, type, tags, config, isSelected: named.has(id), createdAt, settings });
        for (const one of settings.flatMap((some) => some.dependsOn)) if (!asked.has(one)) further.add(one);
      }
    }
    wanted = [...further];
    for (const id of wanted) asked.add(id);
  }
  return inOrder(byId);
}

const READ_BINDINGS = `SELECT monitor_pk AS "monitorPk", alert_channels.id, schedule_pk AS "schedulePk", "after", every, hours
  FROM alert_bindings JOIN alert_channels ON alert_channels.pk = channel_pk
  WHERE monitor_pk = ANY($1::integer[]) AND NOT routed ORDER BY alert_channels.pk`;

const READ_DEPENDENCIES = `SELECT monitor_pk AS "monitorPk", monitors.id
  FROM monitor_dependencies JOIN monitors ON monitors.pk = depends_on_pk
  WHERE monitor_pk = ANY($1::integer[]) ORDER BY monitors.pk`;

type BindingRow = AlertTiming & { monitorPk: number; id: string; schedulePk: number | null };

async function readRows(
  { db, query, sets, tables: { monitors } }: Tx,
  organization: number,
  ids: readonly string[],
) {
  const { pk, id, name, type, config, tags, enabled, locations, downWhen, createdAt } = monitors;
  const { confirmations, recoveries } = monitors;
  const rows = await db
    .select({
      ...{
        pk,
        id,
        name,
        type,
        config,
        tags,
        enabled,
        confirmations,
        recoveries,
        locations,
        downWhen,
        createdAt,
      },
    })
    .from(monitors)
    .where(and(sets.among(id, ids), eq(monitors.organizationPk, organization)));
  const pks = rows.map((row) => row.pk);
  const bindings = await query<BindingRow>(READ_BINDINGS, [pks]);
  const dependencies = await query<{ monitorPk: number; id: string }>(READ_DEPENDENCIES, [pks]);
  const bindingsOf = Map.groupBy(bindings, ({ monitorPk }) => monitorPk);
  const dependsOn = Map.groupBy(dependencies, ({ monitorPk }) => monitorPk);
  return rows.map((row) => ({
    ...row,
    bindings: (bindingsOf.get(row.pk) ?? []).map(({ monitorPk: _, hours, ...binding }) =>
      pastBinding(bindingOf({ ...binding, hours: hours && fromJson(hours) })),
    ),
    dependsOn: (dependsOn.get(row.pk) ?? []).map((one) => one.id),
  }));
}

/** Each monitor after its present dependencies, and if that is possible, after its earlier ones. */
function inOrder(byId: ReadonlyMap<string, LoadedMonitor>): LoadedMonitor[] {
  const ordered: LoadedMonitor[] = [];
  const seen = new Set<string>();
  const visit = (monitor: LoadedMonitor) => {
    if (seen.has(monitor.id)) return;
    seen.add(monitor.id);
    const ids = monitor.settings.toReversed().flatMap(({ dependsOn }) => dependsOn);
    for (const id of ids) {
      const other = byId.get(id);
      if (other) visit(other);
    }
    ordered.push(monitor);
  };
  for (const monitor of byId.values()) visit(monitor);
  return ordered;
}
