import { describe, expect, test } from "bun:test";
import { configOf, serviceFields, wordsOf } from "../../../src/dashboard/web/alerts/channel-fields.tsx";
import { SERVICES, type Service, serviceLabel, typeOf } from "../../../src/dashboard/web/alerts/service.ts";
import type { Config } from "../../../src/dashboard/web/data/api.ts";
import { choiceLabel } from "../../../src/dashboard/web/form/choices.tsx";
import { shownValue, storedValue } from "../../../src/dashboard/web/form/config-field.ts";
import { errorsByField } from "../../../src/dashboard/web/form/field-errors.ts";
import { channelFaults } from "../../../src/dashboard/web/form/validation.ts";
import { CHANNEL_TYPES } from "../../../src/domain/alerts/channel.ts";
import { optionsOf, secretOptions, WEBHOOK_FORMATS } from "../../../src/domain/alerts/webhook-format.ts";
import { MASK } from "../../../src/domain/schemas/mask.ts";
import { mapped } from "../../support/servers/services/service-server.ts";

const headers = { "X-Team": MASK };

/** A stored config of each service, as responses show it, with all its fields. */
const stored = {
  ...mapped((example): Config => example.stored),
  webpush: {
    url: "https://push.example.com/1",
    format: "webpush",
    options: {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "•••",
    },
  },
  SLACK: { webhookUrl: "https://hooks.slack.com/services/T/B/x" },
  DISCORD: { webhookUrl: "https://discord.com/api/webhooks/1/x" },
  TEAMS: { webhookUrl: "https://example.webhook.office.com/x" },
  EMAIL: { to: "ops@example.com" },
  standard: { url: "https://example.com/hook", format: "standard", secret: "a secret", headers },
  telegram: {
    url: "https://api.telegram.org",
    format: "telegram",
    options: { token: MASK, chatId: "-1001234567890", threadId: 7 },
    headers,
  },
  googlechat: { url: "https://chat.googleapis.com/v1/spaces/x/messages?key=k&token=t", format: "googlechat" },
  matrix: {
    url: "https://matrix.example.com",
    format: "matrix",
    options: { token: MASK, roomId: "!abc:example.com" },
  },
  signal: {
    url: "http://127.0.0.1:8080/",
    format: "signal",
    options: { number: "+4915112345678", recipients: ["+4915112345679", "somebody.01"] },
  },
  ntfy: { url: "https://ntfy.sh", format: "ntfy", options: { topic: "alerts", token: MASK, priority: 5 } },
  pushover: {
    url: "https://api.pushover.net",
    format: "pushover",
    options: { token: MASK, user: MASK, device: "phone,tablet", priority: -2 },
  },
  gotify: {
    url: "https://gotify.example.com/base/",
    format: "gotify",
    options: { token: MASK, priority: 0 },
  },
  pagerduty: { url: "https://events.pagerduty.com", format: "pagerduty", options: { routingKey: MASK } },
  alertmanager: { url: "http://127.0.0.1:9093", format: "alertmanager", options: {}, headers },
  custom: {
    url: "https://example.com/{{id}}",
    format: "custom",
    options: { method: "POST", contentType: "text/plain", body: " {{text}}\r\n" },
    headers,
  },
} as Record<string, Config> as Record<Service, Config>;

/** The values of a form: the config as its controls show it, then others. */
function formOf(service: Service, config: Config, values: Record<string, string> = {}): FormData {
  const data = new FormData();
  for (const field of serviceFields[service])
    data.set(`config.${field.name}`, shownValue(field, storedValue(field, config)));
  for (const row of Object.entries(config.headers ?? {}))
    for (const part of row) data.append("config.headers", part);
  for (const [name, value] of Object.entries(values)) data.set(`config.${name}`, value);
  return data;
}

/** The values of the form of a new channel. */
function newForm(service: Service, values: Record<string, string> = {}): FormData {
  const offered = serviceFields[service].map(({ name, initial = "" }) => [name, initial]);
  return formOf(service, {}, { ...Object.fromEntries(offered), ...values });
}

const faultsOf = (service: Service, config: Config, before?: Config) =>
  channelFaults(typeOf(service), { name: "ops", config, notifyOn: ["down"] }, before);

test("behavior 16.170: each type of channel and each format of WEBHOOK is offered once, under a name of its own", () => {
  const types = CHANNEL_TYPES.filter((type) => type !== "WEBHOOK");
  // The browser itself gives the keys of a push subscription.
  const offered = WEBHOOK_FORMATS.filter((format) => format !== "webpush");
  expect([...SERVICES].sort()).toEqual([...types, ...offered].sort());
  const labels = SERVICES.map((service) => serviceLabel({ type: typeOf(service), config: stored[service] }));
  expect(new Set(labels).size).toBe(SERVICES.length);
  expect(serviceLabel({ type: "WEBHOOK", config: { url: "https://example.com/" } })).toBe("Webhook");
});

test("behavior 27.3: each field of a service and each option of a choice has its words", () => {
  for (const service of [...SERVICES, "webpush"] as const)
    for (const field of serviceFields[service]) {
      const words = wordsOf(service, field);
      expect(words.label).not.toBe(field.name);
      for (const choice of field.choices ?? []) expect(choiceLabel(choice, words)).toMatch(/[A-Za-z]{2}/);
    }
});

test("the hint of the body of a request names the placeholders", () => {
  const body = serviceFields.custom.find(({ name }) => name === "options.body");
  expect(body && wordsOf("custom", body).hint).toContain("their place: {{");
});

const formats = WEBHOOK_FORMATS.filter((format) => format !== "standard" && format !== "webpush");

test.each(formats)(
  "behavior 16.170: the form of %s has a field for each option, and hides those that are secrets",
  (format) => {
    const fields = serviceFields[format].filter(({ name }) => name !== "url");
    const names = Object.keys(optionsOf(format).properties).map((name) => `options.${name}`);
    expect(fields.map(({ name }) => name).sort()).toEqual(names.sort());
    const hidden = fields.filter(({ kind }) => kind === "secret").map(({ name }) => name);
    expect(hidden.sort()).toEqual(
      secretOptions(format)
        .map((name) => `options.${name}`)
        .sort(),
    );
  },
);

describe("behavior 16.172: the form of a channel", () => {
  test.each([...SERVICES, "webpush"] as const)("of %s saves what was not edited as it was", (service) => {
    const config = configOf(service, formOf(service, stored[service]), stored[service]);
    expect(config).toEqual(stored[service]);
    expect(faultsOf(service, config, stored[service])).toEqual([]);
  });

  test.each(SERVICES)(
    "of %s is valid with its required fields alone, and shows an error beside each that is empty",
    (service) => {
      const empty = configOf(service, newForm(service));
      const names = serviceFields[service].map(({ name }) => `config.${name}`);
      const errors = Object.keys(errorsByField(faultsOf(service, empty), names));
      expect(errors.length).toBeGreaterThan(0);
      expect(errors).not.toContain("");
      const required = serviceFields[service].filter(({ name }) => errors.includes(`config.${name}`));
      const values = required.map((field) => {
        const shown = shownValue(field, storedValue(field, stored[service]));
        return [field.name, shown === MASK ? "a-token" : shown];
      });
      const config = configOf(service, newForm(service, Object.fromEntries(values)));
      expect(faultsOf(service, config)).toEqual([]);
    },
  );
});

test("a text that is no number stays a text, and the default of a choice is not sent", () => {
  const data = formOf("telegram", {}, { "options.threadId": "seven" });
  expect(configOf("telegram", data).options).toEqual({ threadId: "seven" });
  const before = { ...stored.ntfy, options: { topic: "alerts", priority: 1 } };
  const edited = formOf("ntfy", before, { "options.priority": "" });
  expect(configOf("ntfy", edited, before).options).toEqual({ topic: "alerts" });
});

test("a request with GET has no body, because its form has no field for it", () => {
  const data = formOf("custom", stored.custom, { "options.method": "GET" });
  data.delete("config.options.body");
  expect(configOf("custom", data, stored.custom).options).toEqual({
    method: "GET",
    contentType: "text/plain",
  });
});

test("a secret is not sent to another server: its field asks for the value", () => {
  const data = formOf("gotify", stored.gotify, { url: "https://other.example.com" });
  const faults = faultsOf("gotify", configOf("gotify", data, stored.gotify), stored.gotify);
  expect(faults.map(({ sentence }) => sentence)).toEqual([
    "config.options.token must be sent with its value: the origin of config.url changes",
  ]);
});
