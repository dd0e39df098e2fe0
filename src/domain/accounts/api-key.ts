import type { Language } from "../pages/reader-locale.ts";
import { oneOf } from "../schemas/schema.ts";
import type { Plan, Subscription } from "./organization.ts";
import { ROLES, type Role } from "./role.ts";

/** An API key without its secret (behavior 7.59, 8.4). */
export interface ApiKey {
  id: string;
  name: string;
  keyPrefix: string;
  role: Role;
  expiresAt: number | null;
  lastUsedAt: number | null;
  createdAt: number;
}

/** The sender of a request, and the organization that it is about. */
export interface Caller {
  actor: { type: "key" | "person"; id: string; name: string };
  /** The session of a person; absent for a key. */
  sessionId?: string;
  /** The choice of a person; null: the browser decides. Absent for a key. */
  language?: Language | null;
  role: Role;
  expiresAt: number | null;
  organizationId: string;
  plan: Plan;
  subscription: Subscription;
}

export function isExpired(key: { expiresAt: number | null }, now: number): boolean {
  return key.expiresAt !== null && key.expiresAt <= now;
}

/* Apart from role.ts, because TypeBox must stay out of the first script of the page. */

export const RoleSchema = oneOf(ROLES);

/** Where the data of a server is, as its command line names it. @property isEmbedded whether the database is in `dataDir` */
export interface DataPlace {
  dataDir: string;
  isEmbedded: boolean;
}

/**
 * The command that creates an owner key on the machine of the server.
 *
 * @param place missing for readers who must not know it
 * @param organizationId missing while there is exactly one
 */
export function keyCommand(place?: DataPlace, organizationId?: string): string {
  const options = [
    place && (place.isEmbedded ? `--data-dir ${quoted(place.dataDir)}` : "--database-url URL"),
    organizationId !== undefined && `--org ${quoted(organizationId)}`,
  ];
  return ["stillup keys create --name me", ...options.filter(Boolean)].join(" ");
}

/** One word for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
