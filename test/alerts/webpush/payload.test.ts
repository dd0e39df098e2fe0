import { describe, expect, test } from "bun:test";
import { MAX_PLAINTEXT } from "../../../src/alerts/webpush/encryption.ts";
import { pushPayload } from "../../../src/alerts/webpush/push-message.ts";
import type { AlertMessage } from "../../../src/domain/alerts/alert-event.ts";
import { words } from "../../support/alerts/words.ts";

const message: AlertMessage = {
  title: "Shop front is down",
  reason: "The connection was refused.",
  facts: [{ label: "Status", value: "Up → Down" }],
  link: "https://up.example.com/monitors/m1",
  outageLink: "https://up.example.com/outages/a1",
  group: "down",
  at: 1_763_735_405_000,
  words,
};

test("behavior 21.54: a message has the title, the text, the link to the outage and a tag", () => {
  expect(JSON.parse(pushPayload(message, { tag: "a1" }))).toEqual({
    title: "🔴 Shop front is down",
    body: "The connection was refused.\nStatus: Up → Down",
    link: "https://up.example.com/outages/a1",
    tag: "a1",
    at: 1_763_735_405_000,
  });
});

describe("behavior 21.54: a message fits into one record, and its link is whole", () => {
  const list = (name: string) => Array.from({ length: 21 }, () => `Down: ${name}`);
  test.each([
    ["x".repeat(9000)],
    ['"\\'.repeat(3000)],
    ["👩‍👩‍👧‍👦".repeat(900)],
    ["\u0001\u2028".repeat(3000)],
    ["\ud800".repeat(4000)],
    ["語".repeat(5000)],
  ])("%#", (name) => {
    const long = { ...message, title: name, reason: name, list: list(name) };
    const text = pushPayload(long, { tag: "a1" });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_PLAINTEXT);
    const { title, body, link } = JSON.parse(text);
    expect(link).toBe("https://up.example.com/outages/a1");
    expect(title).toEndWith("…");
    expect(body).toEndWith("…");
  });
});
