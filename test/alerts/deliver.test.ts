import { expect, test } from "bun:test";
import { deliver } from "../../src/alerts/deliver.ts";
import type { DeliverySettings } from "../../src/alerts/post.ts";
import type { Clock } from "../../src/clock.ts";
import { CHANNEL_TYPES } from "../../src/domain/alerts/channel.ts";
import { down, notified } from "../support/alerts/transitions.ts";
import { createTestClock, systemClock } from "../support/clock.ts";

const config = { to: "ops@example.com", url: "https://a.test/", webhookUrl: "https://a.test/" };

/** Settings with which no connection settles. */
const settings = (clock: Clock): DeliverySettings => ({
  clock,
  baseUrl: () => "https://up.example.com",
  smtp: { url: new URL("smtp://mail.test"), from: "stillup@example.com" },
  resolve: () => new Promise<never>(() => {}),
});

test.each(CHANNEL_TYPES)("an attempt by %s ends even if its connection never settles", async (type) => {
  const attempt = deliver({ type, config }, notified(down), { ...settings(systemClock()), timeout: 50 });
  expect(await attempt).toEqual({ outcome: "failed", error: "no answer within 0.05 s", final: false });
});

test.each(CHANNEL_TYPES)("behavior 5.14: the timeout of an attempt by %s is 10 s", async (type) => {
  const clock = createTestClock();
  let hasEnded = false;
  const attempt = deliver({ type, config }, notified(down), settings(clock)).finally(() => {
    hasEnded = true;
  });
  // The connection of an attempt is closed at its timeout, and has one more second to end by itself.
  await clock.advance(10_999);
  expect(hasEnded).toBe(false);
  await clock.advance(1);
  expect(await attempt).toEqual({ outcome: "failed", error: "no answer within 10 s", final: false });
});
