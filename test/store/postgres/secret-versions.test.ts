import { expect, test } from "bun:test";
import { type ChannelConfig, maskChannelSecrets } from "../../../src/domain/alerts/channel.ts";
import { declarationOf, WEBHOOK_FORMATS, webhookConfigs } from "../../../src/domain/alerts/webhook-format.ts";
import { type MonitorConfig, maskSecrets, monitorConfigs } from "../../../src/domain/monitors/monitor.ts";
import { MASK } from "../../../src/domain/schemas/mask.ts";
import { INITIAL, migrations, schemaVersion } from "../../../src/store/postgres/migrate.ts";

/*
 * A program of an earlier version that works on the same database must mask every secret, and know every format. If this list
 * lacks a secret: add a migration (without SQL if nothing else changes) whose `compatibleWith` is its own number, and the number
 * here. The declaration of a format has the number.
 */

/** The version of the database since which there are these secrets and formats. */
const SINCE: Record<string, number> = {
  "HTTP headers": 4,
  "HTTP basicAuth": 4,
  "HTTP clientCertificate": 40,
  "HTTP digestAuth": 40,
  "HTTP oauth2": 40,
  "HTTP proxy": 40,
  "HTTP steps": 40,
  "SCHEDULED pushToken": 6,
  "WEBHOOK headers": 6,
};

/** The versions of the formats, with their secrets, are in their declarations. */
const SINCE_FORMATS = WEBHOOK_FORMATS.map((format) => declarationOf[format].since);

/** Names the fields of a config whose value a response does not show. */
function maskedFields<Config extends object>(
  names: readonly string[],
  mask: (config: Config) => object,
  others: object,
): string[] {
  return names.filter((name) => {
    const secret = { password: "x", key: "x", clientSecret: "x", other: "y" };
    return [secret, [{ headers: secret }]].some((value) => {
      const config: object = { ...others, [name]: value };
      return JSON.stringify(mask(config as Config)).includes(MASK);
    });
  });
}

function listSecrets(): string[] {
  const ofMonitors = Object.entries(monitorConfigs).flatMap(([type, { properties }]) => {
    const others = "url" in properties ? { url: "http://a/" } : {};
    const fields = maskedFields<MonitorConfig>(Object.keys(properties), maskSecrets, others);
    return fields.map((field) => `${type} ${field}`);
  });
  const properties = Object.values(webhookConfigs).flatMap((config) => Object.keys(config.properties));
  const ofChannels = maskedFields<ChannelConfig>(
    [...new Set(properties)].filter((name) => name !== "options"),
    maskChannelSecrets,
    { url: "http://a/" },
  ).map((field) => `WEBHOOK ${field}`);
  return [...ofMonitors, ...ofChannels];
}

test("behavior 12.75: a version that does not mask a secret, or does not know a format, is refused", () => {
  expect(listSecrets().toSorted()).toEqual(Object.keys(SINCE).toSorted());
  expect(schemaVersion()).toBeGreaterThanOrEqual(Math.max(...SINCE_FORMATS));
  const needed = Math.max(...Object.values(SINCE), ...SINCE_FORMATS);
  for (const { compatibleWith } of migrations.slice(Math.max(0, needed - INITIAL)))
    expect(compatibleWith).toBeGreaterThanOrEqual(needed);
});

test("behavior 12.75: a later version is not compatible with more versions than an earlier one", () => {
  const oldest = migrations.map(({ compatibleWith }) => compatibleWith);
  expect(oldest).toEqual(oldest.toSorted((a, b) => a - b));
});
