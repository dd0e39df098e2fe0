import { setTimeout } from "node:timers/promises";
import { serverFault } from "../server-fault.ts";

/* Milliseconds: a job waits no longer for a server that is away. */

const START_WITHIN = 5000;
const END_WITHIN = 5000;

/** How long the end waits for the answer to the start, which must not arrive after it. */
const START_BEFORE_END = 2000;

/** Before each further attempt. */
const PAUSES = [250, 500, 1000, 2000];

/** Reports a run of a job to the server (behavior 18.41). The URL is a secret: no message repeats it. */
export class RunReport {
  readonly #url: URL;
  readonly #ended = new AbortController();
  readonly #startIsLate = new AbortController();
  #start: Promise<string | null> = Promise.resolve(null);

  /** @param url a check-in URL or a ping address; its parameters are kept */
  constructor(url: URL) {
    this.#url = new URL(url);
    const rid = `rid=${crypto.randomUUID()}`;
    if (!url.searchParams.has("rid")) this.#url.search = url.search ? `${url.search}&${rid}` : rid;
  }

  /** Sends the start, beside the command. */
  start(): void {
    const within = AbortSignal.any([AbortSignal.timeout(START_WITHIN), this.#startIsLate.signal]);
    this.#start = send(this.#address("start"), { within, noMore: this.#ended.signal });
  }

  /**
   * Sends the end.
   *
   * @param output at most `MAX_OUTPUT` bytes @returns what the server does not know, and why, as a sentence; null if it knows all
   */
  async end(code: number, output: Uint8Array<ArrayBuffer>): Promise<string | null> {
    // If the start were tried again now, the run would have no duration.
    this.#ended.abort();
    const within = AbortSignal.timeout(END_WITHIN);
    const late = AbortSignal.timeout(START_BEFORE_END);
    late.onabort = () => this.#startIsLate.abort(late.reason);
    const startFault = await this.#start;
    const endFault = await send(this.#address(`${code}`), { body: output, within, noMore: within });
    const fault = endFault ?? startFault;
    if (fault === null) return null;
    return `the ${endFault ? "end" : "start"} of the run could not be reported to ${this.#url.origin}: ${fault}`;
  }

  #address(action: string): string {
    const address = new URL(this.#url);
    address.pathname = `${address.pathname.replace(/\/+$/, "")}/${action}`;
    return address.href;
  }
}

interface Sending {
  body?: Uint8Array<ArrayBuffer>;
  within: AbortSignal;
  /** Once it is aborted, there is no further attempt. */
  noMore: AbortSignal;
}

/** @returns why the server did not take it; null if it did */
async function send(url: string, { body, within, noMore }: Sending): Promise<string | null> {
  let last = await attempt(url, body, within);
  const pausesEnd = AbortSignal.any([within, noMore]);
  for (const pause of PAUSES) {
    if (last.isFinal || pausesEnd.aborted) break;
    await setTimeout(pause, undefined, { signal: pausesEnd }).catch(() => {});
    if (pausesEnd.aborted) break;
    const next = await attempt(url, body, within);
    // If only the time ran out, the earlier answer says more.
    if (next.fault === null || !within.aborted) last = next;
  }
  return last.fault;
}

async function attempt(
  url: string,
  body: Uint8Array<ArrayBuffer> | undefined,
  signal: AbortSignal,
): Promise<{ fault: string | null; isFinal: boolean }> {
  try {
    const headers = { "content-type": "text/plain; charset=utf-8" };
    const { ok, status } = await fetch(url, {
      ...{ method: "POST", redirect: "manual", signal, headers },
      ...(body && { body }),
    });
    const isFinal = status < 500 && status !== 429;
    return { fault: ok ? null : (reasons[status] ?? `it answered ${status}`), isFinal };
  } catch (error) {
    const fault = signal.aborted ? "it did not answer in time" : serverFault(error, END_WITHIN);
    return { fault, isFinal: false };
  }
}

const reasons: Record<number, string> = {
  301: "it answered 301: the URL has another address now",
  308: "it answered 308: the URL has another address now",
  404: "it knows no job with this URL",
};
