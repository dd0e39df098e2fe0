import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import { isIP } from "../domain/network/client-address.ts";

/** Where a demonstration listens. */
export interface OwnSettings {
  host: string;
  port: number;
  tls?: unknown;
}

/** The address that reaches this server from itself. @param host of the settings: an address, or a name of this machine */
export function ownAddress(host: string): string {
  if (host === "::" || host === "::1") return "::1";
  return isIP(host) && host !== "0.0.0.0" ? host : "127.0.0.1";
}

export function ownUrl({ host, port, tls }: OwnSettings): string {
  const address = ownAddress(host);
  return `${tls ? "https" : "http"}://${address.includes(":") ? `[${address}]` : address}:${port}`;
}

/**
 * Why a demonstration does not check a target (behavior 24.25); null for an address of its own, and for a job. The network of the probe thread
 * connects to nothing else either, whatever a name resolves to and wherever a redirect leads.
 */
export function targetRefusal(config: MonitorConfig, own: OwnSettings): string | null {
  const refused = foreignField(config, own);
  return refused === null ? null : `config.${refused}: a demonstration checks only itself`;
}

/** Fields that name another server, whatever their value. */
const FOREIGN = new Set(["hostname", "servers", "registration"]);

const URLS = new Set(["url", "tokenUrl"]);

/** The path of the first field that names another server, and what would be right. */
function foreignField(value: object, own: OwnSettings): string | null {
  for (const [name, inner] of Object.entries(value)) {
    if (FOREIGN.has(name)) return `${name} can't be used here`;
    if (URLS.has(name) && !isOwnUrl(String(inner), own))
      return `${name} must be an address of this server, such as ${ownUrl(own)}/`;
    if (name === "host" && !isOwnName(String(inner), own))
      return `${name} must be an address of this server, such as ${ownAddress(own.host)}`;
    // A ping has no port.
    if (name === "port" && inner !== own.port) return `${name} must be ${own.port}`;
    // The names of headers are the choice of the user.
    const below =
      typeof inner === "object" && inner !== null && name !== "headers" ? foreignField(inner, own) : null;
    if (below !== null) return `${name}.${below}`;
  }
  return null;
}

function isOwnUrl(text: string, own: OwnSettings): boolean {
  const url = URL.parse(text);
  if (!url) return false;
  const port = Number(url.port) || (/^(https|wss):$/.test(url.protocol) ? 443 : 80);
  return isOwnName(url.hostname.replace(/^\[|\]$/g, ""), own) && port === own.port;
}

function isOwnName(name: string, { host }: OwnSettings): boolean {
  return [host, ownAddress(host), "127.0.0.1", "::1", "localhost"].includes(name.toLowerCase());
}

/** Seconds in which a target of the demonstration is worse, again and again. @property usual milliseconds of an answer */
interface Act {
  usual: number;
  every: number;
  worseFor: number;
  worse?: "slow" | "fails";
}

/** The targets on this server, by the last part of their path. */
export const ACTS: Record<string, Act> = {
  checkout: { usual: 120, every: 90, worseFor: 35, worse: "slow" },
  shop: { usual: 25, every: 150, worseFor: 20, worse: "fails" },
  api: { usual: 17, every: 1, worseFor: 0 },
  documentation: { usual: 35, every: 400, worseFor: 15, worse: "fails" },
  mail: { usual: 20, every: 60, worseFor: 25, worse: "fails" },
};

export const TARGETS = "/demonstration/";

/** How much longer a slow answer takes. */
const SLOWER = 8;

/** The present answer of a target. @param now milliseconds since 1970 @returns undefined for another path */
export function actOf(path: string, now: number): { status: number; delayMs: number } | undefined {
  const act = path.startsWith(TARGETS) ? ACTS[path.slice(TARGETS.length)] : undefined;
  if (!act) return undefined;
  const isWorse = (now / 1000) % act.every < act.worseFor;
  const varied = act.usual * (0.9 + 0.2 * Math.abs(Math.sin(now / 7000)));
  return {
    status: isWorse && act.worse === "fails" ? 503 : 200,
    delayMs: isWorse && act.worse === "slow" ? varied * SLOWER : varied,
  };
}

/** The outcome of a run of the job. */
export type JobAct = "succeeds" | "fails" | "is silent";

/** @param run counts the runs */
export function jobActOf(run: number): JobAct {
  if (run % 12 >= 9) return "is silent";
  return run % 12 === 4 ? "fails" : "succeeds";
}
