import { type Static, Type } from "@sinclair/typebox";
import { type Detail, type Evidence, MAX_ADDRESSES } from "../checks/observation.ts";
import type { MonitorConfig, ProbedType } from "../monitors/monitor.ts";
import { isIP } from "../network/client-address.ts";
import { closed, nullable, oneOf } from "../schemas/schema.ts";
import { type CheckFacts, type Look, OUTCOMES, type SelfFacts } from "./evidence.ts";
import { configOfStep, endpointOf, lastStepIn } from "./failure.ts";

/** The target of a failed check, at which its location looks once more. @property port null if the check connects to none */
export interface AskedLook {
  addresses: string[];
  port: number | null;
}

/** A look that completes evidence. */
export interface EvidenceLook extends AskedLook {
  evidenceId: string;
}

/** The findings of the location, and its state. */
export interface Looked extends Look {
  self: Omit<SelfFacts, "healthyElsewhere" | "failingElsewhere">;
}

/** The look that a failure asks for. Without an address, it only shows the state of the location. */
export function askedLook(
  { outcome, ...evidence }: Evidence,
  { type, config }: { type: ProbedType; config: MonitorConfig },
): AskedLook {
  const detail = "detail" in evidence ? evidence.detail : null;
  const { host, port } = endpointOf(configOfStep(config, detail));
  // The servers that a DNS monitor asks are no target of a connection. Only its proxy may reach a target (behavior 26.27).
  if (type === "DNS" || usesProxy(config)) return { addresses: [], port: null };
  const told = "addresses" in evidence ? evidence.addresses.map(({ address }) => address) : toldIn(evidence);
  if (lastStepIn(detail) > 0) return { addresses: addressOfStep(evidence, detail), port };
  const addresses = told.length === 0 && isIP(host) ? [host] : told;
  return { addresses: addresses.slice(0, MAX_ADDRESSES), port: pings(config) ? null : port };
}

/** The DNS told the addresses of the first step only. */
function addressOfStep(evidence: object, detail: Detail | null): string[] {
  const { facts } = evidence as { facts?: CheckFacts };
  const address = detail?.address;
  return typeof address === "string" && !facts?.isRedirected ? [address] : [];
}

function toldIn(evidence: object): string[] {
  return "told" in evidence ? (evidence.told as string[]) : [];
}

function usesProxy(config: MonitorConfig): boolean {
  return "proxy" in config && config.proxy !== undefined;
}

function pings(config: MonitorConfig): boolean {
  return "protocol" in config && config.protocol === "icmp";
}

/** The summary shows an address: it must be nothing else. */
const Address = Type.String({ pattern: "^[\\da-fA-F.:]{2,45}$" });
const Milliseconds = Type.Number({ minimum: 0, maximum: 120_000 });
const Count = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 });

const MAX_HOPS = 20;

/** A look of a remote location, as its probe sends it. */
export const SentLook = Type.Object(
  {
    evidenceId: Type.String({ minLength: 1, maxLength: 64 }),
    connections: nullable(
      Type.Array(
        Type.Object(
          {
            address: Address,
            port: Type.Integer({ minimum: 1, maximum: 65_535 }),
            outcome: oneOf(OUTCOMES),
            tookMs: Milliseconds,
          },
          closed,
        ),
        { maxItems: MAX_ADDRESSES },
      ),
    ),
    path: nullable(
      Type.Array(
        Type.Object(
          {
            hop: Type.Integer({ minimum: 1, maximum: 255 }),
            address: nullable(Address),
            rttMs: nullable(Milliseconds),
          },
          closed,
        ),
        { maxItems: MAX_HOPS },
      ),
    ),
    self: Type.Object(
      {
        loopDelayMs: Type.Number({ minimum: 0, maximum: 86_400_000 }),
        load: Type.Number({ minimum: 0, maximum: 1_000_000 }),
        freeDescriptors: nullable(Count),
        online: Type.Boolean(),
      },
      closed,
    ),
  },
  closed,
);
export type SentLook = Static<typeof SentLook>;
