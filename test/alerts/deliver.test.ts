import { expect, test } from "bun:test";
import type { DeliverySettings } from "../../src/alerts/delivery-settings.ts";
import { deliver } from "../../src/alerts/registry.ts";
import { CHANNEL_TYPES } from "../../src/domain/alerts/channel.ts";
import { systemClock } from "../support/clock.ts";
import { down, notified } from "../support/transitions.ts";

test.each(CHANNEL_TYPES)("an attempt by %s ends even if its connection never settles", async (type) => {
  const never = () => new Promise<never>(() => {});
  const settings: DeliverySettings = {
    clock: systemClock(),
    baseUrl: () => "https://up.example.com",
    smtp: { url: new URL("smtp://mail.test"), from: "stillup@example.com" },
    resolve: never,
    timeout: 50,
  };
  const config = { to: "ops@example.com", url: "https://a.test/", webhookUrl: "https://a.test/" };
  expect(await deliver({ type, config }, notified(down), settings)).toEqual({
    outcome: "failed",
    error: "no answer within 0.05 s",
    final: false,
  });
});
