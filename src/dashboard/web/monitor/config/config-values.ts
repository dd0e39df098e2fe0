import type { MonitorType } from "../../../../domain/monitors/monitor.ts";
import type { Config } from "../../data/api.ts";
import { numberOf, rawTextOf, textOf, withoutEmpty } from "../../form/form-values.ts";
import { oneLine, unescaped, unlessEdited } from "../../form/shown-text.ts";
import { readHttp } from "./http-values.ts";

/**
 * The config in a form, as the API accepts it, without empty fields.
 *
 * @param stored the config that the form showed; what was not edited stays as it is
 */
export function configOf(type: MonitorType, data: FormData, stored: Config = {}): Config {
  return withoutEmpty(readers[type](data, stored));
}

const readers: Record<MonitorType, (data: FormData, stored: Config) => Config> = {
  HTTP: readHttp,
  TCP: (data, stored) => ({
    ...readHostAndPort(data),
    send: readSent(data),
    contains: unlessEdited(
      data.get("config.contains"),
      stored.contains,
      showText,
      (text) => text || undefined,
    ),
    timeout: numberOf(data, "config.timeout"),
  }),
  TLS: (data) => ({
    ...readHostAndPort(data),
    warnDays: numberOf(data, "config.warnDays"),
    servername: textOf(data, "config.servername"),
  }),
  DNS: (data) => ({
    hostname: textOf(data, "config.hostname"),
    recordType: textOf(data, "config.recordType"),
    expected: linesOf(data, "config.expected"),
    servers: textOf(data, "config.servers")
      ?.split(/[\s,]+/)
      .filter(Boolean),
    interval: numberOf(data, "config.interval"),
  }),
  SCHEDULED: (data, stored) => ({
    // If the field of the chosen schedule is empty, it stays an empty text, which the API refuses. Without it, the API
    // would accept the config as one with another schedule.
    cron: data.has("config.cron") ? (textOf(data, "config.cron") ?? "") : undefined,
    timezone: textOf(data, "config.timezone"),
    period: data.has("config.period") ? (numberOf(data, "config.period") ?? "") : undefined,
    grace: numberOf(data, "config.grace"),
    // It has no field, and is shown as `•••`, which keeps it.
    pushToken: stored.pushToken,
  }),
};

function readHostAndPort(data: FormData): Config {
  return {
    host: textOf(data, "config.host"),
    port: numberOf(data, "config.port"),
    interval: numberOf(data, "config.interval"),
  };
}

function linesOf(data: FormData, name: string): string[] | undefined {
  return textOf(data, name)
    ?.split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

function readSent(data: FormData): string | undefined {
  const text = rawTextOf(data, "config.send");
  return text === undefined ? undefined : unescaped(text);
}

function showText(stored: unknown): string {
  return typeof stored === "string" ? oneLine(stored) : "";
}
