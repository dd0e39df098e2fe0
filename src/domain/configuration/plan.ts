import type { ChannelConfig } from "../alerts/channel.ts";
import type { MonitorConfig } from "../monitors/monitor.ts";
import type { PasswordHash, SealPassword } from "../pages/page-password.ts";
import type { MASK } from "../schemas/mask.ts";
import type { NewHistory } from "./history.ts";
import type {
  ParsedBinding,
  ParsedChannel,
  ParsedMaintenance,
  ParsedMonitor,
  ParsedPage,
} from "./parsed-document.ts";
import type { Section } from "./stored-configuration.ts";

export const CHANGE_ACTIONS = ["create", "update", "delete"] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

export const OBJECT_KINDS = ["channel", "monitor", "maintenance", "page"] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** The kind of the objects of a section. */
export const kindOf: Record<Section, ObjectKind> = {
  channels: "channel",
  monitors: "monitor",
  maintenances: "maintenance",
  pages: "page",
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
export type PlannedMaintenance = ParsedMaintenance;
export type PlannedPage = Omit<ParsedPage, "password"> & { password: PasswordHash | typeof MASK | null };

/** Everything that an apply writes. */
export interface ApplyPlan {
  channels: Step<PlannedChannel>[];
  monitors: Step<PlannedMonitor>[];
  maintenances: Step<PlannedMaintenance>[];
  pages: Step<PlannedPage>[];
  /** Dependents before what they depend on. */
  deletions: Deletion[];
  /** The past of created monitors, by ref. */
  history: ReadonlyMap<string, NewHistory>;
}

/** In their order: created and updated are channels, monitors, maintenances, pages; deleted is in reverse. */
export function changesOf({ channels, monitors, maintenances, pages, deletions }: ApplyPlan): Change[] {
  const saved = (kind: ObjectKind, steps: readonly Step<unknown>[]) =>
    steps.map(
      ({ id, ref, fields }): Change => ({ action: id === null ? "create" : "update", kind, ref, fields }),
    );
  return [
    ...saved("channel", channels),
    ...saved("monitor", monitors),
    ...saved("maintenance", maintenances),
    ...saved("page", pages),
    ...deletions.map(({ kind, ref }): Change => ({ action: "delete", kind, ref, fields: [] })),
  ];
}
