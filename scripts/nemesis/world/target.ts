import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { ServerCertificate } from "../../../test/support/servers/certificates.ts";
import type { Manner } from "../plan/scenario.ts";

/** A target that can be up or down. */
export interface Switch {
  /** 0 without a port. */
  port: number;
  up(): void | Promise<void>;
  down(): void | Promise<void>;
}

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";

/** Starts a server that notes each connection that it accepts. */
export async function startTarget({
  type,
  manner,
  address,
  certificate,
  onArrival,
}: {
  type: "HTTP" | "TCP" | "TLS";
  manner: Manner;
  address: string;
  certificate: ServerCertificate;
  onArrival: () => void;
}): Promise<Switch> {
  const open = new Set<Socket>();
  let isUp = true;
  const welcome = (socket: Socket) => {
    onArrival();
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => open.delete(socket));
    socket.on("data", () => {
      if (type !== "HTTP") return;
      if (isUp) socket.end(OK);
      else if (manner === "closes") socket.destroy();
    });
  };
  const start = async (port: number): Promise<Server> => {
    const server = type === "TLS" ? createTlsServer(certificate, welcome) : createServer(welcome);
    server.on("tlsClientError", () => {});
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once("error", reject).listen(port, address, resolve);
    await promise;
    return server;
  };
  let server = await start(0);
  const { port } = server.address() as { port: number };
  return {
    port,
    async up() {
      isUp = true;
      if (manner === "refuses") server = await start(port);
    },
    down() {
      isUp = false;
      if (manner !== "refuses") return;
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
