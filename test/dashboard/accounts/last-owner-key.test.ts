import { expect, test } from "bun:test";
import { lastOwnerKey } from "../../../src/dashboard/web/accounts/api-keys.tsx";
import type { ApiKey } from "../../../src/dashboard/web/data/api.ts";

const NOW = Date.UTC(2026, 10, 21);
const key = (id: string, role: ApiKey["role"], expiresAt: string | null = null) =>
  ({ id, role, expiresAt }) as ApiKey;

test.each([
  ["the owner key beside others", [key("a", "owner"), key("b", "admin")], "a"],
  [
    "an owner key beside one that has expired",
    [key("a", "owner"), key("b", "owner", "2026-11-20T00:00:00Z")],
    "a",
  ],
  ["none of two owner keys", [key("a", "owner"), key("b", "owner", "2026-11-22T00:00:00Z")], undefined],
  ["none without owner keys", [key("a", "admin")], undefined],
])("behavior 16.336: the only owner key is %s", (_, keys, expected) => {
  expect(lastOwnerKey(keys, [], NOW)).toBe(expected);
});

test.each([
  ["an active owner", "owner", "active", undefined],
  ["an owner who is disabled", "owner", "disabled", "a"],
  ["an owner who has not accepted yet", "owner", "invited", "a"],
  ["an admin", "admin", "active", "a"],
] as const)(
  "behavior 16.336: beside %s, the only owner key is marked as before, or not at all",
  (_, role, state, last) => {
    expect(lastOwnerKey([key("a", "owner")], [{ role, state }], NOW)).toBe(last);
  },
);
