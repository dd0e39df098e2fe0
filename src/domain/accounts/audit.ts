import type { AppError } from "../../errors.ts";
import { isSameJson } from "../canonical-json.ts";
import { fault } from "../faults/fault.ts";

const RESOURCES = [
  "monitor",
  "channel",
  "api_key",
  "maintenance",
  "page",
  "incident",
  "location",
  "person",
  "schedule",
  "report",
] as const;
const OTHERS = ["organization", "outage", "session"] as const;
const CHANGES = ["created", "updated", "deleted"] as const;

/** The actions in the audit log (behavior 14.70). */
export const AUDIT_ACTIONS = [
  ...RESOURCES.flatMap((resource) => CHANGES.map((change) => `${resource}.${change}` as const)),
  "monitor.all_paused",
  "organization.updated",
  "outage.acknowledged",
  "outage.unacknowledged",
  "person.invited",
  "session.created",
  "session.failed",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/**
 * Who changed something: an API key, a person, a command on the machine of the database, or whoever used the link of a notification.
 *
 * @property id null for a command; a notification has the ID and the name of its channel
 */
export interface AuditActor {
  type: "key" | "person" | "cli" | "notification";
  id: string | null;
  name: string;
}

export const AUDIT_RESOURCES = [...RESOURCES, ...OTHERS] as const;

export interface AuditResource {
  type: (typeof AUDIT_RESOURCES)[number];
  id: string;
  name: string;
}

/**
 * Who makes a change.
 *
 * @property address of its client; null for a command
 * @property at when it is made, in milliseconds since 1970
 * @property undoes the ID of the entry that the change takes back: it fails if the resource was changed after that
 * @property isTried whether the change is only tried, and rolled back: it answers or fails as it would
 */
export interface Author {
  actor: AuditActor;
  address: string | null;
  at: number;
  undoes?: string;
  isTried?: true;
}

/** Values of fields, under the names and in the forms of the API. */
export type OldValues = Readonly<Record<string, unknown>>;

/**
 * @property changed the names of the changed fields @property createdAt milliseconds since 1970
 * @property before the old values of fields that hold no secret, if there are any: see `oldValues`
 */
export interface AuditEntry extends Omit<Author, "at" | "undoes" | "isTried"> {
  id: string;
  createdAt: number;
  action: AuditAction;
  resource: AuditResource;
  changed: string[];
  before?: OldValues;
}

/** Fields that change by themselves, or with each update. */
const DERIVED = new Set([
  "status",
  "state",
  "maintenance",
  "nextStartsAt",
  "nextEndsAt",
  "endedRun",
  "endedRunAt",
  "updatedAt",
  "lastUsedAt",
  "lastSeenAt",
]);

/** The names of the fields whose values differ after an update (behavior 14.72). */
export function changedFields(before: object, after: object): string[] {
  const previous = new Map(Object.entries(before));
  const others = Object.entries(after).filter(
    ([name, value]) => previous.get(name) !== value && !DERIVED.has(name),
  );
  return others.flatMap(([name, value]) => (isSameJson(previous.get(name), value) ? [] : [name]));
}

/** The names of the fields with which something is created (behavior 14.72). */
export function givenFields(values: object): string[] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

/** Why an entry can't be undone, as a sentence; null if it can while nothing has changed since (behavior 14.101). */
export function undoRefusal({
  action,
  changed,
  before,
}: Pick<AuditEntry, "action" | "changed" | "before">): AppError | null {
  const [type, verb] = action.split(".") as [AuditResource["type"], string];
  if (verb !== "updated" || !UNDOABLE.includes(type)) return fault("notUndoable", {}, { kind: "refused" });
  const lost = changed.filter((field) => !before || !(field in before));
  if (lost.length === 0) return null;
  return fault("oldValuesLost", { fields: lost.join(", ") }, { kind: "refused" });
}

/** Resources whose settings one request updates. */
const UNDOABLE: readonly AuditResource["type"][] = [
  "monitor",
  "channel",
  "api_key",
  "maintenance",
  "page",
  "incident",
  "location",
  "person",
  "schedule",
  "report",
  "organization",
];
