import { describe, expect, test } from "bun:test";
import { deliver } from "../../../src/alerts/deliver.ts";
import type { DeliverySettings } from "../../../src/alerts/post.ts";
import type { AlertEvent } from "../../../src/domain/alerts/alert-event.ts";
import type { Transition } from "../../../src/domain/alerts/delivery.ts";
import { testChannel } from "../../../src/runner/deliveries/channel-test.ts";
import { blind, connected, ended, resumed, silent, started } from "../../support/alerts/notices.ts";
import { reachWith } from "../../support/alerts/reach.ts";
import { AT, degraded, down, recovery, reminder } from "../../support/alerts/transitions.ts";
import { createTestClock } from "../../support/clock.ts";
import { activeAlerts, openIncidents } from "../../support/servers/services/incident-services.ts";
import { goodConfigs, ServiceServer, services } from "../../support/servers/services/service-server.ts";

const settings: DeliverySettings = { ...reachWith(), baseUrl: () => "https://up.example.com" };

async function sendAll(server: ServiceServer, name: "pagerduty" | "alertmanager", events: AlertEvent[]) {
  for (const [at, event] of events.entries()) {
    const channel = { type: "WEBHOOK", config: goodConfigs[name](server.url) } as const;
    const attempt = await deliver(channel, { id: `d${at}`, event, now: AT }, settings);
    expect(attempt).toMatchObject({ outcome: "delivered" });
  }
  return server.accepted.map(({ body }) => body);
}

const DAY = 24 * 60 * 60 * 1000;

/** The end of the outage of `down`, after the monitor got another name. */
const renamed: Transition = {
  ...recovery,
  monitor: { ...recovery.monitor, name: "Shop" },
  outage: { id: "a1", startedAt: AT },
};
const worse: Transition = { ...down, previousStatus: "degraded" };

describe("PagerDuty", () => {
  test("behavior 16.150: an outage is one incident from its start to its end", async () => {
    await using server = new ServiceServer(services.pagerduty);
    const bodies = await sendAll(server, "pagerduty", [degraded, worse, reminder]);
    expect(openIncidents(server.accepted)).toEqual(["a1"]);
    expect(bodies.map(({ event_action, payload }) => [event_action, payload.severity])).toEqual([
      ["trigger", "warning"],
      ["trigger", "critical"],
      ["trigger", "critical"],
    ]);
    await sendAll(server, "pagerduty", [renamed]);
    expect(server.accepted.at(-1)?.body).toMatchObject({ event_action: "resolve", dedup_key: "a1" });
    expect(openIncidents(server.accepted)).toEqual([]);
  });

  test("behavior 16.151: notices are incidents of their own, which their counterparts resolve", async () => {
    await using server = new ServiceServer(services.pagerduty);
    const bodies = await sendAll(server, "pagerduty", [down, silent, started, blind]);
    const notices = ["location-l1", "maintenance-w1", "checks-o1"];
    expect(openIncidents(server.accepted)).toEqual(["a1", ...notices]);
    expect(bodies.map(({ payload }) => payload.severity)).toEqual(["critical", "warning", "info", "warning"]);
    await sendAll(server, "pagerduty", [connected, ended, resumed]);
    expect(openIncidents(server.accepted)).toEqual(["a1"]);
  });

  test("behavior 16.150: the key of an open incident replaces that of the outage", async () => {
    await using server = new ServiceServer(services.pagerduty);
    const channel = { type: "WEBHOOK", config: goodConfigs.pagerduty(server.url) } as const;
    await deliver(channel, { id: "d1", event: recovery, incident: "a0", now: AT }, settings);
    expect(server.accepted[0]?.body).toMatchObject({ event_action: "resolve", dedup_key: "a0" });
  });

  test("behavior 16.150: the end of an incident whose monitor was deleted is a resolve", async () => {
    await using server = new ServiceServer(services.pagerduty);
    await sendAll(server, "pagerduty", [down, { ...down, closed: { why: "deleted", at: AT } }]);
    expect(server.accepted.at(-1)?.body).toMatchObject({ event_action: "resolve", dedup_key: "a1" });
  });

  test("a transition without an outage has the key of its monitor", async () => {
    await using server = new ServiceServer(services.pagerduty);
    const { outage: _, ...old } = down;
    expect(await sendAll(server, "pagerduty", [old])).toMatchObject([{ dedup_key: "monitor-m1" }]);
  });
});

describe("behavior 16.151: the test of a PagerDuty channel", () => {
  const clock = createTestClock();
  const organization = { id: "o1", name: "Default" };
  const testOf = (server: ServiceServer) =>
    testChannel(
      { id: "c1", type: "WEBHOOK", config: goodConfigs.pagerduty(server.url), language: "en" },
      { organization, settings, clock },
    );

  test("triggers and resolves an incident with a key of its own", async () => {
    await using server = new ServiceServer(services.pagerduty);
    expect(await testOf(server)).toMatchObject({ status: "delivered", attempts: 1, error: null });
    expect(await testOf(server)).toMatchObject({ status: "delivered" });
    const bodies = server.accepted.map(({ body }) => body);
    expect(bodies.map(({ event_action }) => event_action)).toEqual([
      "trigger",
      "resolve",
      "trigger",
      "resolve",
    ]);
    expect(new Set(bodies.map(({ dedup_key }) => dedup_key)).size).toBe(2);
    expect(openIncidents(server.accepted)).toEqual([]);
  });

  test("ends at the first failure", async () => {
    await using server = new ServiceServer(services.pagerduty);
    server.answers = [services.pagerduty.failures.invalid?.() ?? new Response()];
    const error = "the receiver answered 400 invalid_event";
    expect(await testOf(server)).toMatchObject({ status: "failed", attempts: 1, error });
    expect(server.calls).toHaveLength(1);
  });
});

describe("behavior 16.153: Alertmanager", () => {
  test("gets the same labels from the start of an outage to its end", async () => {
    await using server = new ServiceServer(services.alertmanager);
    const bodies = await sendAll(server, "alertmanager", [degraded, worse, reminder]);
    expect(activeAlerts(server.accepted, { arrived: AT, at: AT + DAY })).toHaveLength(1);
    const labels = { alertname: "StillupOutage", organization: "o1", monitor: "m1", type: "HTTP" };
    const startsAt = new Date(AT).toISOString();
    for (const [alert, ...more] of bodies) {
      expect(alert).toMatchObject({ labels, startsAt });
      expect(more).toEqual([]);
    }
    const confirmed = {
      ...renamed,
      changedAt: AT + 60_000,
      result: { ...renamed.result, createdAt: AT + 80_000 },
    };
    const [end] = (await sendAll(server, "alertmanager", [confirmed])).at(-1);
    expect(end).toMatchObject({ labels, startsAt, endsAt: new Date(AT + 60_000).toISOString() });
    expect(end.annotations).toMatchObject({ name: "Shop", status: "up", summary: "Shop is up again" });
    expect(activeAlerts(server.accepted, { arrived: AT, at: AT + DAY })).toEqual([]);
  });

  test("knows that an outage lasts until the longest delay between two reminders has passed", async () => {
    await using server = new ServiceServer(services.alertmanager);
    await sendAll(server, "alertmanager", [down]);
    expect(activeAlerts(server.accepted, { arrived: AT, at: AT + 7 * DAY })).toHaveLength(1);
  });

  test("behavior 16.150: gets the end of an alert whose monitor was deleted", async () => {
    await using server = new ServiceServer(services.alertmanager);
    await sendAll(server, "alertmanager", [down, { ...down, closed: { why: "deleted", at: AT + 1 } }]);
    expect(activeAlerts(server.accepted, { arrived: AT, at: AT + DAY })).toEqual([]);
  });

  test("gets notices as alerts that end with their counterparts", async () => {
    await using server = new ServiceServer(services.alertmanager);
    await sendAll(server, "alertmanager", [silent, started, blind]);
    expect(activeAlerts(server.accepted, { arrived: AT, at: AT + DAY })).toHaveLength(3);
    await sendAll(server, "alertmanager", [connected, ended, resumed]);
    expect(activeAlerts(server.accepted, { arrived: AT, at: AT + DAY })).toEqual([]);
  });
});

describe("behavior 16.152: a repetition", () => {
  test("has the same transaction for Matrix, so that it is no second message", async () => {
    await using server = new ServiceServer(services.matrix);
    const channel = { type: "WEBHOOK", config: goodConfigs.matrix(server.url) } as const;
    for (const id of ["d1", "d1", "d2"]) await deliver(channel, { id, event: down, now: AT }, settings);
    const transactions = server.accepted.map(({ path }) => path.split("/").at(-1));
    expect(transactions).toEqual(["d1", "d1", "d2"]);
  });

  test("has the same request ID for Google Chat, beside the parameters of the webhook", async () => {
    await using server = new ServiceServer(services.googlechat);
    const channel = { type: "WEBHOOK", config: goodConfigs.googlechat(server.url) } as const;
    await deliver(channel, { id: "d1", event: down, now: AT }, settings);
    expect(server.accepted.map(({ query }) => [...query])).toEqual([
      [
        ["key", "k"],
        ["token", "good="],
        ["requestId", "d1"],
      ],
    ]);
  });
});
