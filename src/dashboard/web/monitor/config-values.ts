import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Config } from "../data/api.ts";
import { numberOf, textOf } from "../form/form-values.ts";

/** The config in a form, as the API accepts it, without empty fields. */
export function configOf(type: MonitorType, data: FormData): Config {
  return Object.fromEntries(Object.entries(readers[type](data)).filter(([, value]) => value !== undefined));
}

const readers: Record<MonitorType, (data: FormData) => Config> = {
  HTTP: (data) => ({ url: textOf(data, "config.url"), interval: numberOf(data, "config.interval") }),
  TCP: readHostAndPort,
  TLS: readHostAndPort,
  DNS: (data) => ({
    hostname: textOf(data, "config.hostname"),
    recordType: textOf(data, "config.recordType"),
    expected: linesOf(data, "config.expected"),
    interval: numberOf(data, "config.interval"),
  }),
  SCHEDULED: (data) => ({
    // If the field of the chosen schedule is empty, it stays an empty text, which the API refuses. Without it, the API
    // would accept the config as one with another schedule.
    cron: data.has("config.cron") ? (textOf(data, "config.cron") ?? "") : undefined,
    timezone: textOf(data, "config.timezone"),
    period: data.has("config.period") ? (numberOf(data, "config.period") ?? "") : undefined,
    grace: numberOf(data, "config.grace"),
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
