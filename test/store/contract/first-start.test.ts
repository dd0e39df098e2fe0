import { describe, expect, test } from "bun:test";
import { hashKey } from "../../../src/store/accounts/api-keys.ts";
import { createKey } from "../../../src/store/ids.ts";
import { engines } from "../../support/store/engines.ts";
import { NOW } from "./world.ts";

describe.each(engines)("a first start on $name", (engine) => {
  test("behavior 9.14: creates the organization Default and its owner key", async () => {
    await using opened = await engine.open();
    const { organizations, apiKeys } = opened.store;
    expect(await organizations.isFirstStart()).toBeTrue();
    const key = createKey();
    expect(await organizations.createDefault({ key }, NOW)).toBeTrue();
    const [created, ...others] = await organizations.list();
    expect(others).toEqual([]);
    expect(created).toMatchObject({ name: "Default", plan: "enterprise", subscription: "active" });
    expect(await apiKeys.findCaller(hashKey(key))).toMatchObject({
      organizationId: created?.id,
      role: "owner",
      expiresAt: null,
    });
  });

  test("behavior 12.22: creates one organization, however many processes start", async () => {
    await using opened = await engine.open();
    // On SQLite, a connection of this thread would wait for the lock of another one for ever.
    const others = engine.name === "sqlite" ? [] : [await opened.openAnother(), await opened.openAnother()];
    const stores = [opened.store, opened.store, ...others];
    const keys = stores.map(() => createKey());
    const created = await Promise.all(
      stores.map((store, at) => store.organizations.createDefault({ key: keys[at] ?? "" }, NOW)),
    );
    expect(created.filter((isCreated) => isCreated)).toHaveLength(1);
    expect(await opened.store.organizations.list()).toHaveLength(1);
    const callers = await Promise.all(keys.map((key) => opened.store.apiKeys.findCaller(hashKey(key))));
    expect(callers.map((caller) => caller !== undefined)).toEqual(created);
    for (const other of others) await other.close();
  });
});
