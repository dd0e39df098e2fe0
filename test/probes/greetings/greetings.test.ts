import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { GreetingProtocol } from "../../../src/domain/monitors/kinds/tcp.ts";
import { eventually } from "../../support/eventually.ts";
import { observation } from "../../support/probes/observation.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";
import { bytes, mysqlHandshake, mysqlPacket, startTalking } from "../../support/servers/talking-server.ts";
import { closedPort, silent, startServer } from "../../support/servers/tcp-server.ts";

const openDescriptors = () => readdirSync("/proc/self/fd").length;

const see = (protocol: GreetingProtocol, port: number, timeout = 2000) =>
  observation("TCP", { host: "127.0.0.1", port, protocol }, { timeout });

/** Servers that wait for the client, with what they wait for. */
const REQUESTS: { [P in GreetingProtocol]?: string } = { redis: "PING", postgres: "\x04\xd2\x16\x2f" };

const startGreeting = (protocol: GreetingProtocol, said: string) => {
  const request = REQUESTS[protocol];
  return request ? startTalking({ answers: { [request]: said } }) : startTalking({ greeting: said });
};

describe("behavior 20.10: a greeting of the protocol is up", () => {
  test.each<[GreetingProtocol, string]>([
    ["smtp", "220 mail.test ESMTP\r\n"],
    ["smtp", "220-mail.test\r\n220-second line\r\n220 ready\r\n"],
    ["smtp", "220\r\n"],
    ["smtp", "220 bare line feed\n"],
    ["ftp", "220-Welcome\r\n  230 of our friends\r\nfree text\r\n220-not yet\r\n220 Ready.\r\n"],
    ["imap", "* OK [CAPABILITY IMAP4rev1] ready\r\n"],
    ["imap", "* ok ready\r\n"],
    ["imap", "* PREAUTH signed in as alice\r\n"],
    ["pop3", "+OK\r\n"],
    ["pop3", "+OK <1896.697170952@mail.test>\r\n"],
    ["ssh", "SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n"],
    ["ssh", "SSH-1.99-old\n"],
    ["ssh", "Authorized use only.\r\n\r\nSSH-2.0-OpenSSH_9.2p1\r\n"],
    ["mysql", mysqlHandshake()],
    ["mysql", mysqlHandshake({ version: "5.5.5-10.11.6-MariaDB", capabilities: 0 })],
    ["mysql", mysqlPacket("\x093.20\0\x01\0\0\0salt")],
    ["redis", "+PONG\r\n"],
    ["redis", "-NOAUTH Authentication required.\r\n"],
    ["redis", "-NOPERM this user has no permissions to run the 'ping' command\r\n"],
    ["postgres", "S"],
    ["postgres", "N"],
  ])("%s: %j", async (protocol, said) => {
    using server = await startGreeting(protocol, said);
    const seen = await see(protocol, server.port);
    expect(seen).toEqual({
      outcome: "reached",
      latencyMs: expect.any(Number),
      detail: {
        address: "127.0.0.1",
        phases: { resolve: expect.any(Number), connect: expect.any(Number) },
      },
    });
  });
});

const CODE = (does: string, code: number) => ({ code, message: `the server ${does}` });
const SAYS = (does: string) => ({ message: `the server ${does}` });
const foreign = (name: string) => SAYS(`does not speak ${name} on that port`);

describe("behavior 20.11: a refusal, and anything else, is unexpected", () => {
  test.each<[GreetingProtocol, string, object]>([
    ["smtp", "421 too busy, secret\r\n", CODE("greets with 421 instead of 220", 421)],
    ["smtp", "554-no\r\n554 secret\r\n", CODE("greets with 554 instead of 220", 554)],
    ["smtp", "220-wait\r\n550 you spoke too soon\r\n", CODE("greets with 550 instead of 220", 550)],
    ["ftp", "421 Too many users\r\n", CODE("greets with 421 instead of 220", 421)],
    ["ftp", "120-secret\r\n120 in 5 minutes\r\n", CODE("greets with 120 instead of 220", 120)],
    ["imap", "* BYE secret\r\n", SAYS("refuses the connection (BYE)")],
    ["pop3", "-ERR secret\r\n", SAYS("refuses the connection (-ERR)")],
    [
      "mysql",
      mysqlPacket("\xff\x10\x04Too many connections"),
      CODE("refuses the connection with the error 1040", 1040),
    ],
    [
      "mysql",
      mysqlPacket("\xff\x6a\x04Host 'secret' is not allowed"),
      CODE("refuses the connection with the error 1130", 1130),
    ],
    ["redis", "-LOADING secret\r\n", SAYS("answers PING with an error (LOADING)")],
    ["redis", "-ERR max number of clients reached\r\n", SAYS("answers PING with an error (ERR)")],
    ["redis", "-SECRET unknown\r\n", SAYS("answers PING with an error")],
    ["redis", "-NOAUTHORIZED\r\n", SAYS("answers PING with an error")],
    ["postgres", "Esecret\0", SAYS("answers with an error")],
    ["smtp", "SSH-2.0-OpenSSH\r\n", foreign("SMTP")],
    ["smtp", "* OK imap", foreign("SMTP")],
    ["smtp", "22 secret", foreign("SMTP")],
    ["smtp", "2200 secret\r\n", foreign("SMTP")],
    ["smtp", mysqlHandshake(), foreign("SMTP")],
    ["smtp", "220-first\r\nno number\r\n", foreign("SMTP")],
    ["imap", "+OK POP3\r\n", foreign("IMAP")],
    ["imap", "* OKAY\r\n", foreign("IMAP")],
    ["pop3", "* OK IMAP\r\n", foreign("POP3")],
    ["ftp", "HTTP/1.1 400 Bad Request\r\n\r\n", foreign("FTP")],
    ["ssh", "220 mail.test\r\n", foreign("SSH")],
    ["ssh", "SSH-1.5-ancient\r\n", foreign("SSH")],
    ["ssh", "\0\0\0\n", foreign("SSH")],
    ["ssh", mysqlHandshake(), foreign("SSH")],
    ["mysql", "SSH-2.0-OpenSSH\r\n", foreign("MySQL")],
    ["mysql", "\x05\0\0\x01\x0a8.0\0", foreign("MySQL")],
    ["mysql", mysqlPacket("\x0b8.0.39\0"), foreign("MySQL")],
    ["mysql", mysqlPacket("\x0a\0\0\0"), foreign("MySQL")],
    ["mysql", "\0\0\0\0", foreign("MySQL")],
    ["redis", "+OK\r\n", foreign("Redis")],
    ["redis", "+PONGS\r\n", foreign("Redis")],
    ["redis", "HTTP/1.1 400 Bad Request\r\n\r\n", foreign("Redis")],
    ["postgres", "SSH-2.0-OpenSSH\r\n", foreign("PostgreSQL")],
    ["postgres", "NO\r\n", foreign("PostgreSQL")],
    ["postgres", "\0", foreign("PostgreSQL")],
  ])("%s: %j", async (protocol, said, detail) => {
    using server = await startGreeting(protocol, said);
    const seen = await see(protocol, server.port);
    expect(seen).toMatchObject({ outcome: "failed", reason: "unexpected", detail });
    expect(JSON.stringify(seen)).not.toContain("secret");
  });
});

describe("behavior 20.12: a server that does not finish its greeting", () => {
  test.each<[GreetingProtocol, string]>([
    ["smtp", "x"],
    ["ssh", "x"],
    ["imap", "* OK "],
  ])("%s: an endless line of %j is refused", async (protocol, begin) => {
    using server = await startServer((socket) => {
      socket.write(begin);
      const go = () => {
        while (!socket.destroyed && socket.write("x".repeat(1000)));
      };
      socket.on("drain", go);
      go();
    });
    expect(await see(protocol, server.port)).toMatchObject({ outcome: "failed", reason: "unexpected" });
  });

  test("lines without end are refused after 64 KiB", async () => {
    using server = await startTalking({ greeting: "220-again\r\n".repeat(7000) });
    expect(await see("smtp", server.port)).toMatchObject({
      reason: "unexpected",
      detail: { message: "the server sent more than 64 KiB" },
    });
  });

  test("a line of 8 KiB is read, a longer one is not", async () => {
    const line = (length: number) => `* OK ${"x".repeat(length - 7)}\r\n`;
    using longest = await startTalking({ greeting: line(8 * 1024 + 1) });
    expect(await see("imap", longest.port)).toMatchObject({ outcome: "reached" });
    using longer = await startTalking({ greeting: line(8 * 1024 + 2) });
    expect(await see("imap", longer.port)).toMatchObject({
      reason: "unexpected",
      detail: { message: "the server sent a line of more than 8 KiB" },
    });
  });

  test.each<[GreetingProtocol, string]>([
    ["smtp", "220-mail.test\r\n220 ready\r\n"],
    ["mysql", mysqlHandshake()],
    ["ssh", "free text\r\nSSH-2.0-x\r\n"],
    ["redis", "+PONG\r\n"],
  ])("%s: single bytes are put together", async (protocol, said) => {
    using server = await startServer((socket) => {
      socket.setNoDelay(true);
      const parts = [...bytes(said)];
      const next = () => {
        const byte = parts.shift();
        if (byte !== undefined) socket.write(Buffer.of(byte), () => setImmediate(next));
      };
      if (protocol === "redis") socket.once("data", next);
      else next();
    });
    expect(await see(protocol, server.port)).toMatchObject({ outcome: "reached" });
  });

  test.each<[GreetingProtocol, string]>([
    ["smtp", ""],
    ["smtp", "220-mail.test\r\n"],
    ["smtp", "220 no end"],
    ["mysql", "\x4a\0\0"],
    ["mysql", mysqlHandshake().slice(0, -1)],
    ["postgres", ""],
  ])("%s: it is a timeout if %j is all", async (protocol, said) => {
    using server = await startTalking({ greeting: said });
    expect(await see(protocol, server.port, 300)).toMatchObject({
      outcome: "failed",
      reason: "timeout",
      detail: { message: "no greeting within 0.3 s" },
    });
  });

  test.each(["closes", "resets"])("it is closed if the server %s the connection", async (how) => {
    using server = await startServer((socket) =>
      socket.write("220-secret", () => (how === "closes" ? socket.end() : socket.resetAndDestroy())),
    );
    expect(await see("smtp", server.port)).toMatchObject({
      outcome: "failed",
      reason: "closed",
      detail: { message: "the server closed the connection before it answered completely" },
    });
  });
});

test.each<[GreetingProtocol, string, string]>([
  ["smtp", "220 ready\r\n", "QUIT\r\n"],
  ["ftp", "220 ready\r\n", "QUIT\r\n"],
  ["pop3", "+OK\r\n", "QUIT\r\n"],
  ["imap", "* OK\r\n", "z LOGOUT\r\n"],
  ["ssh", "Hello\r\nSSH-2.0-OpenSSH_9.2p1\r\n", "SSH-2.0-stillup\r\n"],
  ["ssh", "SSH-1.99-old\n", "SSH-2.0-stillup\r\n"],
  ["mysql", mysqlHandshake(), ""],
  ["redis", "+PONG\r\n", "*1\r\n$4\r\nPING\r\n*1\r\n$4\r\nQUIT\r\n"],
])(
  "behavior 20.13: the check of %s ends its session, and says nothing else",
  async (protocol, said, goodbye) => {
    using server = await startGreeting(protocol, said);
    expect(await see(protocol, server.port)).toMatchObject({ outcome: "reached" });
    await eventually(() => server.received().length >= goodbye.length);
    expect(server.received()).toBe(goodbye);
  },
);

test.each<[GreetingProtocol, string, string]>([
  ["smtp", "554 no\r\n", "QUIT\r\n"],
  ["ftp", "421 full\r\n", "QUIT\r\n"],
  ["pop3", "-ERR no\r\n", "QUIT\r\n"],
])(
  "behavior 20.13: the check of %s ends a session that the server refuses",
  async (protocol, said, goodbye) => {
    using server = await startGreeting(protocol, said);
    expect(await see(protocol, server.port)).toMatchObject({ reason: "unexpected" });
    await eventually(() => server.received() === goodbye);
  },
);

/** A server that answers `QUIT` when its client has ended, in two parts, and then ends too, or goes on until its client is gone. */
async function startAnswering({ ends }: { ends: boolean }) {
  const events: string[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.write("220 ready\r\n");
    socket.on("error", ({ message }) => events.push(message));
    socket.on("close", () => events.push("closed"));
    socket.resume().on("end", () => {
      socket.write("221-bye\r\n", () =>
        setImmediate(() => {
          socket.write("221 bye\r\n");
          if (ends) return void setImmediate(() => socket.end());
          // Only a client that is gone refuses more.
          const talking = setInterval(() => socket.write("221 bye\r\n"), 20);
          socket.on("close", () => clearInterval(talking));
        }),
      );
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { port, events, [Symbol.dispose]: () => void server.close() };
}

describe("behavior 20.14: after a check", () => {
  test("a server can answer the goodbye", async () => {
    using server = await startAnswering({ ends: true });
    expect(await see("smtp", server.port)).toMatchObject({ outcome: "reached" });
    await eventually(() => server.events.length > 0);
    expect(server.events).toEqual(["closed"]);
  });

  test("the connection closes, even if the server never ends it", async () => {
    using server = await startAnswering({ ends: false });
    expect(await see("smtp", server.port)).toMatchObject({ outcome: "reached" });
    expect(server.events).toEqual([]);
    await eventually(() => server.events.includes("closed"));
  });

  test("no more than a hundred connections wait for their servers", async () => {
    using server = await startAnswering({ ends: false });
    const before = openDescriptors();
    await Promise.all(Array.from({ length: 250 }, () => see("smtp", server.port, 10_000)));
    // The server runs in this process too, and keeps its ends.
    expect(openDescriptors() - before).toBeLessThan(250 + 100 + 10);
    await eventually(() => server.events.filter((event) => event === "closed").length === 250);
  });
});

test("behavior 20.10: the latency is to the open connection, not to the greeting", async () => {
  let greetedAt = 0;
  const greet = (socket: Socket) => {
    greetedAt = performance.now();
    socket.write("220 ready\r\n");
  };
  const wait = 50;
  // Two waits: even if this process was stopped in the first wait, the client sees its connection before the second wait.
  using server = await startServer((socket) => setTimeout(() => setTimeout(() => greet(socket), wait), wait));
  const start = performance.now();
  const seen = await see("smtp", server.port);
  if (seen.outcome !== "reached") throw new Error(JSON.stringify(seen));
  expect(seen.latencyMs).toBeLessThan(greetedAt - start - wait / 2);
});

test("behavior 20.10: a port that is closed is refused, as without a protocol", async () => {
  expect(await see("smtp", await closedPort())).toMatchObject({ outcome: "failed", reason: "refused" });
});

test("behavior 1.21: a private target is refused with a protocol too", async () => {
  using server = await startServer(silent);
  for (const tls of ["none", "direct"] as const) {
    const config = { host: "127.0.0.1", port: server.port, protocol: "smtp", tls } as const;
    const seen = await observation("TCP", config, { privateTargets: "deny" });
    expect(seen).toMatchObject({ outcome: "failed", reason: "private_target" });
  }
});

test("behavior 10.100: the greeting of each address of a name is read", async () => {
  using good = await startTalking({ greeting: "220 ready\r\n" });
  using bad = await startServer((socket) => socket.end("554 no\r\n"), { host: "::1", port: good.port });
  using dns = await startDnsServer({
    "AAAA both.test": [{ type: "AAAA", name: "both.test", data: "::1" }],
    "A both.test": [{ type: "A", name: "both.test", data: "127.0.0.1" }],
  });
  const config = { host: "both.test", port: bad.port, protocol: "smtp", everyAddress: true } as const;
  const seen = await observation("TCP", config, { dnsServers: [dns] });
  expect(seen).toMatchObject({
    outcome: "by_address",
    addresses: [
      { address: "::1", evidence: { outcome: "failed", reason: "unexpected", detail: { code: 554 } } },
      { address: "127.0.0.1", evidence: { outcome: "reached" } },
    ],
  });
});
