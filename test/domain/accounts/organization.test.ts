import { expect, test } from "bun:test";
import { usesPlans } from "../../../src/domain/accounts/organization.ts";

const free = { plan: "enterprise", subscription: "active" } as const;

test.each([
  [[free], false],
  [[free, free], true],
  [[{ ...free, plan: "pro" as const }], true],
  [[{ ...free, subscription: "inactive" as const }], true],
])("behavior 16.332: with the organizations %j, plans matter: %p", (organizations, expected) => {
  expect(usesPlans(organizations)).toBe(expected);
});
