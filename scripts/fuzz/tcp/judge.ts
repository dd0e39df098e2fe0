import { Lifetime } from "../../../src/probes/lifetime.ts";
import { probeTcp } from "../../../src/probes/tcp.ts";
import { ScriptedNetwork } from "../http/scripted-network.ts";
import type { Verdict } from "../protocol.ts";
import type { TcpInput } from "./tcp.ts";

/** The bytes that a check reads at most (behavior 10.12). */
export const MAX_READ = 64 * 1024;

/** Milliseconds after which a check that neither ends nor reads is a violation. */
const HANG = 20_000;

export async function judgeTcp(input: TcpInput): Promise<Verdict> {
  const { seen, isSilent, connection } = await runTcp(input);
  const isFailed = seen.outcome === "failed";
  const found =
    isSilent && seen.outcome === "inconclusive" ? "waits" : isFailed ? `failed ${seen.reason}` : seen.outcome;
  const wanted = expectedOf(input);
  if (found !== wanted) return { outcome: found, violation: `${found} instead of ${wanted}` };
  const most = (connection?.pieces.length ?? 0) + 2;
  const isTooMuch = (connection?.reads ?? 0) > most;
  return { outcome: found, violation: isTooMuch ? `too much work: over ${most} reads` : undefined };
}

/** Runs a check, without judging it. @returns also whether it waited for bytes that never arrive */
export async function runTcp({ contains, sent }: TcpInput) {
  const lifetime = new Lifetime();
  let isSilent = false;
  const network = new ScriptedNetwork([{ ...sent, truth: null }], () => {
    isSilent = true;
    lifetime.close();
  });
  const config = { host: "127.0.0.1", port: 25, interval: 60, ...(contains !== undefined && { contains }) };
  const seen = await probeTcp(config, { timeout: HANG, network: network.asNetwork(), lifetime });
  return { seen, isSilent, connection: network.connections[0] };
}

function expectedOf({ contains, sent: { bytes, end } }: TcpInput): string {
  if (contains === undefined) return "reached";
  const text = Buffer.from(contains).toString("latin1");
  if (bytes.slice(0, MAX_READ).includes(text)) return "reached";
  if (bytes.length >= MAX_READ) return "failed unexpected";
  return end === "open" ? "waits" : "failed closed";
}
