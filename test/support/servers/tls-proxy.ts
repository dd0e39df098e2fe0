import { connect, type Socket } from "node:net";
import { startServer, type TestServer } from "./tcp-server.ts";

/** An unencrypted message of a handshake, up to TLS 1.2. */
export interface HandshakeMessage {
  type: number;
  bytes: Buffer;
}

export const SERVER_KEY_EXCHANGE = 12;
export const SERVER_HELLO_DONE = 14;
const HANDSHAKE = 22;
const HANDSHAKE_FAILURE = Buffer.from([21, 3, 3, 0, 2, 2, 40]);

/**
 * A proxy that changes the first messages of a TLS 1.2 server, like an attacker who has the certificate without its key.
 *
 * @param change returns the messages for the client; if they are fewer, an alert follows
 */
export function startTlsProxy(
  port: number,
  change: (messages: HandshakeMessage[]) => HandshakeMessage[],
): Promise<TestServer> {
  return startServer((client) => {
    const server = connect({ host: "127.0.0.1", port });
    client.on("data", (chunk) => server.write(chunk));
    client.once("close", () => server.destroy());
    server.on("error", () => client.destroy());
    server.once("close", () => client.end());
    changeFlight(server, client, change);
  });
}

function changeFlight(
  server: Socket,
  client: Socket,
  change: (messages: HandshakeMessage[]) => HandshakeMessage[],
) {
  let read = Buffer.alloc(0);
  const collect = (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    const messages = messagesIn(read);
    if (messages.at(-1)?.type !== SERVER_HELLO_DONE) return;
    server.off("data", collect);
    server.on("data", (later) => client.write(later));
    const changed = change(messages);
    client.write(recordOf(Buffer.concat(changed.map(({ bytes }) => bytes))));
    if (changed.length < messages.length) client.end(HANDSHAKE_FAILURE);
  };
  server.on("data", collect);
}

/** The complete messages in the records received so far. */
function messagesIn(records: Buffer): HandshakeMessage[] {
  const parts: Buffer[] = [];
  for (let at = 0; at + 5 <= records.length; at += 5 + records.readUInt16BE(at + 3)) {
    if (records[at] === HANDSHAKE)
      parts.push(records.subarray(at + 5, at + 5 + records.readUInt16BE(at + 3)));
  }
  const all = Buffer.concat(parts);
  const messages: HandshakeMessage[] = [];
  for (let at = 0; at + 4 <= all.length; ) {
    const end = at + 4 + all.readUIntBE(at + 1, 3);
    if (end > all.length) break;
    messages.push({ type: all.readUInt8(at), bytes: all.subarray(at, end) });
    at = end;
  }
  return messages;
}

function recordOf(messages: Buffer): Buffer {
  const head = Buffer.from([HANDSHAKE, 3, 3, 0, 0]);
  head.writeUInt16BE(messages.length, 3);
  return Buffer.concat([head, messages]);
}
