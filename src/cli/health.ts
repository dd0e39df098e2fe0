import { Command } from "commander";
import { type BoundedAnswer, fetchBounded, textOf } from "../bounded-fetch.ts";
import { type Config, type Flags, UsageError } from "../config.ts";
import { AppError } from "../errors.ts";
import { visibleLine } from "../log.ts";
import { serverFault } from "./failure.ts";
import { configOf, say, withSettings } from "./options.ts";

const TIMEOUT_MS = 5000;

/** Bytes. An answer has some hundreds. */
const MAX_ANSWER = 64 * 1024;

interface HealthOptions extends Flags {
  url?: string;
  insecure?: boolean;
}

export function healthCommand(): Command {
  const command = new Command("health")
    .description("check whether a running server is healthy; exit code 0 or 1")
    .option("--url <URL>", "URL of the server; default: from the same settings as `serve`")
    .option("--insecure", "with --url, accept any certificate");
  return withSettings(command, ["host", "port", "tlsCert", "tlsKey"]).action(
    async ({ url, insecure = false, ...flags }: HealthOptions) => {
      const address = `${url === undefined ? ownUrl(configOf(flags)) : parsed(url)}/healthz`;
      const { config, discovery, ping } = await assertHealthy(address, {
        verify: url !== undefined && !insecure,
      });
      const fault = config === undefined ? "" : `, but its configuration file was not applied: ${config}`;
      const unread = discovery === undefined ? "" : `, but discovery has a fault: ${visibleLine(discovery)}`;
      const closed = ping === "closed" ? ", but it may not ping: its log says what to set" : "";
      say(`${address} is healthy${fault}${unread}${closed}`);
    },
  );
}

/** @throws AppError `refused` that names each unhealthy part */
async function assertHealthy(address: string, { verify }: { verify: boolean }): Promise<HealthBody> {
  const response = await requestHealth(address, verify);
  const body = bodyOf(response);
  if (response.status === 200 && body.status === "ok") return body;
  if (response.status === 200)
    throw new AppError("refused", `${address} answers, but not as a server of stillup does`);
  const { database, probes } = body;
  const reasons = [
    ...(database === "away" ? ["the database can't be reached"] : []),
    ...(database === "failing" ? ["the database rejects writes"] : []),
    ...(probes === "failing" ? ["checks do not start on time"] : []),
    ...(probes === "blind" ? ["at least half of the monitors are not checked"] : []),
  ];
  const why = reasons.join(", and ") || `it answered ${response.status}`;
  throw new AppError("refused", `${address} is unhealthy: ${why}`);
}

/** The certificate of the local server is not verified, because it need not name the address that it listens on. */
async function requestHealth(address: string, verify: boolean): Promise<BoundedAnswer> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const init = { signal, redirect: "manual" as const, tls: { rejectUnauthorized: verify } };
    return await fetchBounded(address, init, MAX_ANSWER);
  } catch (error) {
    throw new AppError("refused", `${address} can't be reached: ${serverFault(error, TIMEOUT_MS)}`);
  }
}

interface HealthBody {
  status?: string;
  database?: string;
  probes?: string;
  /** Why the configuration file was not applied. */
  config?: string;
  /** A fault of discovery. */
  discovery?: string;
  /** `closed` if monitors are to be pinged, and the system of the server does not allow it. */
  ping?: string;
}

function bodyOf(answer: BoundedAnswer): HealthBody {
  try {
    return Object(JSON.parse(textOf(answer)));
  } catch {
    return {};
  }
}

/** A server that listens on all addresses is reached on loopback. */
function ownUrl({ host, port, tls }: Config): string {
  if (port === 0) throw new UsageError("--url must be given if --port is 0");
  const loopback = new Map([
    ["0.0.0.0", "127.0.0.1"],
    ["::", "::1"],
  ]).get(host);
  const name = loopback ?? host;
  return `${tls ? "https" : "http"}://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function parsed(url: string): string {
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return url.replace(/\/+$/, "");
  throw new UsageError(
    `--url must be a URL that begins with http:// or https://, got ${JSON.stringify(url)}`,
  );
}
