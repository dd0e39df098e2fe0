import { clamp, type ReportOmission } from "./imported.ts";
import { type Environment, resolved } from "./output-config.ts";

/* The times and the target of a check, in the limits that stillup has. */

const MAX_INTERVAL = 86_400;
const MAX_TIMEOUT = 60;

/** Seconds that a check may take, unless a monitor says otherwise. */
export const TIMEOUT = 10;

/** The interval of a monitor. @param wanted seconds */
export function intervalOf(wanted: number, omit: ReportOmission): number {
  const fitting = clamp(1, Math.round(wanted), MAX_INTERVAL);
  if (fitting !== wanted)
    omit("interval", `it is ${wanted} s; stillup checks every 1 s to 24 h: it is ${fitting} s here`);
  return fitting;
}

/** The timeout of a check. @param wanted seconds @param what its name in the other product */
export function timeoutOf(
  wanted: number,
  { interval, omit, what = "timeout" }: { interval: number; omit: ReportOmission; what?: string },
): number {
  const fitting = clamp(1, Math.ceil(wanted), Math.min(MAX_TIMEOUT, interval));
  if (fitting !== wanted) {
    const right = `whole seconds, up to ${MAX_TIMEOUT} and the interval`;
    omit(what, `it is ${wanted} s; stillup takes ${right}: it is ${fitting} s here`);
  }
  return fitting;
}

/** The timeout as a field of a config: none if it is the default. */
export function timeoutField({ timeout, interval }: { timeout: number; interval: number }): {
  timeout?: number;
} {
  return timeout === Math.min(TIMEOUT, interval) ? {} : { timeout };
}

/** Host and port of an address such as `[2001:db8::1]:22`. The port may be a variable. */
export function hostAndPort(address: string, env: Environment): { host: string; port?: number } | undefined {
  const [, bracketed, plain, digits] =
    /^(?:\[([^\]]+)\]|([^:/?#@[\]]+))(?::([^:/?#@[\]]+))?$/.exec(address) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) return undefined;
  if (digits === undefined) return { host };
  const port = portOf(digits, env);
  return port === undefined ? undefined : { host, port };
}

/** The number of a port, which may be a variable; undefined if it is none. */
export function portOf(text: string, env: Environment): number | undefined {
  const port = Number(resolved(text, env));
  return Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : undefined;
}
