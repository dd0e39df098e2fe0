import { expect, test } from "bun:test";
import { HASH_COST } from "../../../src/domain/people/password.ts";
import { createLogger } from "../../../src/log.ts";
import { createSignIn } from "../../../src/runner/people/sign-in.ts";
import type { Store } from "../../../src/store/store.ts";
import { createTestClock } from "../../support/clock.ts";

test("behavior 19.21: a password that this server could not judge is no failure", async () => {
  const store = {} as Store;
  const signIn = createSignIn({ store, clock: createTestClock(), log: createLogger({ level: "silent" }) });
  const given = { personId: "a", email: "a@example.com", password: "a long password", address: "192.0.2.1" };
  for (let at = 0; at < 11; at++)
    await expect(signIn.confirm({ ...given, place: "here", hash: "not a hash" })).rejects.toThrow(
      "a thread for passwords died",
    );
  const hash = await Bun.password.hash(given.password, HASH_COST);
  expect(await signIn.confirm({ ...given, place: "here", hash })).toBe(true);
  await signIn.stop();
});
