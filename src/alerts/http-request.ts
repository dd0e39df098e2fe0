import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { RequestOptions as SecureOptions } from "node:https";
import type { LookupFunction } from "node:net";
import type { OutgoingRequest } from "../domain/alerts/services/service.ts";

/**
 * Interim responses (1xx) before the answer. Without a limit, they could keep the main thread busy until the timeout.
 */
const MAX_INTERIM = 10;

/** A request whose body may be encrypted. */
export type SealedRequest = Omit<OutgoingRequest, "body"> & { body?: string | Uint8Array };

/** The status line and the headers of an answer. */
export interface Head {
  statusCode?: number | undefined;
  headers: IncomingHttpHeaders;
}

/** @property body undefined if the receiver sent interim responses only */
interface Sent {
  head: Head;
  body?: IncomingMessage;
  request: ClientRequest;
}

/**
 * Makes a request on a connection of its own. Redirects are not followed.
 *
 * @param addresses of the host, to which alone it connects
 * @throws any error of the connection, and the reason of `signal`
 */
export async function send(
  to: URL,
  {
    method,
    body,
    headers,
    addresses,
    ca,
    signal,
  }: Omit<SealedRequest, "url"> & { addresses: string[]; ca?: string; signal: AbortSignal },
): Promise<Sent> {
  const { promise, resolve: done, reject } = Promise.withResolvers<Sent>();
  const options: SecureOptions = {
    method,
    headers: {
      ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
      "user-agent": "stillup",
      ...headers,
    },
    agent: false,
    lookup: lookupOf(addresses),
    signal,
    ...(ca && { ca }),
  };
  // Loaded at the first delivery, because it would delay each start.
  const { request: connect } = await (to.protocol === "https:" ? import("node:https") : import("node:http"));
  const request: ClientRequest = connect(to, options, (answer) =>
    done({ head: answer, body: answer, request }),
  );
  let interim = 0;
  request.on("information", (head) => {
    if (++interim > MAX_INTERIM) done({ head, request });
  });
  // After an upgrade the request no longer owns the socket: destroying or aborting the request leaves the socket open.
  request.on("upgrade", (head, socket) => {
    socket.destroy();
    done({ head, request });
  });
  request.on("error", reject);
  try {
    request.end(body);
  } catch (error) {
    // Headers that Node does not send. Otherwise the connection would stay open until the timeout, which nobody awaits then.
    request.destroy(error as Error);
    reject(error);
  }
  return promise;
}

/** @param value seconds, or a date (RFC 9110, 10.2.3) @returns milliseconds */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const delay = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(delay) ? undefined : Math.max(0, delay);
}

/** Makes a request connect only to the addresses that `resolve` allowed. */
function lookupOf(addresses: string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_, { all }, done) => {
    if (all) done(null, found);
    else done(null, found[0]?.address ?? "", found[0]?.family);
  };
}
