import { dns } from "./dns/dns.ts";
import { greetings } from "./greetings/greetings.ts";
import { http } from "./http/http.ts";
import type { Protocol } from "./protocol.ts";
import { tcp } from "./tcp/tcp.ts";
import { tls } from "./tls/tls.ts";

// biome-ignore lint/suspicious/noExplicitAny: each protocol has its own inputs, which only it reads
export const PROTOCOLS: Record<string, Protocol<any>> = { http, dns, tcp, tls, greetings };

/** Their shares of all inputs. */
export const SHARES: Record<string, number> = {
  http: 0.43,
  dns: 0.43,
  tcp: 0.05,
  tls: 0.05,
  greetings: 0.04,
};

/** So many inputs must have each outcome. */
const ENOUGH = 20_000;

/** Outcomes that a run should have and never had: it proves less than it seems to. */
export function missingOutcomes(name: string, inputs: number, seen: Record<string, number>): string[] {
  const wanted = inputs >= ENOUGH ? (PROTOCOLS[name]?.outcomes ?? []) : [];
  return wanted.filter((outcome) => seen[outcome] === undefined);
}
