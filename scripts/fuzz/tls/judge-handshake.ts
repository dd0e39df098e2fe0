import type { Observation } from "../../../src/domain/checks/observation.ts";
import { createNetwork } from "../../../src/probes/connections/network.ts";
import { probeHttp } from "../../../src/probes/http.ts";
import { probeTls } from "../../../src/probes/tls.ts";
import type { Verdict } from "../protocol.ts";
import { issue } from "./authority.ts";
import { HOSTS } from "./draw-handshake.ts";
import type { HandshakeInput } from "./input.ts";
import type { Effect, Lie } from "./lies.ts";
import { LyingServer } from "./lying-server.ts";

/** Milliseconds. With changed lengths and missing records, both sides may wait for each other. */
const TIMEOUT = 20_000;
const TIMEOUT_OF_SILENCE = 300;

/** A flood is refused long before; the rest is in the buffers of the system. */
const MAX_FLOODED = 32 * 1024 * 1024;

const open = createNetwork({ privateTargets: "allow", dnsServers: [] });
const LOCAL = ["127.0.0.1"];
const network = { ...open, addressesOf: () => LOCAL, resolve: async () => LOCAL };

export async function judgeHandshake(input: HandshakeInput): Promise<Verdict> {
  const { lie, version, names, left } = input;
  await using server = await LyingServer.start(issue(names, left), version, lie);
  const timeout = maySilence(lie) ? TIMEOUT_OF_SILENCE : TIMEOUT;
  const seen = await check(input, server.port, timeout);
  const violation =
    undeclared(seen) ??
    differs(seen, input, server.effect) ??
    (server.flooded > MAX_FLOODED ? `too much memory: ${server.flooded} bytes of a flood` : undefined);
  const found = outcomeOf(seen);
  // Which failure it is may depend on the load of this machine.
  return { outcome: `handshake ${FAILURES.includes(found) ? "failed" : found}`, violation };
}

function maySilence(lie: Lie): boolean {
  if (lie.kind === "instead") return lie.then === "silence";
  return lie.kind !== "split" && lie.kind !== "cut";
}

function check({ monitor, host }: HandshakeInput, port: number, timeout: number): Promise<Observation> {
  if (monitor === "HTTP")
    return probeHttp({ url: `https://${host}:${port}/`, interval: 60 }, { timeout, network });
  return probeTls({ host, port, interval: 60 }, { timeout, network });
}

function outcomeOf(seen: Observation): string {
  return seen.outcome === "failed" ? seen.reason : seen.outcome;
}

const FAILURES = ["closed", "reset", "tls_failed", "timeout"];

const MESSAGES = [
  "the server closed the connection during the TLS handshake",
  "the server closed the connection before it answered( completely)?",
  "the server reset the connection",
  "the server does not speak TLS on that port",
  "the certificate is malformed",
  "the certificate is not valid for .+: .+",
  "the TLS handshake failed(: the (server|certificate) .+)?",
  String.raw`no (TLS handshake|answer) within 0\.3 s`,
];
const DECLARED = new RegExp(`^(?:${MESSAGES.join("|")})$`);

function undeclared(seen: Observation): string | undefined {
  if (seen.outcome === "inconclusive") return `a fault of this machine: ${seen.message}`;
  if (seen.outcome === "looked_up" || seen.outcome === "by_address") return "unknown outcome";
  const { message } = seen.detail;
  return message === undefined || DECLARED.test(String(message))
    ? undefined
    : `undeclared message: ${message}`;
}

function differs(seen: Observation, input: HandshakeInput, effect: Effect | undefined): string | undefined {
  const found = outcomeOf(seen);
  const wanted = wantedOf(input, effect ?? "broken");
  if (!wanted.includes(found)) return `${found} instead of ${wanted.join(" or ")}`;
  if (seen.outcome !== "certified" || effect !== "whole") return undefined;
  const { authorized, names } = seen.certificate;
  if (authorized !== isValid(input)) return `authorized is ${authorized}`;
  return names.length === input.names.length
    ? undefined
    : `${names.length} names instead of ${input.names.length}`;
}

/** Failures of a handshake. Up to TLS 1.2, a server proves its key before the handshake ends (behavior 1.38). */
function wantedOf({ monitor, version, lie, ...input }: HandshakeInput, effect: Effect): string[] {
  const valid = monitor === "TLS" ? ["certified"] : [isValid(input) ? "reached" : "tls_invalid"];
  const proved = monitor === "TLS" && version === "TLSv1.2" ? ["certified"] : [];
  const failures = [...FAILURES.filter((one) => one !== "timeout" || maySilence(lie)), ...proved];
  if (effect === "whole") return valid;
  return effect === "broken" ? failures : [...failures, ...valid];
}

function isValid({ host, names, left }: Pick<HandshakeInput, "host" | "names" | "left">): boolean {
  const known = HOSTS.find((one) => one.host === host && String(one.names) === String(names));
  return known?.isRight === true && left > 0;
}
