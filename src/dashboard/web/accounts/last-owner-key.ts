import type { ApiKey, Person } from "../data/api.ts";

/**
 * The ID of the only valid owner key; undefined if there are several, or none, or if a person is an active owner.
 *
 * @param now milliseconds since 1970
 */
export function lastOwnerKey(
  keys: readonly ApiKey[],
  people: readonly Pick<Person, "role" | "state">[],
  now: number,
): string | undefined {
  if (people.some(({ role, state }) => role === "owner" && state === "active")) return undefined;
  const owners = keys.filter(
    ({ role, expiresAt }) => role === "owner" && (expiresAt === null || Date.parse(expiresAt) > now),
  );
  return owners.length === 1 ? owners[0]?.id : undefined;
}
