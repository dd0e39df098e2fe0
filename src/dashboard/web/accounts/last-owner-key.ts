import type { ApiKey } from "../data/api.ts";

/** The ID of the only valid owner key; undefined if there are several, or none. @param now milliseconds since 1970 */
export function lastOwnerKey(keys: readonly ApiKey[], now: number): string | undefined {
  const owners = keys.filter(
    ({ role, expiresAt }) => role === "owner" && (expiresAt === null || Date.parse(expiresAt) > now),
  );
  return owners.length === 1 ? owners[0]?.id : undefined;
}
