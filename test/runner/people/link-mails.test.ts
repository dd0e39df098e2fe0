import { describe, expect, test } from "bun:test";
import type { DeliverySettings } from "../../../src/alerts/post.ts";
import { createLogger } from "../../../src/log.ts";
import { createInviteMails, createLinkMails } from "../../../src/runner/people/link-mails.ts";
import { reachWith } from "../../support/alerts/reach.ts";
import { createTestClock } from "../../support/clock.ts";
import { MailServer } from "../../support/servers/mail-server.ts";

const SECONDS = 1000;
const DAY = 24 * 60 * 60 * 1000;
const log = createLogger({ level: "silent" });

describe("behavior 19.18: e-mails with links", () => {
  test("are sent one at a time, and each sender has its turn", async () => {
    const clock = createTestClock();
    const mails = createLinkMails({ clock, log, isShort: () => false });
    const begun: string[] = [];
    let [running, most] = [0, 0];
    const send = (name: string) => async () => {
      begun.push(name);
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    };
    for (const name of ["a1", "a2", "a3"]) mails.add("a", send(name));
    mails.add("b", send("b1"));
    await clock.advance(999);
    expect(begun).toEqual([]);
    await clock.advance(1);
    expect(begun).toEqual(["a1", "b1", "a2", "a3"]);
    expect(most).toBe(1);
  });

  test("of which 1,000 of one sender wait, are dropped, and those of others are not", async () => {
    const mails = createLinkMails({ clock: createTestClock(), log, isShort: () => false });
    const send = async () => {};
    const added = Array.from({ length: 1001 }, () => mails.add("a", send));
    expect(added.filter(Boolean)).toHaveLength(1000);
    expect(mails.add("b", send)).toBe(true);
  });

  test("wait while file descriptors are lacking", async () => {
    const clock = createTestClock();
    let isShort = true;
    const mails = createLinkMails({ clock, log, isShort: () => isShort });
    let sent = 0;
    mails.add("a", async () => void sent++);
    await clock.advance(10 * SECONDS);
    expect(sent).toBe(0);
    isShort = false;
    await clock.advance(SECONDS);
    expect(sent).toBe(1);
  });

  test("go on after one that fails, and end at a stop", async () => {
    const clock = createTestClock();
    const mails = createLinkMails({ clock, log, isShort: () => false });
    let sent = 0;
    mails.add("a", () => Promise.reject(new Error("away")));
    mails.add("a", async () => void sent++);
    await clock.advance(SECONDS);
    expect(sent).toBe(1);
    mails.add("a", async () => void sent++);
    await mails.stop();
    await clock.advance(SECONDS);
    expect(sent).toBe(1);
  });
});

test("behavior 19.18: an organization sends three invitations a day to one address", async () => {
  await using server = await MailServer.start({ startTls: false });
  const clock = createTestClock();
  const { smtp } = server.settings({ host: "localhost" });
  const delivery: DeliverySettings = { ...reachWith(), baseUrl: () => "", ...(smtp && { smtp }) };
  const findSettings = async () => ({ name: "Shop" });
  const store = { organizations: { findSettings } } as unknown as Parameters<
    typeof createInviteMails
  >[0]["store"];
  const added: string[] = [];
  const mails = {
    add: (sender: string) => {
      added.push(sender);
      return true;
    },
    stop: async () => {},
  };
  const invites = createInviteMails({ store, clock, log, delivery, mails });
  const send = (organizationId: string, to: string) =>
    invites.send({
      ...{ organizationId, to, inviter: null, role: "viewer" as const },
      inviteUrl: "https://up.example.com/invite/x",
    });
  for (let at = 0; at < 5; at++) send("shop", "ana@example.com");
  expect(added).toHaveLength(3);
  send("shop", "ANA@example.com");
  expect(added).toHaveLength(3);
  send("shop", "bob@example.com");
  send("other", "ana@example.com");
  expect(added).toEqual(["shop", "shop", "shop", "shop", "other"]);
  await clock.advance(DAY);
  for (let at = 0; at < 5; at++) send("shop", "ana@example.com");
  expect(added).toHaveLength(8);
});
