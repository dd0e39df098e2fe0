/** The thread of `resetting-server.ts`: its server accepts each connection and resets it at once. */
import { type AddressInfo, createServer } from "node:net";

declare const self: Worker;

const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.resetAndDestroy();
});
server.listen(0, "127.0.0.1", () => self.postMessage((server.address() as AddressInfo).port));
