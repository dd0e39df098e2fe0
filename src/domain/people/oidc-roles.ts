import { permits, ROLES, type Role } from "../accounts/role.ts";
import { isLoopback } from "../network/local-request.ts";

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

/** The provider by which people sign in with OpenID Connect, as the operator has set it (behavior 19.60). */
export interface OidcSettings {
  /** As the provider writes it: with or without a slash at its end. */
  issuer: string;
  clientId: string;
  /** Undefined for a public client. */
  clientSecret: string | undefined;
  /** Separated by spaces. */
  scopes: string;
  /** Undefined if the provider does not decide roles. */
  roles: RoleMapping | undefined;
  /** The organization whose roles the provider decides; optional while there is exactly one. */
  organizationId: string | undefined;
  /** Whether people sign in by the provider only. */
  isOnly: boolean;
}

/** How a claim of the provider decides the role of a person. */
export interface RoleMapping {
  claim: string;
  roles: ReadonlyMap<string, Role>;
}

/** @returns undefined if it is not the URL of a provider: HTTPS, or HTTP on this machine */
export function parseIssuer(text: string): string | undefined {
  const url = /^https?:\/\/[^\s/\\]\S*$/i.test(text) ? URL.parse(text) : null;
  if (!url || url.href !== url.origin + url.pathname) return undefined;
  const isHere = isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
  return url.protocol === "https:" || isHere ? text : undefined;
}

/** @returns the scopes, separated by single spaces; undefined if `openid` is missing */
export function parseScopes(text: string): string | undefined {
  const scopes = text.split(/[ ,]+/).filter((scope) => scope !== "");
  const areValid = scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
  return areValid && scopes.includes("openid") ? scopes.join(" ") : undefined;
}

/** @param text `group=role,...`; a group may contain `=` */
export function parseRoleMapping(text: string): ReadonlyMap<string, Role> | undefined {
  const roles = new Map<string, Role>();
  for (const pair of text.split(",")) {
    const [, group, name] = /^(.+)=([^=]*)$/s.exec(pair.trim()) ?? [];
    const role = ROLES.find((known) => known === name?.trim());
    const isNew = group !== undefined && !roles.has(group.trim());
    if (!role || !isNew || group.trim() === "") return undefined;
    roles.set(group.trim(), role);
  }
  return roles;
}
