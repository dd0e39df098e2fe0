import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Secrets } from "../../secrets.ts";
import { clamp, listOf, recordOf, textOf } from "../../untyped.ts";
import { type Environment, resolved } from "../../variables.ts";
import { durationIn } from "../numbers.ts";

/** An endpoint of Gatus. Texts of its fields are as a document writes them. */
export interface Endpoint {
  /** The ref of its monitor. */
  ref: string;
  fields: Record<string, unknown>;
  client: Record<string, unknown>;
  url: string;
  body: string;
  conditions: string[];
  /** Seconds. */
  interval: number;
  timeout: number;
  env: Environment;
  secrets: Secrets;
  /** @param what a part of it, such as `client.oauth2` */
  leave(what: string, why: string): void;
}

/** What an endpoint is here. */
export interface Mapped {
  type: MonitorType;
  config: Record<string, unknown>;
  /** The config of a further monitor, for the certificate. */
  certificate?: Record<string, unknown>;
  /** Whether it could only fail here, so that it is created paused. */
  isPaused?: boolean;
}

export interface Refusal {
  refusal: string;
}

const MINUTE = 60_000;
const LONGEST_INTERVAL = 86_400;
const LONGEST_TIMEOUT = 60;
const TIMEOUT = 10;

export function readEndpoint(
  fields: Record<string, unknown>,
  { ref, env, secrets, leave }: Pick<Endpoint, "ref" | "env" | "secrets" | "leave">,
): Endpoint {
  const client = recordOf(fields.client);
  const interval = intervalOf(fields, env, leave);
  return {
    ...{ ref, fields, client, interval, env, secrets, leave },
    timeout: timeoutOf(client, { interval, env, leave }),
    url: textOf(fields.url) ?? "",
    body: bodyOf(fields, leave),
    conditions: listOf(fields.conditions).map((one) => textOf(one) ?? ""),
  };
}

type Leave = Endpoint["leave"];

/** @returns seconds */
function intervalOf({ interval }: Record<string, unknown>, env: Environment, leave: Leave): number {
  const length = interval === undefined ? MINUTE : durationIn(interval, env);
  if (length === undefined)
    leave("interval", "it is not a duration, or a variable that is not set: it is 60 s");
  const seconds = Math.round((length || MINUTE) / 1000);
  const fitting = clamp(1, seconds, LONGEST_INTERVAL);
  if (fitting !== seconds) leave("interval", `stillup checks every 1 s to 24 h: it is ${fitting} s`);
  return fitting;
}

/** @returns seconds */
function timeoutOf(
  { timeout }: Record<string, unknown>,
  { interval, env, leave }: { interval: number; env: Environment; leave: Leave },
): number {
  const length = durationIn(timeout, env);
  if (length === undefined || length < 1) return Math.min(TIMEOUT, interval);
  const fitting = clamp(1, Math.ceil(length / 1000), Math.min(LONGEST_TIMEOUT, interval));
  const isLess = fitting * 1000 < length;
  if (isLess) leave("client.timeout", `a timeout is at most 60 s and the interval: it is ${fitting} s`);
  return fitting;
}

/** The timeout as a field of a config: none if it is the default. */
export function timeoutField({ timeout, interval }: Endpoint): { timeout?: number } {
  return timeout === Math.min(TIMEOUT, interval) ? {} : { timeout };
}

function bodyOf(fields: Record<string, unknown>, leave: Leave): string {
  const body = (textOf(fields.body) ?? "")
    .replaceAll("[ENDPOINT_NAME]", () => textOf(fields.name) ?? "")
    .replaceAll("[ENDPOINT_GROUP]", () => textOf(fields.group) ?? "")
    .replaceAll("[ENDPOINT_URL]", () => textOf(fields.url) ?? "");
  const [changing] = /\[(RANDOM_STRING_\d+|LOCAL_ADDRESS)\]/.exec(body) ?? [];
  if (changing) leave("body", `stillup sends ${changing} as it is written`);
  return body;
}

/** Host and port of an address such as `[2001:db8::1]:22`. The port may be a variable. */
export function hostAndPort(address: string, env: Environment): { host: string; port?: number } | undefined {
  const [, bracketed, plain, digits] =
    /^(?:\[([^\]]+)\]|([^:/?#@[\]]+))(?::([^:/?#@[\]]+))?$/.exec(address) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) return undefined;
  return digits === undefined ? { host } : portOf(host, numberOfPort(digits, env));
}

function portOf(host: string, port: number | undefined): { host: string; port: number } | undefined {
  return port === undefined ? undefined : { host, port };
}

function numberOfPort(text: string, env: Environment): number | undefined {
  const port = Number(resolved(text, env));
  return Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : undefined;
}
