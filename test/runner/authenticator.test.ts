import { expect, test } from "bun:test";
import { createLogger } from "../../src/log.ts";
import { createAuthenticator } from "../../src/runner/authenticator.ts";
import { createMetrics } from "../../src/runner/metrics/metrics.ts";
import { createKey } from "../../src/store/ids.ts";
import { createTestClock } from "../support/clock.ts";
import { createDatabase } from "../support/store/database.ts";
import { forbidWrites } from "../support/store/faults.ts";
import { trackedStore } from "../support/store/tracked-store.ts";

test("behavior 8.9: no list and no stop fails because the disk rejects the last uses of keys, logged once, and they are written when it accepts them", async () => {
  await using database = await createDatabase();
  const { store } = database;
  const clock = createTestClock();
  const { organizationId } = database.owner;
  const values = { organizationId, name: "key", role: "owner", expiresAt: null, key: createKey() } as const;
  const { id } = await store.apiKeys.create(values, clock.now());
  const errors: string[] = [];
  const log = createLogger({ level: "error" }, (line: string) => void errors.push(line));
  const authenticator = createAuthenticator({
    ...{ store: trackedStore(store, clock), log, clock, metrics: createMetrics() },
    baseUrl: () => "",
    addressOf: () => "127.0.0.1",
  });
  const use = () => authenticator.noteUse({ actor: { id } } as Parameters<typeof authenticator.noteUse>[0]);
  use();
  const acceptWrites = await forbidWrites(database.db);
  await clock.advance(60_000);
  await authenticator.saveUses();
  expect(errors).toHaveLength(1);
  await acceptWrites();
  await authenticator.saveUses();
  const keys = await store.apiKeys.list(organizationId);
  expect(keys.find((key) => key.id === id)?.lastUsedAt).toBeNumber();
  use();
  await forbidWrites(database.db);
  await authenticator.stop();
});
