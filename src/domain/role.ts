import { type Static, Type } from "@sinclair/typebox";

/** From the least to the most powerful. */
export const ROLES = ["viewer", "admin", "owner"] as const;

export const Role = Type.Union([Type.Literal("viewer"), Type.Literal("admin"), Type.Literal("owner")]);
export type Role = Static<typeof Role>;

/** Whether `role` may do what needs `needed` (interface, section 5). */
export function permits(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
