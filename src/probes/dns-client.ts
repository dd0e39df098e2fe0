import { readFile } from "node:fs/promises";
import type { Lookup } from "../domain/checks/dns-lookup.ts";
import { type DnsServer, parseResolvConf } from "../domain/network/dns-server.ts";
import { type Exchange, exchange } from "./dns-exchange.ts";
import { isAskable, type Question } from "./dns-packet.ts";

/** Asks the DNS anew each time: no cache of ours stands in between (decisions 3). */
export interface DnsClient {
  /**
   * Asks once, and once more, of the next server if there is one, where no clear answer comes.
   *
   * @param timeout milliseconds for all of it
   * @throws where our own servers can't be reached: that says nothing of the name
   */
  ask(question: Question, timeout: number): Promise<Lookup>;
}

/** How long one question waits for its answer at most, in milliseconds. */
const PATIENCE = 4000;

/** Every resolver knows the answer to this one by heart, whatever the state of the zones it is asked for. */
const ROOT: Question = { name: ".", type: "NS" };

/** @param given without any, the system's servers, looked up for each question */
export function createDnsClient(given?: DnsServer[]): DnsClient {
  let lastAnswer = Number.NEGATIVE_INFINITY;
  let signOfLife: Promise<boolean> | undefined;

  async function askOnce(server: DnsServer, question: Question, timeout: number): Promise<Exchange> {
    const answer = await exchange(server, question, timeout);
    if (typeof answer !== "string") lastAnswer = performance.now();
    return answer;
  }

  async function askTwice(servers: DnsServer[], question: Question, patience: number): Promise<Lookup> {
    const [first, second = first] = servers;
    if (!first || !second) throw new Error("there is no DNS server to ask");
    const start = performance.now();
    const before = await askOnce(first, question, patience);
    if (isClear(before)) return before;
    // A silent server may be dead, or may itself wait for the server of a dead zone. Where nobody has heard of it
    // meanwhile, it is asked something that it knows, beside the second try. Only where it is alive does the silence
    // count against the name.
    const alive = lastAnswer >= start || isAlive(patience);
    const after = await askOnce(second, question, patience);
    if (isClear(after)) return after;
    const failure = [after, before].find((one) => typeof one !== "string");
    if (failure) return failure;
    if ((await alive) || lastAnswer >= start) {
      return { recordType: question.type, values: [], failure: "timeout" };
    }
    throw new Error(`none of the DNS servers can be reached: ${servers.map(nameOf).join(", ")}`);
  }

  /** Once for all that ask at the same time: they would only drown each other's questions. */
  function isAlive(timeout: number): Promise<boolean> {
    signOfLife ??= anyAlive(timeout).finally(() => {
      signOfLife = undefined;
    });
    return signOfLife;
  }

  async function anyAlive(timeout: number): Promise<boolean> {
    const servers = given ?? (await systemServers());
    const asked = servers.map((server) => askOnce(server, ROOT, timeout).catch(() => "unreachable" as const));
    const answers = await Promise.all(asked);
    return answers.some((answer) => typeof answer !== "string");
  }

  return {
    async ask(question, timeout) {
      if (!isAskable(question.name)) return { recordType: question.type, values: [], failure: "nxdomain" };
      return askTwice(given ?? (await systemServers()), question, Math.min(PATIENCE, timeout * 0.45));
    },
  };
}

/** Whether there is no point in asking again. */
function isClear(answer: Exchange): answer is Lookup {
  if (typeof answer === "string") return false;
  return answer.failure === null || answer.failure === "nxdomain" || answer.failure === "no_data";
}

async function systemServers(): Promise<DnsServer[]> {
  return parseResolvConf(await readFile("/etc/resolv.conf", "utf8").catch(() => ""));
}

function nameOf({ address, port }: DnsServer): string {
  return port === 53 ? address : `${address} port ${port}`;
}
