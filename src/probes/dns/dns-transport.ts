import { createSocket } from "node:dgram";
import { isIPv6, connect as openTcp } from "node:net";
import type { DnsServer } from "../../domain/network/dns-server.ts";
import type { Closable } from "../lifetime.ts";

/** Called while a socket is open. */
export interface Received {
  /** A datagram over UDP; over TCP some bytes, split anywhere. */
  data(bytes: Buffer): void;
  /** The server closed the connection. */
  end(): void;
  /** @param error of the socket */
  fail(error: Error): void;
}

/** Sends one message to a DNS server on a new socket, until that is closed. */
export type Send = (server: DnsServer, message: Buffer, received: Received) => Closable;

/** The sockets and timers of DNS queries. */
export interface DnsTransport {
  udp: Send;
  tcp: Send;
  /** @param ms delay */
  after(ms: number, expire: () => void): Closable;
}

export const systemTransport: DnsTransport = {
  udp({ address, port }, message, { data, fail }) {
    const socket = createSocket(isIPv6(address.replace(/%.*/, "")) ? "udp6" : "udp4");
    let isClosed = false;
    socket.on("error", fail);
    socket.on("message", data);
    // On a connected UDP socket, the system drops datagrams of other senders and reports that nothing listens.
    socket.once("connect", () => {
      if (!isClosed) socket.send(message);
    });
    socket.connect(port, address);
    return {
      close() {
        isClosed = true;
        socket.close();
      },
    };
  },

  tcp({ address, port }, message, { data, end, fail }) {
    const socket = openTcp({ host: address, port });
    socket.on("error", fail);
    socket.on("data", data);
    socket.once("close", end);
    socket.once("connect", () => socket.write(message));
    return { close: () => void socket.destroy() };
  },

  after(ms, expire) {
    const timer = setTimeout(expire, ms);
    return { close: () => clearTimeout(timer) };
  },
};
