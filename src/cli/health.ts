import { Command } from "commander";
import { type Config, type Flags, UsageError } from "../config.ts";
import { AppError } from "../errors.ts";
import { configOf, say, withSettings } from "./options.ts";

/** Milliseconds. */
const PATIENCE = 5000;

interface HealthOptions extends Flags {
  url?: string;
  insecure?: boolean;
}

export function healthCommand(): Command {
  const command = new Command("health")
    .description("ask a running server whether it is well; exit code 0 or 1")
    .option("--url <URL>", "where it listens; else by the settings that `serve` has")
    .option("--insecure", "with --url, take any certificate");
  return withSettings(command, ["host", "port", "tlsCert", "tlsKey"]).action(
    async ({ url, insecure = false, ...flags }: HealthOptions) => {
      const address = `${url === undefined ? ownUrl(configOf(flags)) : parsed(url)}/healthz`;
      await assertWell(address, { verify: url !== undefined && !insecure });
      say(`${address} is well`);
    },
  );
}

/** @throws AppError `refused` that says what is not well */
async function assertWell(address: string, { verify }: { verify: boolean }): Promise<void> {
  const response = await ask(address, verify);
  if (response.status === 200) return;
  const { database, probes } = await bodyOf(response);
  const reasons = [
    ...(database === "failing" ? ["the database takes no writes"] : []),
    ...(probes === "failing" ? ["checks are not started on time"] : []),
  ];
  const why = reasons.join(", and ") || `it answered ${response.status}`;
  throw new AppError("refused", `${address} is not well: ${why}`);
}

/** The certificate of this machine's own server need not be for the address by which it is asked here. */
async function ask(address: string, verify: boolean): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    return await fetch(address, { signal, redirect: "manual", tls: { rejectUnauthorized: verify } });
  } catch (error) {
    const { name, message } = error as Error;
    const why = name === "TimeoutError" ? `no answer within ${PATIENCE / 1000} s` : message;
    throw new AppError("refused", `${address} can't be asked: ${why}`);
  }
}

async function bodyOf(response: Response): Promise<{ database?: string; probes?: string }> {
  try {
    return Object(await response.json());
  } catch {
    return {};
  }
}

/** A server that listens on all addresses is asked on this machine's own. */
function ownUrl({ host, port, tls }: Config): string {
  if (port === 0) throw new UsageError("--url must be given where --port is 0");
  const asked = new Map([
    ["0.0.0.0", "127.0.0.1"],
    ["::", "::1"],
  ]).get(host);
  const name = asked ?? host;
  return `${tls ? "https" : "http"}://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function parsed(url: string): string {
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return url.replace(/\/+$/, "");
  throw new UsageError(
    `--url must be a URL that begins with http:// or https://, got ${JSON.stringify(url)}`,
  );
}
