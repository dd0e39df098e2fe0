import type { Observation } from "../../../src/domain/checks/observation.ts";
import type { StarttlsProtocol } from "../../../src/domain/monitors/kinds/tcp.ts";
import { Talk } from "../../../src/probes/greetings/probe-greeting.ts";
import { PROTOCOLS } from "../../../src/probes/greetings/protocols.ts";
import { Lifetime } from "../../../src/probes/lifetime.ts";
import { ProbeError } from "../../../src/probes/probe-error.ts";
import { probeTcp } from "../../../src/probes/tcp.ts";
import { ScriptedConnection, ScriptedNetwork } from "../http/scripted-network.ts";
import type { Verdict } from "../protocol.ts";
import type { GreetingInput } from "./greetings.ts";

/** Milliseconds after which a check that neither ends nor reads is a violation. */
const HANG = 20_000;

/** All that a check of a greeting may say. It has no text of the server but numbers. */
const DECLARED = new RegExp(
  `^(?:${[
    "the server does not speak (?:SMTP|IMAP|POP3|FTP|SSH|MySQL|Redis|PostgreSQL) on that port",
    String.raw`the server greets with \d{3} instead of 220`,
    String.raw`the server answers (?:EHLO|STARTTLS|AUTH TLS) with \d{3} instead of \d{3}`,
    String.raw`the server refuses the connection \((?:BYE|-ERR)\)`,
    String.raw`the server refuses the connection with the error \d{1,5}`,
    String.raw`the server answers PING with an error(?: \((?:LOADING|BUSY|DENIED|MASTERDOWN|ERR)\))?`,
    "the server answers with an error",
    String.raw`the server does not offer STARTTLS(?: \((?:PREAUTH|-ERR)\))?`,
    "the server sent a line of more than 8 KiB",
    "the server sent more than 64 KiB",
    "the server closed the connection before it answered completely",
  ].join("|")})$`,
);

export async function judgeGreeting(input: GreetingInput): Promise<Verdict> {
  const { outcome, message, isTooMuch } = await run(input);
  const violation = isTooMuch
    ? "too much work: more reads than pieces"
    : message !== undefined && !DECLARED.test(message)
      ? `undeclared message: ${message}`
      : await differsWhole(input, outcome);
  return { outcome, violation };
}

/** PostgreSQL answers with one byte: what follows it shows something else only if it is there. */
async function differsWhole(input: GreetingInput, outcome: string): Promise<string | undefined> {
  if (input.protocol === "postgres" && input.sent.bytes.length > 1) return undefined;
  const whole = await run({ ...input, sent: { ...input.sent, cuts: [], arrival: "as read" } });
  return whole.outcome === outcome ? undefined : `split: ${outcome} instead of ${whole.outcome}`;
}

interface Run {
  outcome: string;
  message: string | undefined;
  isTooMuch: boolean;
}

const run = (input: GreetingInput): Promise<Run> =>
  input.starttls ? runStarttls(input) : runGreeting(input);

export async function runGreeting({ protocol, sent }: GreetingInput): Promise<Run> {
  const lifetime = new Lifetime();
  let isSilent = false;
  const network = new ScriptedNetwork([{ ...sent, truth: null }], () => {
    isSilent = true;
    lifetime.close();
  });
  const config = { host: "127.0.0.1", port: 25, interval: 60, protocol };
  const seen = await probeTcp(config, { timeout: HANG, network: network.asNetwork(), lifetime });
  const [connection] = network.connections;
  return {
    outcome: isSilent && seen.outcome === "inconclusive" ? "waits" : outcomeOf(seen),
    message: "detail" in seen ? (seen.detail.message as string | undefined) : undefined,
    isTooMuch: (connection?.reads ?? 0) > (connection?.pieces.length ?? 0) + 2,
  };
}

function outcomeOf(seen: Observation): string {
  return seen.outcome === "failed" ? `failed ${seen.reason}` : seen.outcome;
}

/** The greeting and STARTTLS, without the handshake that follows. */
async function runStarttls({ protocol, sent }: GreetingInput): Promise<Run> {
  const { promise: silence, resolve: fallSilent } = Promise.withResolvers<"waits">();
  const connection = new ScriptedConnection(sent, () => fallSilent("waits"));
  const talk = new Talk(connection, PROTOCOLS[protocol]);
  let message: string | undefined;
  const agreed = agreement(protocol as StarttlsProtocol, talk).catch((error) => {
    if (!(error instanceof ProbeError)) throw error;
    message = error.message;
    return `failed ${error.reason}`;
  });
  const outcome = await Promise.race([silence, agreed]);
  return { outcome, message, isTooMuch: connection.reads > connection.pieces.length + 2 };
}

async function agreement(protocol: StarttlsProtocol, talk: Talk): Promise<string> {
  const { greet, starttls } = PROTOCOLS[protocol];
  await starttls(talk, await greet(talk));
  return "agreed";
}
