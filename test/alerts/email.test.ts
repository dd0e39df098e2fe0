import { describe, expect, test } from "bun:test";
import { deliverEmail } from "../../src/alerts/mail.ts";
import type { Transition } from "../../src/domain/alerts/delivery.ts";
import { reachWith } from "../support/alerts/reach.ts";
import { AT, down, hostile, notified, recovery } from "../support/alerts/transitions.ts";
import { MailServer, PASSWORD, USER } from "../support/servers/mail-server.ts";

const to = { to: "ops@example.com" };

test("is sent through the mail server with STARTTLS and a password, as text and HTML", async () => {
  await using server = await MailServer.start();
  expect(await deliverEmail(to, notified(down), server.settings())).toEqual({
    outcome: "delivered",
    answer: "250",
  });
  const [mail] = server.received;
  expect(mail).toMatchObject({
    from: "stillup@example.com",
    to: ["ops@example.com"],
    user: USER,
    secure: true,
  });
  expect(mail?.source).toContain("From: stillup <stillup@example.com>");
  expect(mail?.source).toContain("Subject: Shop front is down");
  expect(mail?.source).toContain("Message-ID: <delivery.d1@example.com>");
  expect(mail?.source).toContain("Auto-Submitted: auto-generated");
  expect(mail?.source).toMatch(/text\/plain; charset=utf-8.*text\/html; charset=utf-8/s);
});

test("behavior 5.27: is in one thread with the others about the same trouble, not with those about the next", async () => {
  await using server = await MailServer.start();
  const begun: Transition = { ...down, troubleSince: AT };
  const ended: Transition = { ...recovery, troubleSince: AT };
  const later: Transition = { ...down, troubleSince: AT + 1 };
  for (const one of [begun, ended, later]) await deliverEmail(to, notified(one), server.settings());
  const threads = server.received.map(({ source }) => /^In-Reply-To: (<.+>)\r$/m.exec(source)?.[1] ?? "");
  expect(threads[0]).toMatch(/^<incident\.[\w-]{22}@example\.com>$/);
  expect(threads[1]).toBe(threads[0] ?? "");
  expect(threads[2]).not.toBe(threads[0] ?? "");
  for (const { source } of server.received) expect(source).toMatch(/^References: <incident\./m);
});

test("has no header and no recipient from the name of a monitor", async () => {
  await using server = await MailServer.start();
  const name = "x\r\nBcc: victim@example.com\r\n\r\n<b>";
  await deliverEmail(to, notified(hostile(name)), server.settings());
  expect(server.received[0]?.to).toEqual(["ops@example.com"]);
  const [headers] = server.received[0]?.source.split("\r\n\r\n") ?? [];
  expect(headers).not.toMatch(/^Bcc:/im);
});

describe("an e-mail fails", () => {
  test("behavior 5.18: finally without a mail server in the settings", async () => {
    expect(await deliverEmail(to, notified(down), { ...reachWith(), baseUrl: () => "" })).toEqual({
      outcome: "failed",
      error: "this server can't send e-mail: --smtp-url is not set",
      final: true,
    });
  });

  test("behavior 5.18: finally after a permanent refusal, and temporarily after a temporary one", async () => {
    await using server = await MailServer.start();
    server.refusals = ["550 5.1.1 no such user ops@example.com", "451 4.7.1 greylisted"];
    expect(await deliverEmail(to, notified(down), server.settings())).toEqual({
      outcome: "failed",
      error: "the mail server answered 550",
      final: true,
      answer: "550 5.1.1",
    });
    expect(await deliverEmail(to, notified(down), server.settings())).toEqual({
      outcome: "failed",
      error: "the mail server answered 451",
      final: false,
      answer: "451 4.7.1",
    });
  });

  test("with a wrong password, which is in no outcome", async () => {
    await using server = await MailServer.start();
    const attempt = await deliverEmail(to, notified(down), server.settings({ password: "wr0ng" }));
    expect(attempt).toMatchObject({ error: "the mail server answered 535", final: true });
    expect(JSON.stringify(attempt)).not.toMatch(/wr0ng|stillup/);
  });

  test("if the certificate is for another host or of an unknown authority", async () => {
    await using server = await MailServer.start();
    await using other = await MailServer.start();
    const { ca = "" } = other.settings();
    for (const settings of [server.settings({ host: "other.test" }), server.settings({ ca })]) {
      expect(await deliverEmail(to, notified(down), settings)).toMatchObject({
        outcome: "failed",
        final: false,
      });
    }
    expect(server.received).toEqual([]);
  });

  test("instead of sending a password without TLS", async () => {
    await using server = await MailServer.start({ startTls: false });
    const attempt = await deliverEmail(to, notified(down), server.settings());
    expect(attempt).toMatchObject({ outcome: "failed" });
    expect(server.received).toEqual([]);
    // A connection to this machine needs no TLS.
    const local = server.settings({ host: "127.0.0.1" });
    expect(await deliverEmail(to, notified(down), local)).toMatchObject({ outcome: "delivered" });
  });

  test("temporarily if the mail server is not reachable", async () => {
    const settings = {
      ...reachWith(),
      baseUrl: () => "",
      smtp: { url: new URL(`smtp://u:${encodeURIComponent(PASSWORD)}@127.0.0.1:1`), from: "a@example.com" },
    };
    expect(await deliverEmail(to, notified(down), settings)).toEqual({
      outcome: "failed",
      error: "the mail server could not be reached: the connection was refused",
      final: false,
    });
  });

  test("without the name of the mail server in its error", async () => {
    const smtp = { url: new URL("smtp://no-such-mail.invalid"), from: "a@example.com" };
    const settings = { ...reachWith(), baseUrl: () => "", smtp };
    expect(await deliverEmail(to, notified(down), settings)).toEqual({
      outcome: "failed",
      error: "the mail server has no address in the DNS",
      final: false,
    });
  });
});
