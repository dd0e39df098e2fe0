import { setTimeout } from "node:timers/promises";
import { serverFault } from "../failure.ts";
import { environment } from "./command.ts";

/** The word that lets this program report the end of a run that is over, as in `program.ts`: no command of users. */
const LATE_END = "report-late-end";

/** Bun runs a compiled program from this folder, which exists only for it. */
const COMPILED = "/$bunfs/";

/**
 * Lets a process of its own report the end of a run, so that the caller of `stillup run` does not wait for a server that is away (behavior
 * 18.49). It has nothing that its caller may wait for: no output, terminal or folder.
 */
export async function leaveLateEnd({ url, output }: LateEnd): Promise<void> {
  const program = Bun.main.startsWith(COMPILED) ? [process.execPath] : [process.execPath, Bun.main];
  const child = Bun.spawn([...program, LATE_END], {
    ...{ stdin: "pipe", stdout: "ignore", stderr: "ignore" },
    ...{ detached: true, cwd: "/", env: environment() },
  });
  // The URL is a secret, which the arguments of a process would show.
  child.stdin.write(`${url}\n`);
  child.stdin.write(output);
  await child.stdin.end();
  child.unref();
}

/** Reports what `leaveLateEnd` wrote to the input of this process. */
export async function reportLateEnd(): Promise<void> {
  const given = await Bun.stdin.bytes();
  const line = given.indexOf(10);
  await sendLate({
    url: new TextDecoder().decode(given.subarray(0, line)),
    output: new Uint8Array(given.subarray(line + 1)),
  });
}

/* Milliseconds: a job waits no longer for a server that is away. */

const START_WITHIN = 5000;
const END_WITHIN = 5000;

/** How long the end waits for the answer to the start, which must not arrive after it. */
const START_BEFORE_END = 2000;

/** Before each further attempt. */
const PAUSES = [250, 500, 1000, 2000];

/** For how long a process of its own tries to report an end that could not be reported at once, and its pauses; milliseconds. */
const LATE_WITHIN = 55_000;
const LATE_PAUSES = [1000, 2000, 4000, 8000, 8000, 8000, 8000, 8000];

/** An end that the server may take later. */
interface LateEnd {
  url: string;
  output: Uint8Array<ArrayBuffer>;
}

/** A report that the server does not have, and why. @property late null if the server refused the end, or knows it */
interface Unreported {
  sentence: string;
  late: LateEnd | null;
}

/** Reports a run of a job to the server (behavior 18.41). The URL is a secret: no message repeats it. */
export class RunReport {
  readonly #url: URL;
  readonly #ended = new AbortController();
  readonly #startIsLate = new AbortController();
  #start: Promise<Failed | null> = Promise.resolve(null);

  /** @param url a check-in URL or a ping address; its parameters are kept */
  constructor(url: URL) {
    this.#url = new URL(url);
    const rid = `rid=${crypto.randomUUID()}`;
    if (!url.searchParams.has("rid")) this.#url.search = url.search ? `${url.search}&${rid}` : rid;
  }

  /** Sends the start, beside the command. */
  start(): void {
    const within = AbortSignal.any([AbortSignal.timeout(START_WITHIN), this.#startIsLate.signal]);
    this.#start = send(this.#address("start"), { within, noMore: this.#ended.signal, pauses: PAUSES });
  }

  /**
   * Sends the end.
   *
   * @param output at most `MAX_OUTPUT` bytes @returns null if the server knows all
   */
  async end(code: number, output: Uint8Array<ArrayBuffer>): Promise<Unreported | null> {
    // If the start were tried again now, the run would have no duration.
    this.#ended.abort();
    const within = AbortSignal.timeout(END_WITHIN);
    const late = AbortSignal.timeout(START_BEFORE_END);
    late.onabort = () => this.#startIsLate.abort(late.reason);
    const start = await this.#start;
    const url = this.#address(`${code}`);
    const end = await send(url, { body: output, within, noMore: within, pauses: PAUSES });
    const failed = end ?? start;
    if (failed === null) return null;
    const what = end ? "end" : "start";
    return {
      sentence: `the ${what} of the run could not be reported to ${this.#url.origin}: ${failed.fault}`,
      late: end && !end.isFinal ? { url, output } : null,
    };
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
  /** Milliseconds before each further attempt. */
  pauses: readonly number[];
}

/** Why the server did not take a report. @property isFinal whether it would not take it later either */
interface Failed {
  fault: string;
  isFinal: boolean;
}

/** Tries to report an end that could not be reported at once, in a process that nobody waits for. */
async function sendLate({ url, output }: LateEnd): Promise<void> {
  const within = AbortSignal.timeout(LATE_WITHIN);
  const [first = 0, ...pauses] = LATE_PAUSES;
  await setTimeout(first);
  await send(url, { body: output, within, noMore: within, pauses });
}

/** @returns null if the server took it */
async function send(url: string, { body, within, noMore, pauses }: Sending): Promise<Failed | null> {
  let last = await attempt(url, body, within);
  const pausesEnd = AbortSignal.any([within, noMore]);
  for (const pause of pauses) {
    if (last === null || last.isFinal || pausesEnd.aborted) break;
    await setTimeout(pause, undefined, { signal: pausesEnd }).catch(() => {});
    if (pausesEnd.aborted) break;
    const next = await attempt(url, body, within);
    // If only the time ran out, the earlier answer says more.
    if (next === null || !within.aborted) last = next;
  }
  return last;
}

async function attempt(
  url: string,
  body: Uint8Array<ArrayBuffer> | undefined,
  signal: AbortSignal,
): Promise<Failed | null> {
  try {
    const headers = { "content-type": "text/plain; charset=utf-8" };
    const { ok, status } = await fetch(url, {
      ...{ method: "POST", redirect: "manual", signal, headers },
      ...(body && { body }),
    });
    const isFinal = status < 500 && status !== 429;
    return ok ? null : { fault: reasons[status] ?? `it answered ${status}`, isFinal };
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
