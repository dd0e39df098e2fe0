/** The thread of `deaf-server.ts`: its servers accept no connection until the flag is set. Then they answer the first data with a delay. */
import { dlopen } from "bun:ffi";
import type { AddressInfo, Server } from "node:net";
import { createServer } from "node:net";
import type { DeafWorkerSetup } from "./deaf-server.ts";

/** Milliseconds before the response, so that the other attempts to connect are answered first. */
const DELAY = 700;

declare const self: Worker;

self.onmessage = async ({ data: { flag, hosts, port } }: MessageEvent<DeafWorkerSetup>) => {
  let listening = port;
  for (const host of hosts) {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      // The status code identifies the address of the server.
      const answer = `HTTP/1.1 ${200 + lastNumber(socket.localAddress)} Here\r\n\r\n`;
      socket.once("data", () => setTimeout(() => socket.end(answer), DELAY));
    });
    await new Promise<void>((done) => server.listen({ port: listening, host }, done));
    shortenQueue(server);
    listening = (server.address() as AddressInfo).port;
  }
  self.postMessage(listening);
  // The message must be sent before the thread blocks.
  setImmediate(() => Atomics.wait(flag, 0, 0));
};

const libc = dlopen("libc.so.6", { listen: { args: ["int", "int"], returns: "int" } });

/** Bun always asks for a queue of 512 connections, which take a second to open. The last call of `listen` counts. */
function shortenQueue(server: Server): void {
  const { fd } = (server as Server & { _handle: { fd: number } })._handle;
  if (libc.symbols.listen(fd, 1) !== 0) throw new Error(`the queue of descriptor ${fd} can't be shortened`);
}

function lastNumber(address = ""): number {
  return Number(address.split(".").at(-1));
}
