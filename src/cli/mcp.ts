import { setTimeout } from "node:timers/promises";
import { type Static, Type } from "@sinclair/typebox";
import { Command } from "commander";
import { fetchBounded, textOf } from "../bounded-fetch.ts";
import { type Flags, type Remote, remoteSettings, UsageError } from "../config.ts";
import { parsedJson } from "../import/imported.ts";
import { visibleLine } from "../log.ts";
import { authorizationFor, Failure, fits, foreignAnswer, UNAUTHORIZED } from "./configuration-client.ts";
import { findRemote } from "./context.ts";
import { serverFault } from "./failure.ts";
import { say, warn, withSettings } from "./options.ts";
import { stopped } from "./service-manager.ts";

/*
 * The Model Context Protocol over standard input and output: each line is a message for `POST /mcp` of a server, and each answer is a
 * line. Without the transport of the SDK: it gives no answer to a line that is no message, and ends at a line that is too long.
 */

const NO_SERVER =
  "give the server: --server URL and --key-file FILE, STILLUP_SERVER and STILLUP_KEY_FILE, or sign in with stillup login URL";

/** Behavior 29.40 to 29.48. */
export function mcpCommand(): Command {
  const command = new Command("mcp").description(
    "serve agents: the Model Context Protocol on standard input and output, for a server",
  );
  return withSettings(command, remoteSettings, {
    server: "URL of the server; default: the server of stillup login",
    keyFile: "file with an API key; a viewer can ask, an admin can also change",
  }).action(async (flags: Flags) => {
    const remote = findRemote(flags, { mayUseDatabase: false });
    if (!remote) throw new UsageError(NO_SERVER);
    const bridge = createBridge(remote, warn);
    if (process.stdin.isTTY) say("Waiting for messages of a client on standard input: see docs/mcp.md");
    await Promise.race([relay(bridge), closedOutput(), stopped()]);
  });
}

/** Resolves when nobody reads the answers any more. */
function closedOutput(): Promise<void> {
  return new Promise((resolve) => process.stdout.once("error", () => resolve()));
}

/** Bytes of a message and of an answer. The server takes less, and then says so with the ID of the request. */
const MAX_MESSAGE = 32 * 1024 * 1024;

/** Messages that wait for their answers at once. Further ones are not read yet. */
const MAX_AT_ONCE = 32;

/** Answers the messages on standard input until its end, and until the last answer is written. */
async function relay(bridge: Bridge): Promise<void> {
  const running = new Set<Promise<void>>();
  for await (const line of linesOf(process.stdin, MAX_MESSAGE)) {
    const one = bridge.answer(line).then(write);
    running.add(one);
    one.finally(() => running.delete(one));
    if (running.size >= MAX_AT_ONCE) await Promise.race(running);
  }
  await Promise.all(running);
}

function write(answer: object | undefined): Promise<void> | undefined {
  if (answer === undefined) return;
  return new Promise((resolve) => process.stdout.write(`${JSON.stringify(answer)}\n`, () => resolve()));
}

/**
 * The lines of a stream of bytes, without their ends. Empty lines are left out.
 *
 * @param most bytes of a line @returns undefined for a longer line, of which nothing is kept
 */
export async function* linesOf(
  stream: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<string | undefined> {
  let parts: Uint8Array[] = [];
  let size = 0;

  function keep(part: Uint8Array): void {
    size += part.length;
    if (size > most) parts = [];
    else parts.push(part);
  }

  function end(): string | undefined {
    const line = size > most ? undefined : Buffer.concat(parts).toString().trim();
    parts = [];
    size = 0;
    return line;
  }

  for await (const chunk of stream) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, at));
      from = at + 1;
      const line = end();
      if (line !== "") yield line;
    }
    keep(chunk.subarray(from));
  }
  const last = end();
  if (last !== "") yield last;
}

/** Answers the messages of a client by the API of a server. */
export interface Bridge {
  /**
   * @param line undefined for one that is too long
   * @returns the JSON-RPC answer; undefined if there is none: for a notification, and for a request that was cancelled
   */
  answer(line: string | undefined): Promise<object | undefined>;
}

/** A request, or a notification, which has no `id`. */
const Message = Type.Object({
  jsonrpc: Type.Literal("2.0"),
  method: Type.String(),
  id: Type.Optional(Type.Union([Type.String(), Type.Number()])),
});
const Cancelled = Type.Object({
  method: Type.Literal("notifications/cancelled"),
  params: Type.Object({ requestId: Type.Union([Type.String(), Type.Number()]) }),
});
const Result = Type.Object({ result: Type.Object({}) });
const RpcError = Type.Object({ error: Type.Object({ code: Type.Integer(), message: Type.String() }) });
const Initialized = Type.Object({ result: Type.Object({ protocolVersion: Type.String() }) });

type Id = NonNullable<Static<typeof Message>["id"]>;

/* Codes of errors (JSON-RPC 2.0, section 5.1). */
const NOT_JSON = -32700;
const NO_MESSAGE = -32600;
const SERVER_FAULT = -32000;

/** Milliseconds. A replay reads the results of months. */
const TIMEOUT = 120_000;

/** How long a request waits for a server that restarts, and between two attempts, in milliseconds. */
const PATIENCE = 15_000;
const PAUSE = 250;

/** @throws UsageError if the file has no key */
export function createBridge(remote: Remote, warn: (sentence: string) => void): Bridge {
  const { server } = remote;
  const headers: Record<string, string> = {
    authorization: authorizationFor(remote, warn),
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  /** The requests without an answer. */
  const open = new Map<Id, AbortController>();
  /** Only a server that has answered restarts; the URL of another one is wrong. */
  let hasAnswered = false;

  async function answer(line: string | undefined): Promise<object | undefined> {
    if (line === undefined) return failure(null, NO_MESSAGE, `the line is longer than ${MAX_MESSAGE} bytes`);
    const message = parsedJson(line);
    if (message === undefined) return failure(null, NOT_JSON, "the line is not JSON");
    if (fits(Result, message) || fits(RpcError, message)) return undefined;
    if (!fits(Message, message))
      return failure(
        null,
        NO_MESSAGE,
        "each line must be one message of JSON-RPC 2.0, with a text or number as id",
      );
    const { id } = message;
    if (fits(Cancelled, message)) open.get(message.params.requestId)?.abort();
    if (id !== undefined) return answerRequest(line, id);
    await send(line, AbortSignal.timeout(TIMEOUT)).catch(() => {});
    return undefined;
  }

  async function answerRequest(line: string, id: Id): Promise<object | undefined> {
    const controller = new AbortController();
    open.set(id, controller);
    try {
      const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(TIMEOUT)]);
      const { status, body } = await send(line, signal);
      if (fits(Initialized, body)) headers["mcp-protocol-version"] = body.result.protocolVersion;
      if (fits(Result, body)) return { jsonrpc: "2.0", id, result: body.result };
      if (fits(RpcError, body)) return { jsonrpc: "2.0", id, error: body.error };
      return failure(id, SERVER_FAULT, `${server}: ${visibleLine(reasonOf(status, body))}`);
    } catch (error) {
      if (controller.signal.aborted) return undefined;
      return failure(id, SERVER_FAULT, `${server}: ${visibleLine(serverFault(error, TIMEOUT))}`);
    } finally {
      if (open.get(id) === controller) open.delete(id);
    }
  }

  /** @throws the error of `fetch` */
  async function send(body: string, signal: AbortSignal): Promise<{ status: number; body: unknown }> {
    for (let left = PATIENCE; ; left -= PAUSE) {
      try {
        const init = { method: "POST", body, headers, redirect: "manual", signal } as const;
        const answer = await fetchBounded(`${server}/mcp`, init, MAX_MESSAGE);
        hasAnswered = true;
        return { status: answer.status, body: parsedJson(textOf(answer)) };
      } catch (error) {
        const isAway = (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
        if (!isAway || !hasAnswered || left <= 0) throw error;
        await setTimeout(PAUSE, undefined, { signal });
      }
    }
  }

  return { answer };
}

function failure(id: Id | null, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function reasonOf(status: number, body: unknown): string {
  if (status === 404) return "it has no /mcp: its version is older, or the URL is wrong";
  if (status === 401) return UNAUTHORIZED;
  return fits(Failure, body) ? body.error : foreignAnswer(status);
}
