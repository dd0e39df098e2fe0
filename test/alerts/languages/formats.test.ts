import { describe, expect, test } from "bun:test";
import { requestOf } from "../../../src/alerts/deliver.ts";
import { discordMessage } from "../../../src/alerts/discord.ts";
import { localizationOf } from "../../../src/alerts/languages/localization.ts";
import { mailOf } from "../../../src/alerts/mail.ts";
import { describeNotification } from "../../../src/alerts/message.ts";
import { slackMessage } from "../../../src/alerts/slack.ts";
import { teamsMessage } from "../../../src/alerts/teams.ts";
import { pushPayload } from "../../../src/alerts/webpush/push-message.ts";
import type { AlertMessage, Notification } from "../../../src/domain/alerts/alert-event.ts";
import type { Transition } from "../../../src/domain/alerts/delivery.ts";
import type { WebhookConfig } from "../../../src/domain/alerts/webhook-format.ts";
import { LAYERS } from "../../../src/domain/evidence/evidence.ts";
import { MONITOR_TYPES } from "../../../src/domain/monitors/kinds/kinds.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import { statusesOf } from "../../../src/domain/monitors/status.ts";
import { blind, connected, ended, notices, silent } from "../../support/alerts/notices.ts";
import { inOtherLetters, pseudoLanguage } from "../../support/alerts/pseudo-language.ts";
import {
  AT,
  acknowledged,
  down,
  examples,
  heartbeat,
  reminder,
  router,
} from "../../support/alerts/transitions.ts";
import { goodConfigs, SERVICES } from "../../support/servers/services/service-server.ts";

const BASE = "https://up.example.com";

const pseudo = pseudoLanguage(inOtherLetters);

/** A transition to each status of each type, from each other one, with all that a message can say about it. */
const transitions: Transition[] = MONITOR_TYPES.flatMap((type) =>
  statusesOf[type].flatMap((status) =>
    [...statusesOf[type], "unknown" as const].map((previousStatus) =>
      transitionTo(type, status, previousStatus),
    ),
  ),
);

function transitionTo(
  type: Transition["monitor"]["type"],
  status: Status,
  previousStatus: Status,
): Transition {
  return {
    ...down,
    ...{ status, previousStatus, mutes: 3 },
    monitor: { ...down.monitor, type } as Transition["monitor"],
    troubleSince: AT - 60_000,
    result: { ...down.result, latencyMs: 1234, detail: { validTo: "2027-01-01T00:00:00Z", added: ["Q1"] } },
    locations: { seeing: ["Q2"], of: 3 },
    acknowledged: { at: AT, by: "Q3", note: "Q4" },
    why: { layer: "network", summary: "Q5" },
  };
}

/** More reasons. */
const details: Transition[] = [
  ...["unexpected", "timeout", "tls_invalid", "private_target", "unknown_reason"].map((reason) => ({
    reason,
    statusCode: 503,
    message: "Q6",
  })),
  { reason: "refused" },
  { message: "Q7" },
].map((detail) => ({ ...down, result: { ...down.result, detail } }));

const ofJobs: Transition[] = [
  { exitCode: 3, run: { durationMs: 5000 } },
  { reason: "overrun" },
  { message: "Q8" },
].map((detail) => ({ ...heartbeat, status: "failed", result: { ...heartbeat.result, detail } }));

const whys: Transition[] = LAYERS.map((layer) => ({ ...down, why: { layer, summary: "Q9" } }));

const single: Notification[] = [
  ...Object.values(examples),
  ...Object.values(notices),
  ...transitions,
  ...details,
  ...ofJobs,
  ...whys,
  { ...down, testOf: "c1" },
].map((event) => ({ id: "d1", event, now: AT + 60_000, acknowledgeUrl: `${BASE}/a/1` }));

const words = { kind: "host", value: "q", count: 3, endsAfter: "192.0.2.9", isOnlyLocation: false } as const;
const cause = { id: "q", kind: "host", value: "q", title: "3 monitors at q", words } as const;
const digests: Notification[] = [
  { id: "d1", event: down, others: [{ ...down }, router, reminder, acknowledged, silent, ended], now: AT },
  { id: "d1", event: silent, others: [connected, blind], now: AT },
  { id: "d1", event: { ...down, cause }, others: [{ ...router, cause }], now: AT },
  {
    ...{ id: "d1", event: { ...down, cause }, now: AT },
    others: Array.from({ length: 30 }, (_, at) => ({ ...down, monitor: { ...down.monitor, id: `m${at}` } })),
  },
];

const notifications = [...single, ...digests];

/** The formats of messages by their name, without the markup. */
const forms: Record<string, (message: AlertMessage) => unknown> = {
  SLACK: slackMessage,
  DISCORD: discordMessage,
  TEAMS: teamsMessage,
  EMAIL: (message) => {
    const { html, ...mail } = mailOf(message);
    return { ...mail, html: html.replaceAll(/<[^>]*>/g, " ") };
  },
  webpush: (message) =>
    JSON.parse(pushPayload(message, { tag: "q", trouble: { outageId: "q1", monitorId: "q2" } })),
};

/** Words of the services, and of the data of the examples. */
const KNOWN = new Set(
  `section header context plain_text mrkdwn message AdaptiveCard Container RichTextBlock TextRun FactSet Action OpenUrl
  attention warning good Large Bolder Full application vnd microsoft card adaptive http adaptivecards io schemas json
  alerts red_circle white_check_mark view POST true app user org matrix custom html text room example stream stillup ops
  Shop front Nightly backup Router Ana phone The provider works on it fra New disks of both database servers are replaced
  UTC ms normal plain br strong href true parse HTML chat`.split(/\s+/),
);

function unknownWords(value: unknown): string[] {
  if (typeof value === "string")
    return (value.replaceAll(/https?:\S+/g, "").match(/[A-Za-z_]{2,}/g) ?? []).filter(
      (word) => !KNOWN.has(word),
    );
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(unknownWords) : [];
}

describe("behavior 27.41: nothing of a message is English", () => {
  test.each(Object.entries(forms))("in the form of %s", (_, form) => {
    for (const notification of notifications) {
      const sent = form(describeNotification(notification, BASE, pseudo));
      expect([...new Set(unknownWords(sent))]).toEqual([]);
    }
  });

  const ofPeople = SERVICES.filter((name) => name !== "pagerduty" && name !== "alertmanager");
  test.each(ofPeople)("at %s", (name) => {
    for (const notification of notifications) {
      const { body = "" } = requestOf(goodConfigs[name]("https://q.example"), notification, BASE, pseudo);
      const sent = body.startsWith("{") ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
      expect([...new Set(unknownWords(withoutSettings(sent)))]).toEqual([]);
    }
  });

  test("and the check finds a text that is", () => {
    const message = describeNotification({ event: down, now: AT }, BASE, localizationOf("en"));
    expect(unknownWords(slackMessage(message))).toContain("Since");
  });
});

/** Without the settings of the channel, and with the text of markup only. */
function withoutSettings(sent: Record<string, unknown>): Record<string, unknown> {
  const { topic: _, number: __, recipients: ___, token: ____, user: _____, ...rest } = sent;
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [
      name,
      typeof value === "string" ? value.replaceAll(/<[^>|]*[>|]/g, " ").replaceAll(/&\S+?;/g, " ") : value,
    ]),
  );
}

describe("behavior 27.45: programs get English", () => {
  const [standard, custom]: WebhookConfig[] = [
    { url: "https://q.example/" },
    {
      url: "https://q.example/{{status}}",
      format: "custom",
      options: { body: '{"text":"{{text}}","why":"{{why}}","link":"{{link}}"}' },
    },
  ] as [WebhookConfig, WebhookConfig];

  test.each([
    ["standard", standard],
    ["custom", custom],
  ] as [string, WebhookConfig][])("in the format %s, whatever the language", (_, config) => {
    for (const notification of notifications)
      expect(requestOf(config, notification, BASE, pseudo)).toEqual(
        requestOf(config, notification, BASE, localizationOf("en")),
      );
  });

  test("and a Standard Webhook has of a cause what the API has", () => {
    const { body = "" } = requestOf(standard as WebhookConfig, digests[2] as Notification, BASE, pseudo);
    const { words: _, ...known } = cause;
    expect(JSON.parse(body).data.cause).toEqual(known);
  });

  test("at PagerDuty, except the summary and the titles of the links", () => {
    const config = goodConfigs.pagerduty("https://q.example");
    const bodyIn = (local = pseudo) => JSON.parse(requestOf(config, notified, BASE, local).body ?? "");
    const notified: Notification = { id: "d1", event: acknowledged, now: AT, incident: "a1" };
    const [own, english] = [bodyIn(), bodyIn(localizationOf("en"))];
    expect(own).toEqual({
      ...english,
      links: english.links.map(({ href, text }: { href: string; text: string }) => ({
        href,
        text: inOtherLetters(text),
      })),
      payload: { ...english.payload, summary: expect.not.stringMatching(/up again/) },
    });
    expect(own.payload.custom_details).toMatchObject({ Status: "Down → Up" });
    expect(own.payload.summary).toStartWith(`Shop front ${inOtherLetters("is up again")}`);
  });

  test("at Alertmanager, except the summary and the description", () => {
    const config = goodConfigs.alertmanager("https://q.example");
    const why = { layer: "port", summary: "203.0.113.7 refuses connections on port 443" } as const;
    const bodyIn = (local = pseudo) =>
      JSON.parse(requestOf(config, { id: "d1", event: { ...down, why }, now: AT }, BASE, local).body ?? "");
    const [[own], [english]] = [bodyIn(), bodyIn(localizationOf("en"))];
    expect(own).toEqual({
      ...english,
      annotations: {
        ...english.annotations,
        summary: `Shop front ${inOtherLetters("is down")}`,
        description: expect.stringContaining(inOtherLetters("refused")),
      },
    });
    expect(english.annotations.why).toBe(why.summary);
  });
});
