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
