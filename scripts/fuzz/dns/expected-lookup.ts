import type { Datagrams, LookupInput, Server, Stream, Truth } from "./input.ts";

/** Why there is no answer. */
type Silence = "silent" | "unreachable";
type Outcome = Extract<Truth, object> | Silence;

/** A part of the input was changed at random, so that nothing is known about it. */
class Unknown extends Error {}

/** The result that a lookup must have by the truth; undefined if that is unknown. It uses no rule of the product (behavior 4.3 to 4.5, 4.17, 10.15). */
export function expectedOf(input: LookupInput): Truth | "unreachable" | undefined {
  try {
    const servers = input.servers.map((server) => new ScriptedServer(server));
    return input.isTarget ? askInTurn(servers) : askTwice(servers, input);
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

function askTwice(servers: ScriptedServer[], { servers: [...all] }: LookupInput): Truth | "unreachable" {
  const [first, second = first] = servers;
  if (!first || !second) throw new Unknown();
  const before = first.ask(true);
  if (isClear(before)) return before;
  // A query in the background asks whether the first server drops EDNS.
  const after = second.ask(false);
  if (isClear(after)) return after;
  if (!all.some(({ isAlive }) => isAlive)) return "unreachable";
  return [after, before].find((one) => typeof one === "object") ?? { failure: "timeout" };
}

function askInTurn(servers: ScriptedServer[]): Truth {
  const answers: Outcome[] = [];
  for (const server of servers) {
    const answer = server.ask(true);
    if (isClear(answer)) return answer;
    answers.push(answer);
  }
  const again = servers.filter((_, at) => servers.length === 1 || answers[at] === "silent");
  const later = again.map((server) => server.ask(false));
  const all = [...later.filter(isClear), ...answers, ...later];
  return all.find((one) => typeof one === "object") ?? { failure: "timeout" };
}

function isClear(one: Outcome): one is Extract<Truth, object> {
  if (typeof one === "string") return false;
  return "values" in one || one.failure === "nxdomain" || one.failure === "no_data";
}

/** Takes its script one query after another. */
class ScriptedServer {
  private datagrams = 0;
  private streams = 0;

  constructor(private readonly script: Server) {}

  ask(hasEdns: boolean): Outcome {
    const answer = firstOf(this.script.udp[this.datagrams++] ?? [], hasEdns);
    if (answer === "refuses EDNS") return this.ask(false);
    return answer === "truncated" ? overTcp(this.script.tcp[this.streams++]) : answer;
  }
}

function firstOf(datagrams: Datagrams, hasEdns: boolean): Outcome | "truncated" | "refuses EDNS" {
  if (datagrams === "refused") return "unreachable";
  for (const { message, isForeign } of datagrams) {
    if (isForeign) continue;
    if (message.truth === null) throw new Unknown();
    if (message.truth === "ignored") continue;
    if (message.truth === "refuses EDNS" && !hasEdns) return { failure: "error" };
    // It was composed as an answer to a query with EDNS or without.
    if (isError(message.truth) && hasEdns) throw new Unknown();
    return message.truth;
  }
  return "silent";
}

function isError(truth: Truth): boolean {
  return typeof truth === "object" && "failure" in truth && truth.failure === "error";
}

function overTcp(stream: Stream | undefined): Outcome {
  if (!stream) return "unreachable";
  const { message, length, end } = stream;
  const received = message.bytes.length;
  if (received < length) {
    if (end === "open") return "silent";
    return end === "reset" ? "unreachable" : { failure: "malformed" };
  }
  if (message.truth === null || received > length) throw new Unknown();
  // The query may have EDNS or not.
  if (isError(message.truth)) throw new Unknown();
  return typeof message.truth === "object" ? message.truth : { failure: "malformed" };
}
