import { expect, test } from "bun:test";
import { StorageFault } from "../../../src/errors.ts";
import { applyDocument } from "../../../src/runner/configuration/server-configuration.ts";
import { sealPassword } from "../../../src/store/pages/page-rows.ts";
import { engineOfTests } from "../../support/store/engines.ts";

const NOW = Date.UTC(2027, 5, 1, 12);

const document = { monitors: { nightly: { type: "SCHEDULED", config: { grace: 60 } } } };

test("behavior 16.82: applies a file again while the database fails, as when another node applies it", async () => {
  await using test = await engineOfTests().open();
  await test.store.organizations.create({ name: "Shop", plan: "pro", subscription: "active" }, NOW);
  let failures = 2;
  let time = 0;
  const organizations = {
    ...test.store.organizations,
    async list() {
      if (failures-- > 0) throw new StorageFault(new Error("canceling statement due to statement timeout"));
      return test.store.organizations.list();
    },
  };
  const clock = {
    now: () => NOW + time,
    monotonic: () => time,
    async sleep(ms: number) {
      time += ms;
    },
  };
  let wakes = 0;
  const apply = applyDocument({
    store: { as: (author) => test.store.as(author), organizations },
    clock,
    organizationId: undefined,
    confirm: async () => {},
    seal: sealPassword,
    wake: () => wakes++,
  });
  expect(await apply(document)).toBe(1);
  expect([failures < 0, wakes]).toEqual([true, 1]);
  failures = Number.POSITIVE_INFINITY;
  await expect(apply(document)).rejects.toThrow("statement timeout");
});
