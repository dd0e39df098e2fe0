/** Each role includes the previous ones (behavior 8.7). */
export const ROLES = ["viewer", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role may do what needs another role (behavior 8.7). */
export function permits(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
