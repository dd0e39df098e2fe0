import { AppError } from "../../errors.ts";
import { type ChannelConfig, parseChannelConfig } from "../alerts/channel.ts";
import { isSameJson } from "../canonical-json.ts";
import type { MonitorConfig } from "../monitors/monitor.ts";
import { type PasswordHash, passwordOf, type SealPassword } from "../pages/page-password.ts";
import { PAGE_SETTINGS, type Page } from "../pages/page-request.ts";
import { pick } from "../pick.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { assertSameType } from "../schemas/format.ts";
import { MASK } from "../schemas/mask.ts";
import { asFault, type Fault, type NewHistory } from "./history.ts";
import type {
  ParsedBinding,
  ParsedChannel,
  ParsedDocument,
  ParsedMaintenance,
  ParsedMonitor,
  ParsedPage,
  ParsedReport,
  ParsedSchedule,
} from "./parse-monitor.ts";
import {
  byRef,
  type Key,
  keysById,
  type Section,
  type StoredChannel,
  type StoredConfiguration,
} from "./stored-configuration.ts";

export function planChannels(
  { channels }: ParsedDocument,
  stored: StoredConfiguration,
): { steps: Step<PlannedChannel>[]; faults: Fault[] } {
  const known = byRef(stored.channels);
  const [steps, faults]: [Step<PlannedChannel>[], Fault[]] = [[], []];
  for (const [ref, entry] of channels) {
    try {
      const step = planChannel(ref, entry, known.get(ref));
      if (step) steps.push(step);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push(asFault(error, fieldOf("channels", ref)));
    }
  }
  return { steps, faults };
}

/** @returns undefined if nothing changes @throws AppError `invalid` for another type, or for a secret that is not stored */
function planChannel(
  ref: string,
  entry: ParsedChannel,
  before: StoredChannel | undefined,
): Step<PlannedChannel> | undefined {
  if (before) assertSameType(before.type, entry.type);
  const values = { ...entry, config: parseChannelConfig(entry.type, entry.config, before?.config) };
  if (!before) return { ref, id: null, fields: entry.given, values };
  const fields = changedFieldsOf<Compared>(pick(before, COMPARED), pick(values, COMPARED));
  return fields.length > 0 ? { ref, id: before.id, fields, values } : undefined;
}

const COMPARED = ["name", "config", "enabled", "notifyOn", "language"] as const;
type Compared = Pick<PlannedChannel, (typeof COMPARED)[number]>;

/** The hashes of the passwords that a document gives, by the ref of the page; `•••` for one that is stored already. */
export type SealedPasswords = ReadonlyMap<string, PasswordHash | typeof MASK>;

export function planPages(
  { pages }: ParsedDocument,
  stored: StoredConfiguration,
  { deletions, passwords }: { deletions: readonly Deletion[]; passwords: SealedPasswords },
): { steps: Step<PlannedPage>[]; faults: Fault[] } {
  const known = byRef(stored.pages);
  const keys = keysById(stored.monitors);
  const [steps, faults]: [Step<PlannedPage>[], Fault[]] = [[], []];
  for (const [ref, entry] of pages) {
    const before = known.get(ref);
    try {
      const values = { ...entry, password: plannedPassword(entry, before, passwords.get(ref)) };
      const fields = before
        ? changedFieldsOf(comparable(asPlanned(before, keys)), comparable(values))
        : entry.given;
      if (!before || fields.length > 0) steps.push({ ref, id: before?.id ?? null, fields, values });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push(asFault(error, fieldOf("pages", ref)));
    }
  }
  return { steps, faults: [...faults, ...slugFaults({ pages }, stored, deletions)] };
}

/** @throws AppError `invalid` */
function plannedPassword(
  { visibility, password, given }: ParsedPage,
  before: Page | undefined,
  sealed: PasswordHash | typeof MASK | undefined,
): PlannedPage["password"] {
  const isGiven = given.includes("password");
  const stands = password === null || password === MASK ? password : sealed;
  if (isGiven && stands === undefined) throw new Error("a password of a page was not sealed");
  const stored = before && { visibility: before.visibility, password: before.password };
  return passwordOf(stored, { visibility, ...(isGiven && { password: stands }) }) as PlannedPage["password"];
}

/** Slugs that two pages would have: entries of the document, pages that it does not name, and pages of other organizations. */
function slugFaults(
  { pages }: Pick<ParsedDocument, "pages">,
  stored: StoredConfiguration,
  deletions: readonly Deletion[],
): Fault[] {
  const deleted = new Set(deletions.map(({ id }) => id));
  const taken = new Set(stored.foreignSlugs);
  for (const { id, ref, slug } of stored.pages) {
    const isPlanned = ref !== null && pages.has(ref);
    if (!isPlanned && !deleted.has(id)) taken.add(slug);
  }
  return [...pages].flatMap(([ref, { slug }]): Fault[] => {
    const path = `${fieldOf("pages", ref)}.slug`;
    if (taken.has(slug)) return [{ path, message: "is taken: it must be unique on this server", got: slug }];
    taken.add(slug);
    return [];
  });
}

type Comparable = Omit<PlannedPage, "given" | "password"> & { password: string | null };

/** A stored page with keys in place of IDs. */
function asPlanned({ components, ...page }: Page, keys: ReadonlyMap<string, Key>): Comparable {
  return {
    ...page,
    components: components.map(({ monitorId, name, group }) => {
      return { monitor: keys.get(monitorId) ?? "", name, group };
    }),
  };
}

/** The fields under the names of the API. */
function comparable(page: Comparable) {
  return pick(page, ["slug", "title", ...PAGE_SETTINGS, "components"]);
}

/*
 * The names of the fields of an entry, as an apply reports them: the fields of a config one by one, such as `config.url`.
 */

/** The fields that an entry gives. */
export function givenFieldsOf(entry: object): string[] {
  return Object.entries(entry).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return name === "config" ? Object.keys(value).map((field) => `config.${field}`) : [name];
  });
}

/** The fields whose values differ, in the order of `after`. @param before the fields under the names of `after` */
export function changedFieldsOf<Fields extends object>(before: Fields, after: Fields): string[] {
  return (Object.keys(after) as (keyof Fields & string)[]).flatMap((name) => {
    const [previous, next] = [before[name], after[name]];
    if (isSameJson(previous, next)) return [];
    return name === "config" ? changedConfigFields(previous as object, next as object) : [name];
  });
}

function changedConfigFields(before: object, after: object): string[] {
  const [previous, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...next.keys(), ...previous.keys()])];
  return names.flatMap((name) => {
    const [one, other] = [previous.get(name), next.get(name)];
    if (isSameJson(one, other)) return [];
    return (name === "steps" && changedSteps(one, other)) || [`config.${name}`];
  });
}

/** The changed fields of steps, such as `config.steps[1].url`. Undefined if there are more or fewer steps than before. */
function changedSteps(before: unknown, after: unknown): string[] | undefined {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return undefined;
  return after.flatMap((step: Record<string, unknown>, at) => {
    const previous = before[at] as Record<string, unknown>;
    const names = new Set([...Object.keys(step), ...Object.keys(previous)]);
    const changed = [...names].filter((name) => !isSameJson(previous[name], step[name]));
    return changed.map((name) => `config.steps[${at}].${name}`);
  });
}

/** The fields of the API that contain some fields, each once: `config` for `config.url`. @param others further ones */
export function apiFieldsOf(fields: readonly string[], ...others: string[]): string[] {
  return [...new Set([...others, ...fields.map((field) => field.split(".")[0] ?? field)])];
}

/** The values of some fields, under the names of the API. */
export function only<Values extends object>(fields: readonly string[], values: Values): Partial<Values> {
  const names = new Set(apiFieldsOf(fields));
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name))) as Partial<Values>;
}

export const CHANGE_ACTIONS = ["create", "update", "delete"] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

export const OBJECT_KINDS = ["channel", "schedule", "monitor", "maintenance", "page", "report"] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** The kind of the objects of a section. */
export const kindOf: Record<Section, ObjectKind> = {
  channels: "channel",
  schedules: "schedule",
  monitors: "monitor",
  maintenances: "maintenance",
  pages: "page",
  reports: "report",
};

/** The change of one object by an apply (behavior 16.30). */
export interface Change {
  action: ChangeAction;
  kind: ObjectKind;
  ref: string;
  /**
   * A create lists the given fields, an update the fields with another value, a delete none. Fields of a config are listed one by
   * one: `config.url`.
   */
  fields: string[];
}

/** Which objects with a ref that the document lacks are deleted: none, or some, or all of them whatever their number. */
export type PruneMode = "none" | "some" | "all";

/** @property isDryRun whether nothing is changed @property seal hashes the passwords of pages. Default: `sealPassword` */
export interface ApplyOptions {
  prune: PruneMode;
  isDryRun: boolean;
  seal?: SealPassword;
}

/** A creation or an update. @property id of the stored object; null for a new one @property values all of them */
export interface Step<Values> {
  ref: string;
  id: string | null;
  fields: string[];
  values: Values;
}

export function isNew({ id }: Step<unknown>): boolean {
  return id === null;
}

export interface Deletion {
  kind: ObjectKind;
  ref: string;
  id: string;
}

/** As they are to be stored. Other objects are named by their keys: see `keyOf`. */
export type PlannedChannel = Omit<ParsedChannel, "config"> & { config: ChannelConfig };
export type PlannedMonitor = Omit<ParsedMonitor, "config" | "bindings"> & {
  config: MonitorConfig;
  bindings: ParsedBinding[];
};
export type PlannedSchedule = ParsedSchedule;
export type PlannedMaintenance = ParsedMaintenance;
export type PlannedPage = Omit<ParsedPage, "password"> & { password: PasswordHash | typeof MASK | null };

export type PlannedReport = ParsedReport;

/** Everything that an apply writes. */
export interface ApplyPlan {
  channels: Step<PlannedChannel>[];
  schedules: Step<PlannedSchedule>[];
  monitors: Step<PlannedMonitor>[];
  maintenances: Step<PlannedMaintenance>[];
  pages: Step<PlannedPage>[];
  reports: Step<PlannedReport>[];
  /** Dependents before what they depend on. */
  deletions: Deletion[];
  /** The past of created monitors, by ref. */
  history: ReadonlyMap<string, NewHistory>;
}

/** In their order: created and updated are channels, schedules, monitors, maintenances, pages, reports; deleted is in reverse. */
export function changesOf({
  channels,
  schedules,
  monitors,
  maintenances,
  pages,
  reports,
  deletions,
}: ApplyPlan): Change[] {
  const saved = (kind: ObjectKind, steps: readonly Step<unknown>[]) =>
    steps.map(
      ({ id, ref, fields }): Change => ({ action: id === null ? "create" : "update", kind, ref, fields }),
    );
  return [
    ...saved("channel", channels),
    ...saved("schedule", schedules),
    ...saved("monitor", monitors),
    ...saved("maintenance", maintenances),
    ...saved("page", pages),
    ...saved("report", reports),
    ...deletions.map(({ kind, ref }): Change => ({ action: "delete", kind, ref, fields: [] })),
  ];
}
