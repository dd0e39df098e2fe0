import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { freePort } from "../free-port.ts";

export interface TestServer extends Disposable {
  port: number;
  /** All data that it has received so far. */
  received(): string;
}

/** A real server. @param onConnection handles each connection @param tls speaks TLS with this certificate */
export async function startServer(
  onConnection: (socket: Socket) => void,
  { host = "127.0.0.1", port = 0, tls }: { host?: string; port?: number; tls?: TlsOptions } = {},
): Promise<TestServer> {
  const connections = new Set<Socket>();
  let received = "";
  const welcome = (socket: Socket) => {
    connections.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString();
    });
    onConnection(socket);
  };
  const server = tls ? createTlsServer(tls, welcome) : createServer(welcome);
  await new Promise<void>((done, failed) => server.once("error", failed).listen(port, host, done));
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    [Symbol.dispose]() {
      server.close();
      for (const connection of connections) connection.destroy();
    },
  };
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  return freePort();
}

export const silent = () => {};

/** Answers the first data of a connection, and closes it. */
export const answering = (answer: string) => (socket: Socket) => {
  socket.once("data", () => socket.end(answer));
};
