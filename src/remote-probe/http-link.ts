import type { EvidenceLook, SentLook } from "../domain/evidence/asked-look.ts";
import type { PingAccess } from "../domain/locations/ping-access.ts";
import {
  type BatchAnswer,
  type ObservationBatch,
  POLL_FOR,
  PROTOCOL,
  PROTOCOL_HEADER,
  type Recheck,
  type Work,
  type WorkItem,
} from "../domain/locations/protocol.ts";
import { PROBED_TYPES } from "../domain/monitors/kinds/kinds.ts";
import { isIP } from "../domain/network/client-address.ts";

/** Milliseconds. A held request is answered after `POLL_FOR` at the latest. */
const POLL_TIMEOUT = POLL_FOR + 10_000;
const SEND_TIMEOUT = 15_000;

/** The longest wait that a server may ask for, in milliseconds. */
const MAX_RETRY_AFTER = 300_000;

/** Requests over HTTP. @param server its URL, without a trailing slash @param version of this program */
export function createHttpLink({
  server,
  key,
  version,
}: {
  server: string;
  key: string;
  version: string;
}): ServerLink {
  const headers = {
    authorization: `Bearer ${key}`,
    "user-agent": `stillup-probe/${version}`,
    [PROTOCOL_HEADER]: String(PROTOCOL),
  };

  async function request<T>(
    path: string,
    init: BunFetchRequestInit,
    isAnswer: (value: unknown) => value is T,
  ): Promise<T> {
    const response = await reached(() =>
      fetch(`${server}/api/v1/probe/${path}`, { ...init, redirect: "error" }),
    );
    const body = await reached(() => readJson(response));
    if (!response.ok) throw refusal(response, body);
    // A server that took the request has understood it.
    const { data } = Object(body);
    if (protocolOf(response) === null || !isAnswer(data)) throw incompatible(null);
    return data;
  }

  return {
    poll: (query, signal) =>
      request<Work>(
        `work?${parameters(query)}`,
        { headers, signal: AbortSignal.any([signal, AbortSignal.timeout(POLL_TIMEOUT)]) },
        isWork,
      ),
    send: (batch) =>
      request<BatchAnswer>(
        "results",
        {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(batch),
          signal: AbortSignal.timeout(SEND_TIMEOUT),
        },
        isBatchAnswer,
      ),
    async sendLook(look) {
      const response = await reached(() =>
        fetch(`${server}/api/v1/probe/looks`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(look),
          signal: AbortSignal.timeout(SEND_TIMEOUT),
          redirect: "error",
        }),
      );
      if (!response.ok) throw new LinkError("batch_refused", `the server answered ${response.status}`);
    },
  };
}

function parameters(query: PollQuery): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.set(name, String(value));
  return parameters;
}

/** @throws LinkError in place of each error of the connection */
async function reached<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof LinkError) throw error;
    const { name, message } = error as Error;
    throw new LinkError("away", name === "TimeoutError" ? "no answer in time" : message);
  }
}

function refusal(response: Response, body: unknown): LinkError {
  const { status } = response;
  if (status === 401) return new LinkError("key_refused", "the server does not accept the key");
  if (status === 429 || status >= 500)
    return new LinkError("away", `the server answered ${status}`, retryAfter(response));
  const protocol = protocolOf(response);
  if (!isUnderstoodBy(protocol)) return incompatible(protocol);
  const message = `the server answered ${status}: ${messageOf(body)}`;
  if (status === 413 || status === 422) return new LinkError("batch_refused", message);
  return new LinkError("incompatible", message);
}

/** @returns null without the header: the other side is no stillup server, or one without locations */
function protocolOf({ headers }: Response): number | null {
  const text = headers.get(PROTOCOL_HEADER);
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

/** Whether a server that speaks this protocol understands the protocol of this program: its own and the previous one. */
function isUnderstoodBy(protocol: number | null): boolean {
  return protocol !== null && PROTOCOL <= protocol && protocol - 1 <= PROTOCOL;
}

function incompatible(protocol: number | null): LinkError {
  if (protocol === null)
    return new LinkError("incompatible", `it is no stillup server with locations: ${CORRECT}`);
  const older = protocol < PROTOCOL ? "the server" : "this probe";
  const message = `the server speaks protocol ${protocol}, this probe ${PROTOCOL}: update ${older}`;
  return new LinkError("incompatible", message);
}

const CORRECT = "update it, or correct --server";

function messageOf(body: unknown): string {
  const { error } = Object(body);
  return typeof error === "string" ? error : "no reason";
}

/** The header of this server has seconds. @returns milliseconds */
function retryAfter({ headers }: Response): number {
  const seconds = Number(headers.get("retry-after") ?? 0);
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds * 1000), MAX_RETRY_AFTER) : 0;
}

/** Bytes. A work list has some hundred bytes for each monitor. */
const MAX_BODY = 16 * 1024 * 1024;

/**
 * Reads a body as JSON.
 *
 * @returns undefined if it is no JSON, such as the error page of a proxy
 * @throws LinkError `incompatible` if it is too large
 */
async function readJson({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_BODY) throw new LinkError("incompatible", `the answer has more than ${MAX_BODY} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(new TextDecoder().decode(Buffer.concat(chunks)));
  } catch {
    return undefined;
  }
}

/*
 * Requirements for the answers of the server. A probe trusts what a monitor is to be checked for, but an answer that
 * something in between has changed must not end the process.
 */

function isWork(value: unknown): value is Work {
  const { location, now, revision, monitors, rechecks, after } = Object(value);
  return (
    isText(location?.id) &&
    isText(location?.name) &&
    [now, revision, after].every(Number.isSafeInteger) &&
    (monitors === undefined || Array.isArray(monitors)) &&
    Array.isArray(rechecks)
  );
}

function isBatchAnswer(value: unknown): value is BatchAnswer {
  const { now, recorded, repeated, ignored, refused } = Object(value);
  return [now, recorded, repeated, ignored, refused].every(Number.isSafeInteger);
}

/** Whether this program can check the monitor. A newer server may have other types. */
export function isCheckable(item: unknown): item is WorkItem {
  const { monitorId, revision, type, config, offset } = Object(item);
  return (
    isText(monitorId) &&
    PROBED_TYPES.some((known) => known === type) &&
    [revision, offset, config?.interval].every(Number.isSafeInteger) &&
    config.interval > 0
  );
}

export function isRecheck(value: unknown): value is Recheck {
  const { monitorId, at } = Object(value);
  return isText(monitorId) && Number.isSafeInteger(at);
}

/** The looks that an answer asks for. A server of an earlier version asks for none. */
export function looksIn({ looks }: BatchAnswer): EvidenceLook[] {
  const isLook = (value: unknown): value is EvidenceLook => {
    const { evidenceId, addresses, port } = Object(value);
    return (
      isText(evidenceId) &&
      Array.isArray(addresses) &&
      addresses.every(isIP) &&
      (port === null || (Number.isSafeInteger(port) && port > 0 && port < 65_536))
    );
  };
  return Array.isArray(looks) ? looks.filter(isLook) : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Requests of a remote probe to its server. */
export interface ServerLink {
  /**
   * The work of the location. The server holds the request while there is nothing new.
   *
   * @throws LinkError
   */
  poll(query: PollQuery, signal: AbortSignal): Promise<Work>;
  /** @throws LinkError */
  send(batch: ObservationBatch): Promise<BatchAnswer>;
  /** @throws LinkError also `batch_refused` if the server does not want it any more */
  sendLook(look: SentLook): Promise<void>;
}

/** See `WorkQuery`. Without a revision, the request is answered at once with all monitors. */
export interface PollQuery {
  revision?: number;
  after?: number;
  waiting: number;
  dropped: number;
  ping: PingAccess;
  can: "reach";
}

/**
 * Why a request failed.
 *
 * - `away`: the server can't be reached, or can't take the request now.
 * - `key_refused`: the key belongs to no location, for example because it was deleted.
 * - `incompatible`: the server and the probe do not understand each other.
 * - `batch_refused`: the server takes the probe, but not this batch.
 */
export type LinkProblem = "away" | "key_refused" | "incompatible" | "batch_refused";

export class LinkError extends Error {
  override readonly name = "LinkError";

  /** @param retryAfter milliseconds after which the server wants the request again */
  constructor(
    readonly problem: LinkProblem,
    message: string,
    readonly retryAfter = 0,
  ) {
    super(message);
  }
}
