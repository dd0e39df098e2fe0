/** The thread of servers that do not accept any connection until it is told to. Then they answer any first data, after a while. */
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import type { DeafOrder } from "./deaf-server.ts";

/** Milliseconds in which attempts to connect that began a little later are answered, too. */
const DELAY = 700;

declare const self: Worker;

self.onmessage = async ({ data: { flag, hosts, port } }: MessageEvent<DeafOrder>) => {
  let listening = port;
  for (const host of hosts) {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      // The code tells the address that it came from.
      const answer = `HTTP/1.1 ${200 + lastNumber(socket.localAddress)} Here\r\n\r\n`;
      socket.once("data", () => setTimeout(() => socket.end(answer), DELAY));
    });
    await new Promise<void>((done) => server.listen({ port: listening, host, backlog: 1 }, done));
    listening = (server.address() as AddressInfo).port;
  }
  self.postMessage(listening);
  // The message leaves before the thread stands still.
  setImmediate(() => Atomics.wait(flag, 0, 0));
};

function lastNumber(address = ""): number {
  return Number(address.split(".").at(-1));
}
