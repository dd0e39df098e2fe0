import { describe, expect, test } from "bun:test";
import { openMemoryEngine } from "../../../src/store/sqlite/memory.ts";
import { createStore } from "../../../src/store/store.ts";

const NOW = Date.UTC(2026, 10, 29);
const MIB = 1024 * 1024;

async function open({ bytes = 64 * MIB, rows = {}, newest = {} } = {}) {
  const engine = openMemoryEngine({ bytes, rows, newest });
  const store = createStore(engine);
  const { id: organizationId } = await store.organizations.create(
    { name: "A", plan: "enterprise", subscription: "active" },
    NOW,
  );
  const owner = { organizationId, plan: "enterprise" } as const;
  const create = (name = "job") =>
    store.monitors.create(owner, { name, type: "SCHEDULED", config: { interval: 300 } }, NOW);
  const author = { actor: { type: "cli", id: null, name: "x" }, address: null, at: NOW } as const;
  return { engine, store, organizationId, create, author, owner };
}

describe("behavior 24.29: a database in memory", () => {
  test("keeps what is committed, and says when results are as durable as it", async () => {
    const { store, organizationId, create } = await open();
    const { id } = await create();
    expect(await store.monitors.find(organizationId, id)).toMatchObject({ name: "job" });
    await store.recording.syncResults();
    await store.close();
  });

  test("does not see what another transaction has not committed", async () => {
    const { engine, store, organizationId } = await open();
    const held = Promise.withResolvers<void>();
    const writing = engine.write(async (tx) => {
      await tx.query("UPDATE organizations SET name = 'B'");
      await held.promise;
      throw new Error("rolled back");
    });
    const reading = store.organizations.findSettings(organizationId);
    held.resolve();
    await expect(writing).rejects.toThrow("rolled back");
    expect(await reading).toMatchObject({ name: "A" });
    await store.close();
  });

  test("refuses a row above the limit of its table, and takes it after another one is deleted", async () => {
    const { store, organizationId, create } = await open({ rows: { monitors: 2 } });
    const { id } = await create();
    await create();
    await expect(create()).rejects.toMatchObject({
      kind: "invalid",
      message: "This server has enough monitors: delete some",
    });
    await store.monitors.delete(organizationId, id);
    await create();
    await store.close();
  });

  test("keeps the newest rows of a table", async () => {
    const { store, organizationId, author } = await open({ newest: { audit_entries: 3 } });
    for (let at = 0; at < 10; at++)
      await store.as(author).organizations.update(organizationId, { name: `name ${at}` });
    const { items } = await store.audit.list(organizationId, { limit: 100 });
    expect(items).toHaveLength(3);
    await store.close();
  });

  test("is full at the limit of its bytes, and then refuses as a full disk does", async () => {
    const { store, create } = await open({ bytes: 2 * MIB });
    const fill = async () => {
      for (let at = 0; at < 10_000; at++) await create("x".repeat(200));
    };
    await expect(fill()).rejects.toMatchObject({ name: "StorageFault" });
    await store.close();
  });
});
