import { connect, type Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import { startServer, type TestServer } from "./tcp-server.ts";

/** One character for each byte, as in all texts of such a server. */
export const bytes = (text: string) => Buffer.from(text, "latin1");

/**
 * @property greeting sent to each connection
 * @property answers by a part of what the client says, each for one request
 * @property tls begins after the answer to the last request; without answers, after the greeting and any request
 */
interface Script {
  greeting?: string;
  answers?: Record<string, string>;
  tls?: TlsOptions;
}

/** A server that speaks a protocol in plain text, and then TLS. */
export async function startTalking({ greeting = "", answers = {}, tls }: Script): Promise<TestServer> {
  const secure = tls && (await startServer(() => {}, { tls }));
  const plain = await startServer((socket) => {
    socket.write(bytes(greeting));
    const open = Object.entries(answers);
    socket.on("data", function answer(said: Buffer) {
      const [request = "", text = ""] = open.shift() ?? [];
      const [, rest] = said.toString("latin1").split(request);
      if (rest === undefined) return void socket.destroy();
      socket.write(bytes(text));
      if (open.length > 0) return;
      socket.off("data", answer);
      // A client of MySQL does not wait for an answer before the handshake.
      if (secure) join(socket, secure.port, rest.startsWith("\x16\x03") ? bytes(rest) : Buffer.alloc(0));
    });
  });
  return {
    port: plain.port,
    received: () => plain.received() + (secure?.received() ?? ""),
    [Symbol.dispose]() {
      plain[Symbol.dispose]();
      secure?.[Symbol.dispose]();
    },
  };
}

/** @param early what the client has already said to the other server */
function join(client: Socket, port: number, early: Buffer): void {
  const server = connect(port, "127.0.0.1");
  server.on("error", () => client.destroy());
  client.on("close", () => server.destroy());
  server.write(early);
  client.pipe(server).pipe(client);
}

/** The handshake packet of a MySQL server. @param capabilities the lower half of them */
export function mysqlHandshake({ version = "8.0.39", capabilities = 0xffff } = {}): string {
  const low = String.fromCharCode(capabilities & 0xff, capabilities >> 8);
  return mysqlPacket(`\x0a${version}\0\x08\0\0\0saltsalt\0${low}\xff\x02\0\xff\xdf\x15${"\0".repeat(10)}`);
}

export function mysqlPacket(content: string): string {
  return `${String.fromCharCode(content.length & 0xff, content.length >> 8, 0, 0)}${content}`;
}
