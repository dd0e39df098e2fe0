const RESOURCES = ["monitor", "channel", "api_key", "maintenance", "page", "incident", "location"] as const;
const CHANGES = ["created", "updated", "deleted"] as const;

/** What the audit log names (behavior 14.80). */
export const AUDIT_ACTIONS = [
  ...RESOURCES.flatMap((resource) => CHANGES.map((change) => `${resource}.${change}` as const)),
  "monitor.all_paused",
  "organization.updated",
  "outage.acknowledged",
  "outage.unacknowledged",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who changed something: an API key, or a command on the machine of the database. @property id null for a command */
export interface AuditActor {
  type: "key" | "cli";
  id: string | null;
  name: string;
}

/** @property type `organization` and `outage` are resources too */
export interface AuditResource {
  type: (typeof RESOURCES)[number] | "organization" | "outage";
  id: string;
  name: string;
}

/** An actor, and the address of its client; null for a command. */
export interface Author {
  actor: AuditActor;
  address: string | null;
}

/** @property changed the names of the changed fields, without values */
export interface AuditEntry extends Author {
  id: string;
  createdAt: number;
  action: AuditAction;
  resource: AuditResource;
  changed: string[];
}
