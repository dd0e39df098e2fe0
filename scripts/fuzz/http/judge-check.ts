import type { Observation } from "../../../src/domain/checks/observation.ts";
import { probeHttp } from "../../../src/probes/http.ts";
import { Lifetime } from "../../../src/probes/lifetime.ts";
import type { Verdict } from "../protocol.ts";
import { SECRETS } from "./draw-check.ts";
import { SERVER_TEXT } from "./draw-head.ts";
import { type Expected, expectedOf } from "./expected-result.ts";
import type { CheckInput } from "./input.ts";
import { isDeclared } from "./messages.ts";
import { type ScriptedConnection, ScriptedNetwork } from "./scripted-network.ts";

/** Milliseconds after which a check that neither ends nor reads is a violation. No scripted answer takes time. */
const HANG = 20_000;

/** A failed check waits a little less for the rest of an answer, as evidence; milliseconds. */
const PATIENCE = 250;

/** No check takes more bytes of one answer: the most that is kept, what surrounds it, and the last piece. */
const MAX_TAKEN = 1024 * 1024 + 64 * 1024 + 256 * 1024;

interface Run {
  seen: Observation | "waits";
  connections: ScriptedConnection[];
}

export async function judgeCheck(input: CheckInput): Promise<Verdict> {
  const run = await runCheck(input);
  const expected = expectedOf(input);
  const violation =
    brokenInvariant(input, run) ??
    (expected && differsFromTruth(expected, run.seen)) ??
    (await differsIfWhole(input, run));
  return { outcome: outcomeOf(run.seen), violation };
}

function outcomeOf(seen: Run["seen"]): string {
  if (seen === "waits") return seen;
  return seen.outcome === "failed" ? `failed ${seen.reason}` : seen.outcome;
}

/** Runs a check, without judging it. */
export async function runCheck({ config, exchanges }: CheckInput): Promise<Run> {
  const lifetime = new Lifetime();
  let isSilent = false;
  const network = new ScriptedNetwork(exchanges, () => {
    isSilent = true;
    setTimeout(() => lifetime.close(), PATIENCE);
  });
  const observation = await probeHttp(config, { timeout: HANG, network: network.asNetwork(), lifetime });
  const isWaiting = isSilent && observation.outcome === "inconclusive";
  return { seen: isWaiting ? "waits" : observation, connections: network.connections };
}

function brokenInvariant(input: CheckInput, { seen, connections }: Run): string | undefined {
  for (const { reads, taken, pieces } of connections) {
    if (reads > pieces.length + 2) return `too much work: ${reads} reads of ${pieces.length} pieces`;
    const last = Math.max(0, ...pieces.map(({ length }) => length));
    if (taken > MAX_TAKEN + last) return `too much memory: ${taken} bytes were taken`;
  }
  return leak(input, connections) ?? (seen === "waits" ? undefined : undeclared(input, seen));
}

/** Secrets are sent to the origin of the URL only (behavior 10.8). */
function leak({ config }: CheckInput, connections: ScriptedConnection[]): string | undefined {
  const { origin, host } = new URL(config.url ?? "");
  const secrets = [...SECRETS, Buffer.from(`user:${SECRETS[1]}`).toString("base64")];
  for (const { sent } of connections) {
    const isOwn = sent.includes(`\r\nHost: ${host}\r\n`);
    if (!isOwn && secrets.some((secret) => sent.includes(secret)))
      return `secret sent to another origin than ${origin}`;
  }
  return undefined;
}

function undeclared({ config }: CheckInput, seen: Observation): string | undefined {
  if (seen.outcome === "inconclusive") return `a fault of this machine: ${seen.message}`;
  if (seen.outcome !== "reached" && seen.outcome !== "failed") return `unknown outcome ${seen.outcome}`;
  const { sample, ...more } = seen;
  const { facts, ...recorded } = "facts" in more ? more : { facts: undefined, ...more };
  const shown = JSON.stringify({ sample, facts });
  if (SECRETS.some((secret) => shown.includes(secret))) return "a sample or the facts have a secret";
  const isPlain = Object.keys(config).every((field) => ["url", "interval"].includes(field));
  if (seen.outcome === "failed" && !isDeclared(seen.reason, String(seen.detail.message), { isPlain }))
    return `undeclared ${seen.reason}: ${seen.detail.message}`;
  const isQuoted = isPlain && seen.outcome === "failed" && seen.reason === "not_http";
  const own = JSON.stringify(config).includes(SERVER_TEXT);
  if (!isQuoted && !own && JSON.stringify(recorded).includes(SERVER_TEXT))
    return "a result has text of the server";
  return undefined;
}

function differsFromTruth(expected: Expected, seen: Run["seen"]): string | undefined {
  const found = outcomeOf(seen);
  if (typeof expected === "string") return found === expected ? undefined : `${found} instead of ${expected}`;
  const allowed = expected.reasons.map((reason) => `failed ${reason}`);
  return allowed.includes(found) ? undefined : `${found} instead of ${allowed.join(" or ")}`;
}

/** The result does not depend on how bytes are split and when they arrive. */
async function differsIfWhole(input: CheckInput, { seen }: Run): Promise<string | undefined> {
  const isWhole = input.exchanges.every(({ cuts, arrival }) => cuts.length === 0 && arrival === "as read");
  if (isWhole) return undefined;
  const exchanges = input.exchanges.map((one) => ({ ...one, cuts: [], arrival: "as read" as const }));
  const whole = await runCheck({ ...input, exchanges });
  const [split, unsplit] = [comparable(seen), comparable(whole.seen)];
  return split === unsplit ? undefined : `split: ${split} instead of ${unsplit}`;
}

/** Without times, and without the part of a first line that had arrived when it was clear that it is no HTTP. */
function comparable(seen: Run["seen"]): string {
  const text = JSON.stringify(seen, (key, value) => {
    // The facts show as much of the answer as has come.
    if (["latencyMs", "phases", "durationMs", "facts"].includes(key)) return undefined;
    return key === "message" && typeof value === "string"
      ? value.replace(/^(the answer is not HTTP): ".*"$/, "$1")
      : value;
  });
  return text;
}
