import { expect, test } from "bun:test";
import { createLogger } from "../../../src/log.ts";
import { createForgottenPasswords, createLinkMails } from "../../../src/runner/people/link-mails.ts";
import { reachWith } from "../../support/alerts/reach.ts";
import { createTestClock } from "../../support/clock.ts";
import { createDatabase } from "../../support/store/database.ts";

test("behavior 19.17: a request is answered before its address is looked up (enumeration by time)", async () => {
  await using database = await createDatabase();
  const clock = createTestClock();
  const looked: string[] = [];
  const people = { ...database.store.people, createLinkFor };
  async function createLinkFor({ email }: { email: string }) {
    looked.push(email);
    return null;
  }
  const log = createLogger({ level: "error" });
  const baseUrl = () => "https://up.example.com";
  const mails = createLinkMails({ clock, log });
  const passwords = createForgottenPasswords({
    ...{ store: { people }, clock, log, baseUrl },
    delivery: { ...reachWith(), baseUrl },
    mails,
  });
  passwords.request({ email: "ana@example.com", language: null, address: "192.0.2.1" });
  passwords.request({ email: "nobody@example.com", language: null, address: "192.0.2.2" });
  await clock.advance(999);
  expect(looked).toEqual([]);
  await clock.advance(1);
  await mails.stop();
  expect(looked).toEqual(["ana@example.com", "nobody@example.com"]);
});
