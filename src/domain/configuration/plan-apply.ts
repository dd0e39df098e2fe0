import { AppError } from "../../errors.ts";
import { assertChannelLimit, assertMonitorLimit, assertSubscribed } from "../accounts/organization.ts";
import { assertNotOver, TIME_FIELDS } from "../maintenance/request.ts";
import { definedEnd, stateAt } from "../maintenance/windows.ts";
import type { Selector } from "../monitors/selector.ts";
import { emailKey } from "../people/person.ts";
import { pick } from "../pick.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { isDiscovered } from "../schemas/format.ts";
import { asFault, type Fault, FaultsError, historyFaults, type NewHistory } from "./history.ts";
import type { ParsedDocument, ParsedMaintenance } from "./parse-monitor.ts";
import {
  type ApplyPlan,
  changedFieldsOf,
  type Deletion,
  kindOf,
  type ObjectKind,
  type PlannedMaintenance,
  type PlannedMonitor,
  type PlannedReport,
  type PlannedSchedule,
  type PruneMode,
  planChannels,
  planPages,
  type SealedPasswords,
  type Step,
} from "./plan.ts";
import { planMonitors } from "./plan-monitors.ts";
import { cycleFaults, referenceFaults } from "./references.ts";
import {
  byRef,
  type Key,
  keysById,
  SECTIONS,
  type Section,
  type StoredConfiguration,
  type StoredMaintenance,
} from "./stored-configuration.ts";

/**
 * Compares a document with what is stored, and plans what to write (behavior 16.30), in steps between which other work can run: it
 * may take hundreds of milliseconds.
 *
 * @param parsed a document and the faults that it has by itself
 * @param now milliseconds since 1970 @param passwords those that the document gives @param most so many faults are kept
 * @throws FaultsError with all faults; AppError `no_subscription`
 */
export function* planApply(
  { document, faults: own }: { document: ParsedDocument; faults: readonly Fault[] },
  stored: StoredConfiguration,
  {
    prune,
    now,
    passwords = new Map(),
    most,
  }: { prune: PruneMode; now: number; passwords?: SealedPasswords; most?: number },
): Generator<void, ApplyPlan> {
  const { deletions, faults: braked } = planDeletions(document, stored, prune);
  const channels = planChannels(document, stored);
  const schedules = planSchedules(document, stored);
  const monitors = yield* planMonitors(document, stored, deletions);
  yield;
  const maintenances = planMaintenances(document, stored, now);
  const pages = planPages(document, stored, { deletions, passwords });
  const reports = planReports(document, stored);
  const history = newHistory(document, monitors.steps);
  yield;
  const found = [
    own,
    ...[channels, schedules, monitors, maintenances, pages, reports].map((planned) => planned.faults),
  ];
  found.push(referenceFaults(document, stored, deletions));
  yield;
  found.push(cycleFaults(document, stored, deletions));
  yield;
  const faults = [...found, historyFaults(history, now), braked].flat();
  if (faults.length > 0) throw new FaultsError(inOrder(faults), "invalid", most);
  const created = { channels: channels.steps, monitors: monitors.steps };
  assertSubscription(created, stored);
  const limits = limitFaults(created, stored, deletions);
  if (limits.length > 0) throw new FaultsError(limits, "limit_reached", most);
  const others = {
    schedules: schedules.steps,
    maintenances: maintenances.steps,
    pages: pages.steps,
    reports: reports.steps,
  };
  return { ...created, ...others, deletions, history };
}

/** The history of the monitors that are created: a second apply ignores it (behavior 16.45). */
function newHistory(
  { history }: ParsedDocument,
  steps: readonly Step<PlannedMonitor>[],
): Map<string, NewHistory> {
  const created = steps.flatMap(({ id, ref }) => (id === null ? [ref] : []));
  return new Map(
    created.flatMap((ref) => {
      const days = history.get(ref);
      return days ? [[ref, days] as const] : [];
    }),
  );
}

const ORDER = [
  "$",
  "discover",
  "defaults",
  "channels",
  "schedules",
  "monitors",
  "maintenances",
  "pages",
  "reports",
  "history",
];

/** By section. Within a section, the order stays. */
function inOrder(faults: readonly Fault[]): Fault[] {
  const place = ({ path }: Fault) => ORDER.findIndex((name) => path.startsWith(name));
  return faults.toSorted((one, other) => place(one) - place(other));
}

/** From this number of objects of a kind, not more than a fifth of them is deleted (behavior 16.34). */
const BRAKED_FROM = 10;
const FIFTH = 5;

/** In the order of their deletion: what names other objects first. */
const sections = SECTIONS.toReversed();

/** The stored objects with a ref that a document lacks, without discovered monitors (behavior 28.12), and a fault for each kind of which there are too many. */
function planDeletions(
  { refs }: ParsedDocument,
  stored: StoredConfiguration,
  prune: PruneMode,
): { deletions: Deletion[]; faults: Fault[] } {
  const [deletions, faults]: [Deletion[], Fault[]] = [[], []];
  if (prune === "none") return { deletions, faults };
  for (const section of sections) {
    const kind = kindOf[section];
    const named = stored[section].flatMap(({ id, ref }) =>
      ref === null || isDiscovered(ref) ? [] : [{ kind, id, ref }],
    );
    const missing = named.filter(({ ref }) => !refs[section].has(ref));
    deletions.push(...missing);
    const isBraked = prune === "some" && named.length >= BRAKED_FROM;
    if (isBraked && missing.length * FIFTH > named.length)
      faults.push(tooMany(section, missing.length, named.length));
  }
  return { deletions, faults };
}

function tooMany(section: Section, missing: number, all: number): Fault {
  const why = "more than a fifth of them is deleted only with prune=all";
  return { path: section, message: `lacks ${missing} of the ${all} that have a ref: ${why}` };
}

type Created = Pick<ApplyPlan, "channels" | "monitors">;

/** A fault for each new object that the plan of the organization does not allow (behavior 16.36). */
function limitFaults(
  { channels, monitors }: Created,
  { organization, ...stored }: StoredConfiguration,
  deletions: readonly Deletion[],
): Fault[] {
  const { plan } = organization;
  const left = (kind: ObjectKind, count: number) =>
    count - deletions.filter((one) => one.kind === kind).length;
  return [
    ...beyond(newRefs("channels", channels), left("channel", stored.channels.length), (count) =>
      assertChannelLimit(plan, count),
    ),
    ...beyond(newRefs("monitors", monitors), left("monitor", stored.monitors.length), (count) =>
      assertMonitorLimit(plan, count),
    ),
  ];
}

/** @throws AppError `no_subscription` that names the first new object, if there is one (behavior 16.36) */
function assertSubscription({ channels, monitors }: Created, { organization }: StoredConfiguration): void {
  const [first] = [...newRefs("channels", channels), ...newRefs("monitors", monitors)];
  if (first === undefined) return;
  try {
    assertSubscribed(organization);
  } catch (error) {
    const { message, kind, errorCode } = error as AppError;
    throw new AppError(kind, `${first}: ${message}`, errorCode);
  }
}

function newRefs(section: "channels" | "monitors", steps: readonly Step<unknown>[]): string[] {
  return steps.flatMap(({ id, ref }) => (id === null ? [fieldOf(section, ref)] : []));
}

/** @param existing how many there are before the first of the new ones */
function beyond(paths: string[], existing: number, assertLimit: (existing: number) => void): Fault[] {
  return paths.flatMap((path, index) => {
    try {
      assertLimit(existing + index);
      return [];
    } catch (error) {
      return [asFault(error as AppError, path)];
    }
  });
}

function planSchedules(
  { schedules }: ParsedDocument,
  stored: StoredConfiguration,
): { steps: Step<PlannedSchedule>[]; faults: Fault[] } {
  const known = byRef(stored.schedules);
  const emails = new Map(stored.people.map(({ id, email }) => [id, emailKey(email)]));
  const steps = [...schedules].flatMap(([ref, entry]): Step<PlannedSchedule>[] => {
    const before = known.get(ref);
    if (!before) return [{ ref, id: null, fields: entry.given, values: entry }];
    const fields = changedFieldsOf(
      withPeople(before, (id) => emails.get(id) ?? ""),
      withPeople(entry, emailKey),
    );
    return fields.length > 0 ? [{ ref, id: before.id, fields, values: entry }] : [];
  });
  return { steps, faults: [] };
}

/** Without layers whose people were all deleted: nobody is on call by these, and a document cannot contain them. */
function withPeople(
  { name, timezone, layers }: Pick<PlannedSchedule, "name" | "timezone" | "layers">,
  nameOf: (person: string) => string,
) {
  const named = layers
    .filter(({ personIds }) => personIds.length > 0)
    .map((layer) => ({ ...layer, personIds: layer.personIds.map(nameOf) }));
  return { name, timezone, layers: named };
}

function planReports(
  { reports }: ParsedDocument,
  stored: StoredConfiguration,
): { steps: Step<PlannedReport>[]; faults: Fault[] } {
  const known = byRef(stored.reports);
  const keys = { monitors: keysById(stored.monitors), channels: keysById(stored.channels) };
  const steps = [...reports].flatMap(([ref, entry]): Step<PlannedReport>[] => {
    const before = known.get(ref);
    if (!before) return [{ ref, id: null, fields: entry.given, values: entry }];
    const named = {
      ...before,
      selector: selectorByKeys(before.selector, keys),
      channelIds: before.channelIds?.flatMap((id) => keys.channels.get(id) ?? []) ?? null,
    };
    const fields = changedFieldsOf(pick(named, REPORT_FIELDS), pick(entry, REPORT_FIELDS));
    return fields.length > 0 ? [{ ref, id: before.id, fields, values: entry }] : [];
  });
  return { steps, faults: [] };
}

const REPORT_FIELDS = [
  ...(["title", "kind", "selector", "channelIds", "to", "timezone", "at", "language"] as const),
];

function selectorByKeys({ monitorIds, ...others }: Selector, keys: Pick<Keys, "monitors">): Selector {
  return {
    ...others,
    ...(monitorIds && { monitorIds: monitorIds.flatMap((id) => keys.monitors.get(id) ?? []) }),
  };
}

/** @param now milliseconds since 1970 */
function planMaintenances(
  { maintenances }: ParsedDocument,
  stored: StoredConfiguration,
  now: number,
): { steps: Step<PlannedMaintenance>[]; faults: Fault[] } {
  const known = byRef(stored.maintenances);
  const keys = { monitors: keysById(stored.monitors), channels: keysById(stored.channels) };
  const [steps, faults]: [Step<PlannedMaintenance>[], Fault[]] = [[], []];
  for (const [ref, entry] of maintenances) {
    const before = known.get(ref);
    try {
      const step = before ? planUpdate(ref, entry, { before, keys }, now) : planCreation(ref, entry, now);
      if (step) steps.push(step);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push(asFault(error, fieldOf("maintenances", ref)));
    }
  }
  return { steps, faults };
}

/** A maintenance that is over is not created, so that a document may keep it (behavior 16.25). */
function planCreation(
  ref: string,
  entry: ParsedMaintenance,
  now: number,
): Step<PlannedMaintenance> | undefined {
  if (stateAt(entry.times, now) === "ended") return undefined;
  return { ref, id: null, fields: entry.given, values: entry };
}

interface Keys {
  monitors: ReadonlyMap<string, Key>;
  channels: ReadonlyMap<string, Key>;
}

/** @throws AppError `invalid` for other times that are over */
function planUpdate(
  ref: string,
  entry: ParsedMaintenance,
  { before, keys }: { before: StoredMaintenance; keys: Keys },
  now: number,
): Step<PlannedMaintenance> | undefined {
  const fields = changedFieldsOf(comparable(asPlanned(before, keys)), comparable(entry));
  if (TIME_FIELDS.some((name) => fields.includes(name))) assertNotOver(entry.times, now);
  return fields.length > 0 ? { ref, id: before.id, fields, values: entry } : undefined;
}

type Comparable = Omit<PlannedMaintenance, "given">;

/** A stored maintenance with keys in place of IDs, and with the end of its definition. */
function asPlanned(
  { title, message, selector, notifyChannelIds, notifySubscribers, ...times }: StoredMaintenance,
  keys: Keys,
): Comparable {
  return {
    title,
    message,
    selector: selectorByKeys(selector, keys),
    notifyChannelIds: notifyChannelIds.flatMap((id) => keys.channels.get(id) ?? []),
    notifySubscribers,
    times: { ...times, endsAt: definedEnd(times) },
  };
}

/** The fields under the names of the API. */
function comparable({ times, ...others }: Comparable) {
  const { title, message, selector, notifyChannelIds, notifySubscribers } = others;
  return { title, message, selector, ...pick(times, TIME_FIELDS), notifyChannelIds, notifySubscribers };
}
