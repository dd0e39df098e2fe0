/** The thread of a server that does not accept any connection until it is told to. */
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

declare const self: Worker;

self.onmessage = ({ data: flag }: MessageEvent<Int32Array>) => {
  const server = createServer((socket) => socket.on("error", () => {}));
  server.listen(0, "127.0.0.1", () => {
    self.postMessage((server.address() as AddressInfo).port);
    // The message leaves before the thread stands still.
    setImmediate(() => Atomics.wait(flag, 0, 0));
  });
};
