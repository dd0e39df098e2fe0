import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { createTestDatabase } from "../../support/store/postgres/databases.ts";
import { openPostgres } from "../../support/store/postgres/postgres-store.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";
import { DatabaseProxy } from "../../support/store/postgres/proxy.ts";
import { NOW, World } from "../contract/world.ts";

setDefaultTimeout(300_000);

describe.skipIf(findPrograms() === undefined)("a sign-in with a distant database", () => {
  test("behavior 19.22: asks it as often for nobody as for a person, so that the time is the same", async () => {
    using proxy = await DatabaseProxy.start(await sharedCluster());
    await using world = await World.create(
      await openPostgres(proxy, await createTestDatabase(), (store) => store),
    );
    const { store, organizationId } = world;
    const invited = { organizationId, email: "ana@example.com", role: "viewer", token: "token" } as const;
    await store.people.create(invited, NOW);
    await store.people.redeemInvite({ token: "token", name: "Ana", way: { passwordHash: "hash" } }, NOW);
    const statements = async (email: string) => {
      const before = proxy.statements;
      const found = await store.people.findApplicant(email);
      return { count: proxy.statements - before, isKnown: found !== undefined };
    };
    const [known, unknown] = [await statements("ana@example.com"), await statements("eve@example.com")];
    expect([known.isKnown, unknown.isKnown, unknown.count]).toEqual([true, false, known.count]);
  });
});
