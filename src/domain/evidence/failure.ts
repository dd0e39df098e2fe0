import type { Detail, Evidence, Phases } from "../checks/observation.ts";
import { firstUrlOf, isHttpConfig } from "../monitors/kinds/http-target.ts";
import type { MonitorConfig, ProbedType } from "../monitors/monitor.ts";
import type { Status } from "../monitors/status.ts";
import type { AllPhases, CheckFacts, Good, Look, Why } from "./evidence.ts";

/** A failed check with all that is known about it. */
export interface Failure {
  type: ProbedType;
  config: MonitorConfig<ProbedType>;
  observation: Evidence;
  /** The judgement of the check: its own status, before any confirmation. */
  seen: { status: Status; detail: Detail | null };
  good: Good | null;
  /** The addresses that good checks of the trailing 7 days were given; null if that is not known. */
  known: readonly string[] | null;
  look: Look;
  /** Whether another monitor shows that other ports of the host answer. */
  doOtherPortsAnswer: boolean;
}

export const UNKNOWN: Why = { layer: "unknown", summary: "The cause is not known" };

export function reasonOf({ seen }: Failure): string | null {
  const { reason } = seen.detail ?? {};
  return typeof reason === "string" ? reason : null;
}

export function factsOf({ observation }: Failure): CheckFacts | null {
  return observation.outcome === "failed" ? (observation.facts ?? null) : null;
}

export function phasesIn({ seen }: Failure): AllPhases {
  return (seen.detail?.phases as Phases | undefined) ?? {};
}

/** The message of a result has no text of a server, except where it quotes one. */
export function messageIn({ seen }: Failure): string {
  const { message } = seen.detail ?? {};
  return typeof message === "string" && message !== "" ? message : UNKNOWN.summary;
}

/** The address that the check was connected to, or tried last. */
export function addressIn({ seen }: Failure): string | null {
  const { address } = seen.detail ?? {};
  return typeof address === "string" && address !== "" ? address : null;
}

/** The host that the config names. The host of a redirect is a text of a server. */
export function nameIn(failure: Failure): string {
  return isRedirected(failure) ? "the host of a redirect" : endpointOf(failure.config).host;
}

export function isRedirected(failure: Failure): boolean {
  return factsOf(failure)?.isRedirected === true;
}

/** With steps: a failure as if the step that failed were all of the monitor (behavior 26.79). */
export function ofFailedStep(failure: Failure): Failure {
  const { config, good, known, seen } = failure;
  const steps = "steps" in config ? config.steps : undefined;
  const at = lastStepIn(seen.detail);
  if (!steps || at < 0) return failure;
  // A good check has the addresses and TLS of its first step, and all else of its last one.
  const ofFirst = at > 0 ? { certificate: null, protocol: null } : {};
  const ofLast = at < steps.length - 1 ? { address: null, statusCode: null, size: null } : {};
  return {
    ...failure,
    config: configOfStep(config, seen.detail),
    good: good && { ...(at < steps.length - 1 ? withoutHeaders(good) : good), ...ofFirst, ...ofLast },
    known: at > 0 ? null : known,
  };
}

export function withoutHeaders({ headerNames: _, ...good }: Good): Good {
  return good;
}

/** The config of the last step that was made, as the config of a monitor; without steps the config itself. */
export function configOfStep<Config extends MonitorConfig>(config: Config, detail: Detail | null): Config {
  if (!("steps" in config)) return config;
  const { steps, ...others } = config as MonitorConfig<"HTTP">;
  const url = steps?.[lastStepIn(detail)]?.url;
  return url === undefined ? config : ({ ...others, url } as Config);
}

/** Its place, from 0; -1 without any. */
export function lastStepIn(detail: Detail | null): number {
  return Array.isArray(detail?.steps) ? detail.steps.length - 1 : -1;
}

/** The host and the port of a config. A DNS monitor and one that pings have no port: null. */
export function endpointOf(config: MonitorConfig): { host: string; port: number | null } {
  if (isHttpConfig(config)) {
    const { hostname, port, protocol } = new URL(firstUrlOf(config));
    const usual = protocol === "https:" || protocol === "wss:" || protocol === "grpcs:" ? 443 : 80;
    return { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? usual : Number(port) };
  }
  if ("hostname" in config) return { host: config.hostname, port: null };
  return "host" in config ? { host: config.host, port: config.port ?? null } : { host: "", port: null };
}
