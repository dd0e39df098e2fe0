import { type Static, type TObject, Type } from "@sinclair/typebox";
import { ONLY_HERE, Placement } from "../locations/placement.ts";
import { pickGiven } from "../pick.ts";
import { Confirmation, UNCONFIRMED } from "./confirmation.ts";
import { DependsOn } from "./dependencies.ts";
import { Tags } from "./tags.ts";

/**
 * The settings of a monitor besides its name, its config and its bindings: each is declared here or in the group that it belongs to.
 * Requests, responses, documents, changes and queries pick the settings from here.
 */
export const MonitorSettings = Type.Object({
  ...Confirmation.properties,
  ...Placement.properties,
  tags: Tags,
  dependsOn: DependsOn,
});
export type MonitorSettings = Static<typeof MonitorSettings>;

/** The values of a new monitor. */
export const MONITOR_DEFAULTS: MonitorSettings & { enabled: boolean } = {
  enabled: true,
  ...UNCONFIRMED,
  ...ONLY_HERE,
  tags: [],
  dependsOn: [],
};

export const SETTINGS = namesOf(MonitorSettings);
export const CONFIRMATION = namesOf(Confirmation);
export const PLACEMENT = namesOf(Placement);
/** All except for the placement, which jobs do not have. */
export const UNPLACED = namesOf(Type.Omit(MonitorSettings, PLACEMENT));

/** The settings that the row of a monitor stores unchanged. Its placement is stored with the numbers of the locations. */
export const STORED_SETTINGS = ["name", "config", "enabled", "tags", ...CONFIRMATION, "ref"] as const;

/** The settings that a new row of a monitor gets. */
export const CREATED_SETTINGS = ["id", "type", ...STORED_SETTINGS] as const;

/** Values that a request may leave out. */
export type Requested<Values> = { [Name in keyof Values]?: Values[Name] | undefined };

/** The settings of a new monitor: the defaults, except for what is given. */
export function newSettings(given: Requested<typeof MONITOR_DEFAULTS>): typeof MONITOR_DEFAULTS {
  return { ...MONITOR_DEFAULTS, ...pickGiven(given, ["enabled", ...SETTINGS]) };
}

function namesOf<Group extends TObject>({ properties }: Group): (keyof Static<Group>)[] {
  return Object.keys(properties);
}
