import { expect, test } from "bun:test";
import { createAccessRules } from "../../../src/runner/configuration/access-rules.ts";
import { applyFound } from "../../../src/runner/discovery/discovery-engine.ts";
import { engineOfTests } from "../../support/store/engines.ts";

const NOW = Date.UTC(2027, 5, 1, 12);

test("behavior 28.15, 28.60: every entry that this server refuses is left out, however many there are, and a fault is short", async () => {
  await using opened = await engineOfTests().open();
  const { store } = opened;
  const values = { name: "Shop", plan: "enterprise", subscription: "active" } as const;
  const { id } = await store.organizations.create(values, NOW);
  const rules = createAccessRules({ store, privateTargets: "deny" });
  const apply = applyFound({ store, clock: { now: () => NOW } as never, confirm: rules.confirmDocument });
  const config = { url: "https://shop.example.com/", proxy: { url: "http://proxy.example.com:3128" } };
  const refs = Array.from({ length: 150 }, (_, at) => `docker/c${at}`);
  const monitors = {
    ...Object.fromEntries(refs.map((ref) => [ref, { type: "HTTP", config }])),
    "docker/wrong": { type: "HTTP", config: {} },
    "docker/pattern": {
      type: "HTTP",
      config: { url: "https://shop.example.com/", expect: { matches: "(" } },
    },
    "docker/web": { type: "HTTP", config: { url: "https://shop.example.com/" } },
    "docker/long": {
      type: "HTTP",
      dependsOn: ["d".repeat(900_000)],
      config: { url: "https://shop.example.com/" },
    },
  };
  const missing = { gone: [], deleted: [], kept: [] };
  const { changes, faults } = await apply(id, { defaults: {}, monitors }, { missing, isDryRun: false });
  expect(changes.map(({ ref }) => ref)).toEqual(["docker/web"]);
  const wrong = ["docker/long", "docker/pattern", "docker/wrong"];
  expect(faults.map(({ entry }) => entry).sort()).toEqual([...refs, ...wrong].sort());
  for (const { message } of faults) expect(message.length).toBeLessThan(500);
  expect(faults).toContainEqual({ entry: "docker/c149", message: expect.stringContaining("config.proxy ") });
});
