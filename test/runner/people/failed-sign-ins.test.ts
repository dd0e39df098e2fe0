import { expect, test } from "bun:test";
import { createLogger } from "../../../src/log.ts";
import { createFailedSignIns } from "../../../src/runner/people/sign-in.ts";
import { createTestClock } from "../../support/clock.ts";
import { createDatabase } from "../../support/store/database.ts";
import { trackedStore } from "../../support/store/tracked-store.ts";

const SECOND = 1000;
const DAY = 86_400 * SECOND;

test("behavior 19.42: a flood of failed sign-ins writes 100 entries of an organization, and then 96 a day", async () => {
  await using database = await createDatabase();
  const { store, owner } = database;
  const clock = createTestClock();
  const { organizationId } = owner;
  const { id } = await store.people.create(
    { organizationId, email: "ana@example.com", role: "viewer", token: "token" },
    clock.now(),
  );
  const log = createLogger({ level: "error" });
  const failures = createFailedSignIns({ store: trackedStore(store, clock), clock, log });
  const person = { personId: id, organizations: [{ id: organizationId, name: "", role: "viewer" as const }] };
  const written = async () => {
    const { items } = await store.audit.list(organizationId, { limit: 1000 });
    return items.filter(({ action }) => action === "session.failed").length;
  };
  const flood = () => Array.from({ length: 500 }, () => failures.note(person, "password"));
  flood();
  expect(await written()).toBe(0);
  await clock.advance(SECOND);
  await failures.stop();
  expect(await written()).toBe(100);
  await clock.advance(DAY);
  flood();
  await failures.stop();
  expect(await written()).toBe(196);
});
