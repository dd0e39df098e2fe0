import { permits, type Role } from "../accounts/role.ts";
import type { RoleMapping } from "./oidc-settings.ts";

/**
 * The role that the claims of a provider give (behavior 19.70): the highest of the groups that are mapped, to the letter.
 *
 * @returns undefined if none is mapped
 */
export function roleOf(claims: Record<string, unknown>, { claim, roles }: RoleMapping): Role | undefined {
  let highest: Role | undefined;
  for (const group of groupsIn(findClaim(claims, claim))) {
    const role = roles.get(group);
    if (role && (!highest || permits(role, highest))) highest = role;
  }
  return highest;
}

/** Whether the claims say anything about groups, mapped or not. */
export function hasClaim(claims: Record<string, unknown>, claim: string): boolean {
  return findClaim(claims, claim) !== undefined;
}

/** The claim of exactly this name, such as `https://example.com/groups`; otherwise it is a path, such as `realm_access.roles`. */
function findClaim(claims: Record<string, unknown>, claim: string): unknown {
  if (Object.hasOwn(claims, claim)) return claims[claim];
  return claim.split(".").reduce<unknown>((value, name) => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  }, claims);
}

/** A value that is no string, and no array of strings, has no groups: what it means is not guessed. */
function groupsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  const isList = Array.isArray(value) && value.every((group) => typeof group === "string");
  return isList ? value : [];
}
