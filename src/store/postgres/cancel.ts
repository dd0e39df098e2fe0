import { connect } from "node:net";
import type pg from "pg";

/** Missing in the types of `pg`: how to name a connection to its server. */
interface Session {
  host: string;
  port: number;
  processID: number | null;
  secretKey: number | null;
}

/** Milliseconds. */
const PATIENCE = 1000;

const CANCEL = 80_877_102;

/**
 * Asks the server, or a pooler, to end the statement that a connection waits for. Without that, the statement would go on
 * for as long as it takes, although nobody waits for it: a server notices a closed connection only when it answers.
 *
 * The request is not encrypted: servers accept it without TLS even if they require TLS, and it holds no reusable secret.
 *
 * @returns when the server has taken the request, or at the end of its patience; never rejects
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 */
export function cancelStatement(client: pg.ClientBase): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as Session;
  const { promise, resolve } = Promise.withResolvers<void>();
  if (processID === null || secretKey === null) return Promise.resolve();
  const socket = connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  const end = () => {
    clearTimeout(timer);
    socket.destroy();
    resolve();
  };
  const timer = setTimeout(end, PATIENCE);
  socket.on("error", end).on("close", end).resume();
  socket.write(requestOf(processID, secretKey));
  return promise;
}

function requestOf(processID: number, secretKey: number): Buffer {
  const request = Buffer.alloc(16);
  for (const [at, value] of [request.length, CANCEL, processID, secretKey].entries())
    request.writeInt32BE(value, 4 * at);
  return request;
}
