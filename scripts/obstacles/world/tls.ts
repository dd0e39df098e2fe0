import { connect, type Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import { startServer } from "../../../test/support/servers/tcp-server.ts";
import type { Kind } from "./certificates.ts";
import type { Answering } from "./changes.ts";
import { http, OK } from "./http.ts";
import type { Handler, Spot } from "./spot.ts";

interface TlsStandIn {
  /** The bytes that it sends inside TLS. */
  inside?: Answering;
  options?: TlsOptions;
  /** Passes its bytes on; default: at once. The next ones wait for it. */
  pass?: (bytes: Buffer, client: Socket) => Promise<void>;
}

/**
 * A server that speaks TLS. It is behind the listener of the place, which passes the bytes on, so that one certificate replaces
 * another without a refused connection.
 */
export function tls(kind: Kind, { inside = http(OK), options, pass }: TlsStandIn = {}): Answering {
  return async (spot) => {
    const certificate = await spot.certificates.issue(kind, spot.host);
    const port = await startInside(spot, { ...certificate, ...options }, await inside(spot));
    return (client) => {
      const server = connect({ host: "127.0.0.1", port });
      client.on("data", (bytes) => server.write(bytes));
      client.once("close", () => server.destroy());
      server.on("error", () => client.destroy());
      let passed = Promise.resolve();
      const afterwards = (act: () => unknown) => {
        passed = passed.then(act).then(() => {});
      };
      server.on("data", (bytes: Buffer) =>
        afterwards(() => (pass ? pass(bytes, client) : client.write(bytes))),
      );
      server.once("end", () => afterwards(() => client.end()));
    };
  };
}

async function startInside(spot: Spot, options: TlsOptions, handler: Handler): Promise<number> {
  let nth = 0;
  const server = await startServer((socket) => handler(socket, ++nth), { tls: options });
  return spot.own(server).port;
}
