import { expect, test } from "bun:test";
import { parseDocument } from "../../../src/domain/configuration/parse-document.ts";
import { planApply } from "../../../src/domain/configuration/plan-apply.ts";
import type { StoredConfiguration } from "../../../src/domain/configuration/stored-configuration.ts";
import { HERE_ID } from "../../../src/domain/locations/location.ts";

const nothing: StoredConfiguration = {
  organization: { id: "org", name: "Org", plan: "enterprise", subscription: "active" },
  defaultChannelIds: [],
  locationIds: [HERE_ID],
  channels: [],
  schedules: [],
  people: [],
  monitors: [],
  maintenances: [],
  pages: [],
  reports: [],
  foreignSlugs: new Set(),
  foreignTokens: new Set(),
};

test("behavior 16.40: a document is compared with what is stored in steps of a monitor", () => {
  const shop = { type: "HTTP", config: { url: "https://shop.example.com/", interval: 60 } };
  const monitors = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`m${at}`, shop]));
  const steps = planApply(parseDocument({ monitors }), nothing, { prune: "none", now: 0 });
  expect([...steps].length).toBeGreaterThan(1000);
});
