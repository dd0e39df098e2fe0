import { expect, test } from "bun:test";
import { testChannel } from "../../../src/runner/deliveries/channel-test.ts";
import { reachWith } from "../../support/alerts/reach.ts";
import { createTestClock } from "../../support/clock.ts";
import { Receiver } from "../../support/servers/receiver.ts";

const settings = { ...reachWith(), baseUrl: () => "" };
const clock = createTestClock();
const organization = { id: "o1", name: "Default" };

test("a test sends one sample of a recovery to the channel", async () => {
  await using receiver = new Receiver();
  const channel = { id: "c1", type: "WEBHOOK", config: { url: receiver.url }, language: "en" } as const;
  expect(await testChannel(channel, { organization, settings, clock })).toEqual({
    ...{ channelId: "c1", type: "WEBHOOK", status: "delivered", attempts: 1, error: null },
    deliveredAt: expect.any(Number),
  });
  expect(receiver.only().payload).toMatchObject({ type: "monitor.status_changed", data: { organization } });
  expect(receiver.statuses()).toEqual(["up"]);
});

test("a test that fails returns the reason, and is not retried", async () => {
  const channel = { id: "c1", type: "EMAIL", config: { to: "ops@example.com" }, language: "en" } as const;
  expect(await testChannel(channel, { organization, settings, clock })).toEqual({
    ...{ channelId: "c1", type: "EMAIL", status: "failed", attempts: 1, deliveredAt: null },
    error: "this server can't send e-mail: --smtp-url is not set",
  });
});
