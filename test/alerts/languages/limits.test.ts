import { describe, expect, test } from "bun:test";
import { requestOf } from "../../../src/alerts/deliver.ts";
import { discordMessage } from "../../../src/alerts/discord.ts";
import { deliverEmail, mailOf } from "../../../src/alerts/mail.ts";
import { describeNotification } from "../../../src/alerts/message.ts";
import { slackMessage } from "../../../src/alerts/slack.ts";
import { teamsMessage } from "../../../src/alerts/teams.ts";
import { MAX_PLAINTEXT } from "../../../src/alerts/webpush/encryption.ts";
import { pushPayload } from "../../../src/alerts/webpush/push-message.ts";
import type { Notification } from "../../../src/domain/alerts/alert-event.ts";
import { notices, started } from "../../support/alerts/notices.ts";
import { inLongLetters, inOtherLetters, pseudoLanguage } from "../../support/alerts/pseudo-language.ts";
import { AT, acknowledged, down, examples, notified } from "../../support/alerts/transitions.ts";
import { MailServer } from "../../support/servers/mail-server.ts";
import {
  goodConfigs,
  SERVICES,
  ServiceServer,
  services,
} from "../../support/servers/services/service-server.ts";

const BASE = "https://up.example.com";

/** Languages with texts of twice the length, in letters of three bytes, and of two UTF-16 units. */
const languages = {
  "three bytes": pseudoLanguage((text) => inLongLetters(text + text), "hi"),
  "two units": pseudoLanguage((text) => inOtherLetters(text + text)),
};

const long = { ...down.monitor, name: "नमस्ते 🔥 ".repeat(400) };
const rich = {
  ...{ ...acknowledged, monitor: long, mutes: 5 },
  acknowledged: { at: AT, by: "नाम".repeat(60), note: "टिप्पणी".repeat(300) },
  why: { layer: "network", summary: "क".repeat(200) },
  locations: { seeing: Array.from({ length: 20 }, (_, at) => `स्थान ${at}`), of: 20 },
} as const;

const failed = { ...down, ...rich, status: "down", previousStatus: "up" } as const;
const acknowledgeUrl = `${BASE}/a/${"x".repeat(60)}`;

const notifications: Notification[] = [
  ...[...Object.values(examples), ...Object.values(notices), rich, failed].map((event) => ({
    ...{ id: "d1", event, now: AT, acknowledgeUrl },
  })),
  {
    ...{ id: "d1", event: rich, now: AT },
    others: [
      started,
      ...Array.from({ length: 40 }, (_, at) => ({ ...failed, monitor: { ...long, id: `m${at}` } })),
    ],
  },
];

/** Neither half of a character. */
function expectWhole(text: string): void {
  expect(text.isWellFormed()).toBe(true);
}

describe.each(Object.entries(languages))("behavior 27.46: in letters of %s", (_, local) => {
  const messages = notifications.map((notification) => describeNotification(notification, BASE, local));

  test("a message stays within the limits of Slack", () => {
    for (const message of messages) {
      const { text, attachments } = slackMessage(message);
      expect(text.length).toBeLessThanOrEqual(1000);
      const blocks = attachments[0]?.blocks ?? [];
      for (const { type, text: shown, fields = [], elements = [] } of blocks) {
        expect(shown?.text.length ?? 0).toBeLessThanOrEqual(type === "header" ? 150 : 3000);
        expect(fields.length).toBeLessThanOrEqual(10);
        for (const field of [...fields, ...elements]) expect(field.text.length).toBeLessThanOrEqual(2000);
      }
      expectWhole(JSON.stringify(blocks.map(({ text }) => text?.text)));
    }
  });

  test("a message stays within the limits of Discord", () => {
    for (const message of messages) {
      const [embed] = discordMessage(message).embeds;
      const { title = "", description = "", fields = [] } = embed ?? {};
      expect(title.length).toBeLessThanOrEqual(256);
      expect(description.length).toBeLessThanOrEqual(4096);
      expect(fields.length).toBeLessThanOrEqual(25);
      for (const { name, value } of fields) {
        expect(name.length).toBeLessThanOrEqual(256);
        expect(value.length).toBeLessThanOrEqual(1024);
      }
      const texts = [title, description, ...fields.flatMap(({ name, value }) => [name, value])];
      expect(texts.join("").length).toBeLessThanOrEqual(6000);
      for (const text of texts) expectWhole(text);
    }
  });

  test("a message stays within the 28 kB of Teams", () => {
    for (const message of messages)
      expect(Buffer.byteLength(JSON.stringify(teamsMessage(message)))).toBeLessThan(28_000);
  });

  test("a message fits into one record for a device, with its buttons", () => {
    for (const message of messages) {
      const trouble = { outageId: "XnYP7JpvfJMbVqBboY6mQG", monitorId: "LqDYoyJ5EpcwS51Ph3pvHa" };
      const payload = pushPayload(message, { tag: "a1", trouble });
      expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(MAX_PLAINTEXT);
      expect(JSON.parse(payload)).toMatchObject({ link: expect.any(String), buttons: local.texts.button });
      expect(JSON.parse(payload).body).not.toBe("");
    }
  });

  test.each(SERVICES)("%s accepts every message", async (name) => {
    await using server = new ServiceServer(services[name]);
    for (const notification of notifications) {
      const { url, ...request } = requestOf(goodConfigs[name](server.url), notification, BASE, local);
      const answer = await fetch(url, request as RequestInit);
      expect(answer.ok).toBe(true);
    }
    expect(server.accepted).toHaveLength(notifications.length);
  });

  test("a subject has at most 250 characters, and is encoded", async () => {
    for (const message of messages) {
      const { subject } = mailOf(message);
      expect(subject.length).toBeLessThanOrEqual(250);
      expectWhole(subject);
    }
  });
});

test("behavior 27.46: a subject in other letters arrives", async () => {
  await using server = await MailServer.start();
  const named = { ...down, monitor: { ...down.monitor, name: "दुकान 🔥" } };
  await deliverEmail({ to: "ops@example.com" }, notified(named), server.settings());
  const [headers = ""] = server.received[0]?.source.split("\r\n\r\n") ?? [];
  expect(headers).toMatch(/^[\x20-\x7e\r\n\t]*$/);
  const words = [...headers.matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi)].map(([, kind, text = ""]) =>
    kind?.toUpperCase() === "B"
      ? Buffer.from(text, "base64")
      : Buffer.from(
          text
            .replaceAll("_", " ")
            .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
          "latin1",
        ),
  );
  expect(Buffer.concat(words).toString()).toContain("दुकान 🔥 is down");
});
