import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { eventually } from "../../eventually.ts";
import { startServer } from "../../servers/tcp-server.ts";
import { runSql, sharedCluster } from "./cluster.ts";
import { findPrograms } from "./programs.ts";
import { DatabaseProxy, DISTANT } from "./proxy.ts";

/** A client of a proxy in front of a server that echoes. */
async function openEcho() {
  const server = await startServer((socket) => socket.on("data", (chunk) => socket.write(chunk)));
  const proxy = await DatabaseProxy.start({ host: "127.0.0.1", port: server.port });
  return {
    ...{ server, proxy },
    [Symbol.dispose]() {
      proxy[Symbol.dispose]();
      server[Symbol.dispose]();
    },
  };
}

class Peer {
  received = "";
  error = "";
  isClosed = false;
  readonly #socket: Socket;

  constructor(port: number) {
    this.#socket = connect({ host: "127.0.0.1", port });
    this.#socket.on("data", (chunk: Buffer) => {
      this.received += chunk.toString();
    });
    this.#socket.on("error", (error: NodeJS.ErrnoException) => {
      this.error = error.code ?? "";
    });
    this.#socket.on("close", () => {
      this.isClosed = true;
    });
  }

  send(text: string): void {
    this.#socket.write(text);
  }

  end(): void {
    this.#socket.end();
  }
}

test("a proxy forwards data and the end of a connection in both directions", async () => {
  using echo = await openEcho();
  const peer = new Peer(echo.proxy.port);
  peer.send("hello");
  await eventually(() => peer.received === "hello");
  peer.end();
  await eventually(() => echo.proxy.connections === 0);
});

test("a delay applies to each packet in each direction, in order", async () => {
  using echo = await openEcho();
  const peer = new Peer(echo.proxy.port);
  peer.send("a");
  await eventually(() => peer.received === "a");
  echo.proxy.become({ delay: 60 });
  const start = performance.now();
  peer.send("b");
  await eventually(() => peer.received === "ab");
  expect(performance.now() - start).toBeGreaterThanOrEqual(119);
  peer.send("c");
  await Bun.sleep(20);
  echo.proxy.become("fair");
  peer.send("d");
  await eventually(() => peer.received === "abcd");
});

test("a cut resets connections and refuses new ones until it is over", async () => {
  using echo = await openEcho();
  const peer = new Peer(echo.proxy.port);
  peer.send("a");
  await eventually(() => peer.received === "a");
  echo.proxy.become("cut");
  await eventually(() => peer.isClosed);
  const refused = new Peer(echo.proxy.port);
  await eventually(() => refused.isClosed);
  echo.proxy.become("fair");
  const next = new Peer(echo.proxy.port);
  next.send("b");
  await eventually(() => next.received === "b");
});

test("a black hole keeps packets of old and new connections, and they arrive after it", async () => {
  using echo = await openEcho();
  const peer = new Peer(echo.proxy.port);
  peer.send("a");
  await eventually(() => peer.received === "a");
  echo.proxy.become("black hole");
  peer.send("b");
  const another = new Peer(echo.proxy.port);
  another.send("x");
  await Bun.sleep(50);
  expect([peer.received, another.received, echo.server.received()]).toEqual(["a", "", "a"]);
  peer.end();
  echo.proxy.become("fair");
  await eventually(() => another.received === "x");
  expect(echo.server.received()).toContain("b");
});

test.skipIf(findPrograms() === undefined)("a proxy counts statements, however they are sent", async () => {
  using proxy = await DatabaseProxy.start(await sharedCluster());
  proxy.become(DISTANT);
  const config = proxy.config("postgres");
  const start = performance.now();
  await runSql(config, "BEGIN; SET LOCAL statement_timeout = 1");
  expect(performance.now() - start).toBeGreaterThanOrEqual(4 * DISTANT.delay);
  expect(proxy.statements).toBe(1);
  const long = "x".repeat(1_000_000);
  expect(await runSql<{ length: number }>(config, "SELECT length($1)", [long])).toEqual([
    { length: 1_000_000 },
  ]);
  expect(proxy.statements).toBe(2);
});
