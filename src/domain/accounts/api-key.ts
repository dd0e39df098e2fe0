import type { Plan, Subscription } from "./organization.ts";
import type { Role } from "./role.ts";

/** A key as it is shown; the key itself is known only to its holder (interface 2.1). */
export interface ApiKey {
  id: string;
  name: string;
  keyPrefix: string;
  role: Role;
  expiresAt: number | null;
  lastUsedAt: number | null;
  createdAt: number;
}

/** Whoever makes a request: a key, and the organization that it belongs to. */
export interface Caller {
  keyId: string;
  role: Role;
  expiresAt: number | null;
  organizationId: string;
  plan: Plan;
  subscription: Subscription;
}

export function isExpired(key: { expiresAt: number | null }, now: number): boolean {
  return key.expiresAt !== null && key.expiresAt <= now;
}
