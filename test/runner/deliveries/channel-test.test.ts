import { expect, test } from "bun:test";
import { testChannel } from "../../../src/runner/deliveries/channel-test.ts";
import { reachWith } from "../../support/reach.ts";
import { Receiver } from "../../support/receiver.ts";

const settings = { ...reachWith(), baseUrl: () => "" };
const organization = { id: "o1", name: "Default" };

test("a channel that is tried gets one sample of a recovery", async () => {
  await using receiver = new Receiver();
  const channel = { id: "c1", type: "WEBHOOK", config: { url: receiver.url } } as const;
  expect(await testChannel(channel, organization, settings)).toEqual({
    ...{ channelId: "c1", type: "WEBHOOK", status: "delivered", attempts: 1, error: null },
    deliveredAt: expect.any(Number),
  });
  expect(receiver.only().payload).toMatchObject({ type: "monitor.status_changed", data: { organization } });
  expect(receiver.statuses()).toEqual(["up"]);
});

test("a trial that fails tells why, and is not tried again", async () => {
  const channel = { id: "c1", type: "EMAIL", config: { to: "ops@example.com" } } as const;
  expect(await testChannel(channel, organization, settings)).toEqual({
    ...{ channelId: "c1", type: "EMAIL", status: "failed", attempts: 1, deliveredAt: null },
    error: "this server can't send e-mail: --smtp-url is not set",
  });
});
