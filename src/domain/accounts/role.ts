/** From the least to the most powerful. */
export const ROLES = ["viewer", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** Whether `role` may do what needs `needed` (interface, section 5). */
export function permits(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
