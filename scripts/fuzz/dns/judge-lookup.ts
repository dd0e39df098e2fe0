import { decode } from "dns-packet";
import { OpenSockets } from "../../../src/probes/connections/network.ts";
import { createDnsClient } from "../../../src/probes/dns/dns-client.ts";
import { ProbeError } from "../../../src/probes/probe-error.ts";
import type { Verdict } from "../protocol.ts";
import { expectedOf } from "./expected-lookup.ts";
import type { LookupInput, Truth } from "./input.ts";
import { differs, meaningOf, outcomeOf } from "./judge-message.ts";
import { ScriptedTransport } from "./scripted-transport.ts";

/** Milliseconds; no time passes. */
const TIMEOUT = 10_000;

/** To each server: with EDNS, without it, over TCP, and each of them again; and whether it is alive. */
const MAX_QUERIES = 10;

/** A message over TCP and its length. */
const MAX_RECEIVED = 65_537;

type Found = Truth | "unreachable" | "hangs";

interface Run {
  found: Found;
  transport: ScriptedTransport;
  sockets: number;
}

export async function judgeLookup(input: LookupInput): Promise<Verdict> {
  const run = await runLookup(input);
  const expected = expectedOf(input);
  const violation =
    brokenInvariant(input, run) ??
    (expected && differs(run.found, expected)) ??
    (await differsIfWhole(input, run));
  return {
    outcome: run.found === "unreachable" ? run.found : `lookup ${outcomeOf(run.found as Truth)}`,
    violation,
  };
}

/** Runs a lookup, without judging it. */
export async function runLookup({ question, isTarget, servers }: LookupInput): Promise<Run> {
  const transport = new ScriptedTransport(servers);
  const count = new Int32Array(1);
  const asked = servers.map((_, at) => ({ address: "127.0.0.1", port: at + 1 }));
  const client = createDnsClient(asked, new OpenSockets(count), { isTarget, transport });
  let found: Found | undefined;
  client.ask(question, TIMEOUT).then(
    (lookup) => {
      found = meaningOf(lookup);
    },
    (error) => {
      if (!(error instanceof ProbeError) || error.reason !== "dns_unreachable") throw error;
      found = "unreachable";
    },
  );
  do await nextTurn();
  while (transport.expireNext());
  return { found: found ?? "hangs", transport, sockets: count[0] ?? 0 };
}

/** All that is possible without another timer has happened by then. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function brokenInvariant(
  { question, servers }: LookupInput,
  { found, transport, sockets }: Run,
): string | undefined {
  if (found === "hangs") return "hangs: no answer and no timer";
  if (sockets !== 0 || transport.open !== 0)
    return `sockets stay open: ${transport.open} and ${sockets} counted`;
  const { sent, received } = transport;
  if (sent.length > MAX_QUERIES * servers.length) return `too much work: ${sent.length} queries`;
  if (received > MAX_RECEIVED * sent.length) return `too much memory: ${received} bytes`;
  for (const { message, overTcp } of sent) {
    const { questions = [], id = 0, additionals = [] } = decode(overTcp ? message.subarray(2) : message);
    const isOwn =
      questions.length === 1 &&
      questions.every(({ name, type }) => name === "." || (name === question.name && type === question.type));
    if (!isOwn || id < 0 || additionals.length > 1) return `wrong query: ${JSON.stringify(questions)}`;
  }
  return undefined;
}

/** The result does not depend on how bytes over TCP are split. */
async function differsIfWhole(input: LookupInput, { found }: Run): Promise<string | undefined> {
  const isWhole = input.servers.every(({ tcp }) => tcp.every(({ cuts }) => cuts.length === 0));
  if (isWhole) return undefined;
  const servers = input.servers.map((server) => ({
    ...server,
    tcp: server.tcp.map((one) => ({ ...one, cuts: [] })),
  }));
  const difference = differs(found, (await runLookup({ ...input, servers })).found);
  return difference && `split: ${difference}`;
}
