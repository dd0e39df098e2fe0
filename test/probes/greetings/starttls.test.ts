import { beforeAll, describe, expect, test } from "bun:test";
import type { StarttlsProtocol } from "../../../src/domain/monitors/kinds/tcp.ts";
import { eventually } from "../../support/eventually.ts";
import { observation } from "../../support/probes/observation.ts";
import { observeTrusting } from "../../support/probes/observe-trusting.ts";
import {
  type Authority,
  createAuthority,
  type ServerCertificate,
} from "../../support/servers/certificates.ts";
import { mysqlHandshake, mysqlPacket, startTalking } from "../../support/servers/talking-server.ts";
import { startServer } from "../../support/servers/tcp-server.ts";

let authority: Authority;
let own: ServerCertificate;
beforeAll(async () => {
  authority = await createAuthority();
  own = await authority.issue([{ type: "dns", value: "mail.test" }]);
});

const EHLO = "250-mail.test\r\n250-SIZE 100\r\n250-STARTTLS\r\n250 HELP\r\n";
const SSL_REQUEST = `\x20\0\0\x01\0\x0a\0\0\0\0\0\x01\x2d${"\0".repeat(23)}`;

/** Servers until TLS begins. */
const SCRIPTS: Record<StarttlsProtocol, { greeting?: string; answers: Record<string, string> }> = {
  smtp: {
    greeting: "220-mail.test\r\n220 ready\r\n",
    answers: { EHLO, STARTTLS: "220 go ahead\r\n" },
  },
  imap: { greeting: "* OK ready\r\n", answers: { " STARTTLS": "* NOTE untagged\r\na OK begin\r\n" } },
  pop3: { greeting: "+OK ready\r\n", answers: { STLS: "+OK begin\r\n" } },
  ftp: { greeting: "220 ready\r\n", answers: { "AUTH TLS": "234 begin\r\n" } },
  postgres: { answers: { "\x04\xd2\x16\x2f": "S" } },
  mysql: { greeting: mysqlHandshake(), answers: { [SSL_REQUEST]: "" } },
};
const NAMES = Object.keys(SCRIPTS) as StarttlsProtocol[];

interface More {
  verifyTls?: boolean;
  servername?: string;
}

const tcp = (protocol: StarttlsProtocol, port: number, more: More = { verifyTls: false }, timeout = 2000) =>
  observation("TCP", { host: "127.0.0.1", port, protocol, tls: "starttls", ...more }, { timeout });

const certificate = () => ({
  authorized: false,
  authorizationError: expect.stringMatching(/^UNABLE_TO_/),
  names: ["mail.test"],
  protocol: "TLSv1.3",
});

describe("behavior 20.20: STARTTLS", () => {
  test.each(NAMES)("%s: the certificate is read, and the latency is to the open connection", async (name) => {
    using server = await startTalking({ ...SCRIPTS[name], tls: own });
    const seen = await tcp(name, server.port);
    if (seen.outcome !== "reached") throw new Error(JSON.stringify(seen));
    const phases = seen.detail.phases as Record<string, number>;
    expect(Object.keys(phases)).toEqual(["resolve", "connect", "tls"]);
    expect(seen).toMatchObject({
      outcome: "reached",
      certificate: certificate(),
      tls: { protocol: "TLSv1.3", advice: ["incomplete_chain"] },
      detail: { address: "127.0.0.1" },
    });
  });

  test("a session ends over TLS", async () => {
    using server = await startTalking({ ...SCRIPTS.smtp, tls: own });
    expect(await tcp("smtp", server.port)).toMatchObject({ outcome: "reached" });
    await eventually(() => server.received().endsWith("QUIT\r\n"));
  });

  test("a session ends, even if the server does not offer TLS, or its certificate is not valid", async () => {
    using plain = await startTalking({ greeting: "220 ready\r\n", answers: { EHLO: "250 mail.test\r\n" } });
    expect(await tcp("smtp", plain.port)).toMatchObject({ reason: "unexpected" });
    await eventually(() => plain.received().endsWith("QUIT\r\n"));
    using server = await startTalking({ ...SCRIPTS.smtp, tls: own });
    expect(await tcp("smtp", server.port, {})).toMatchObject({ reason: "tls_invalid" });
    await eventually(() => server.received().endsWith("QUIT\r\n"));
  });

  test("the session of a TLS monitor ends over TLS", async () => {
    using server = await startTalking({ ...SCRIPTS.smtp, tls: own });
    const config = { host: "127.0.0.1", port: server.port, protocol: "smtp" } as const;
    expect(await observation("TLS", config)).toMatchObject({ outcome: "certified" });
    await eventually(() => server.received().endsWith("QUIT\r\n"));
  });

  test.each(NAMES)("%s: an invalid certificate is down, and is shown", async (name) => {
    using server = await startTalking({ ...SCRIPTS[name], tls: own });
    expect(await tcp(name, server.port, {})).toMatchObject({
      outcome: "failed",
      reason: "tls_invalid",
      certificate: certificate(),
      detail: { message: expect.stringContaining("the certificate is not valid for 127.0.0.1: ") },
    });
  });

  test("a valid certificate of another name is valid with servername only", async () => {
    using server = await startTalking({ ...SCRIPTS.smtp, tls: own });
    const config = { host: "127.0.0.1", port: server.port, protocol: "smtp", tls: "starttls" };
    const trusting = (more: object) => observeTrusting(authority.cert, "TCP", { ...config, ...more });
    const [named, unnamed] = [await trusting({ servername: "mail.test" }), await trusting({})];
    expect(named).toMatchObject({ outcome: "reached", certificate: { authorized: true } });
    expect(unnamed).toMatchObject({ outcome: "failed", reason: "tls_invalid" });
  });

  test("TLS 1.1 fails, as for HTTPS", async () => {
    const old = { ...own, minVersion: "TLSv1" as const, maxVersion: "TLSv1.1" as const };
    using server = await startTalking({ ...SCRIPTS.smtp, tls: old });
    expect(await tcp("smtp", server.port)).toMatchObject({ outcome: "failed", reason: "tls_failed" });
  });
});

const yes = (protocol: StarttlsProtocol, junk: string) => {
  const { greeting = "", answers } = SCRIPTS[protocol];
  const [last = ""] = Object.keys(answers).slice(-1);
  if (protocol === "mysql") return { greeting: greeting + junk, answers };
  return { greeting, answers: { ...answers, [last]: answers[last] + junk } };
};

describe("behavior 20.22: what follows the agreement in plain text", () => {
  test.each(NAMES)("%s: is refused in the same packet", async (name) => {
    using server = await startTalking({ ...yes(name, "250 secret\r\n"), tls: own });
    const seen = await tcp(name, server.port);
    expect(seen).toMatchObject({ outcome: "failed", reason: "unexpected" });
    expect(seen).not.toHaveProperty("certificate");
    expect(JSON.stringify(seen)).not.toContain("secret");
  });

  test("says why", async () => {
    using server = await startTalking({ ...yes("smtp", "250 injected\r\n"), tls: own });
    expect(await tcp("smtp", server.port)).toMatchObject({
      detail: { message: "the server sent plain text after it agreed to TLS" },
    });
  });

  test.each(NAMES)("%s: is no handshake in a packet of its own", async (name) => {
    const { greeting = "", answers } = SCRIPTS[name];
    const open = Object.values(answers);
    using server = await startServer((socket) => {
      socket.setNoDelay(true);
      if (greeting) socket.write(Buffer.from(greeting, "latin1"));
      socket.on("data", () => {
        socket.write(Buffer.from(open.shift() ?? "", "latin1"), () => {
          if (open.length === 0) setTimeout(() => socket.write("250 secret\r\n"), 5);
        });
      });
    });
    const seen = await tcp(name, server.port);
    expect(["unexpected", "tls_failed"]).toContain((seen as { reason: string }).reason);
    expect(JSON.stringify(seen)).not.toContain("secret");
  });

  test.each([
    ["closes", (answer: string) => startClosing(answer, (socket) => socket.end())],
    ["resets", (answer: string) => startClosing(answer, (socket) => socket.resetAndDestroy())],
  ])("a server that %s the connection is not reached", async (_, start) => {
    using server = await start("+OK begin\r\n");
    const { reason } = (await tcp("pop3", server.port)) as { reason: string };
    expect(["closed", "reset"]).toContain(reason);
  });

  test("a server that is silent is a timeout", async () => {
    using server = await startTalking(SCRIPTS.imap);
    expect(await tcp("imap", server.port, {}, 300)).toMatchObject({
      reason: "timeout",
      detail: { message: "no TLS handshake within 0.3 s" },
    });
  });
});

type End = (socket: import("node:net").Socket) => void;

const startClosing = (answer: string, end: End) =>
  startServer((socket) => {
    socket.write("+OK ready\r\n");
    socket.once("data", () => socket.write(answer, () => end(socket)));
  });

const SAYS = (does: string) => ({ message: `the server ${does}` });
const NO = SAYS("does not offer STARTTLS");

describe("behavior 20.21: STARTTLS that is not offered or refused is unexpected", () => {
  test.each<[StarttlsProtocol, { greeting?: string; answers?: Record<string, string> }, object]>([
    ["smtp", { greeting: "220 a\r\n", answers: { EHLO: "250-a\r\n250 XSTARTTLS\r\n" } }, NO],
    [
      "smtp",
      { greeting: "220 a\r\n", answers: { EHLO: "502 secret\r\n" } },
      { code: 502, ...SAYS("answers EHLO with 502 instead of 250") },
    ],
    [
      "smtp",
      { greeting: "220 a\r\n", answers: { EHLO, STARTTLS: "454 secret\r\n" } },
      { code: 454, ...SAYS("answers STARTTLS with 454 instead of 220") },
    ],
    ["smtp", { greeting: "554 a\r\n" }, { code: 554 }],
    ["imap", { greeting: "* PREAUTH a\r\n" }, SAYS("does not offer STARTTLS (PREAUTH)")],
    ["imap", { greeting: "* OK a\r\n", answers: { STARTTLS: "a BAD secret\r\n" } }, NO],
    ["imap", { greeting: "* OK a\r\n", answers: { STARTTLS: "* BYE secret\r\n" } }, NO],
    [
      "pop3",
      { greeting: "+OK\r\n", answers: { STLS: "-ERR secret\r\n" } },
      SAYS("does not offer STARTTLS (-ERR)"),
    ],
    [
      "ftp",
      { greeting: "220 a\r\n", answers: { "AUTH TLS": "534-secret\r\n534 secret\r\n" } },
      { code: 534, ...SAYS("answers AUTH TLS with 534 instead of 234") },
    ],
    ["postgres", { answers: { "\x04\xd2\x16\x2f": "N" } }, NO],
    ["mysql", { greeting: mysqlHandshake({ capabilities: 0xf7ff }) }, NO],
    ["mysql", { greeting: mysqlPacket("\x098.0.39\0") }, NO],
  ])("%s: %j", async (protocol, script, detail) => {
    using server = await startTalking(script);
    const seen = await tcp(protocol, server.port);
    expect(seen).toMatchObject({ outcome: "failed", reason: "unexpected", detail });
    expect(JSON.stringify(seen)).not.toContain("secret");
  });
});

describe("behavior 20.23: a TLS monitor with a protocol", () => {
  const tls = (protocol: StarttlsProtocol, port: number) =>
    observation("TLS", { host: "127.0.0.1", port, protocol });

  test.each(NAMES)("%s: reads the certificate after STARTTLS", async (name) => {
    using server = await startTalking({ ...SCRIPTS[name], tls: own });
    const seen = await tls(name, server.port);
    if (seen.outcome !== "certified") throw new Error(JSON.stringify(seen));
    const { resolve, connect, tls: handshake } = seen.detail.phases as Record<string, number>;
    expect(seen.latencyMs).toBeGreaterThan(Number(resolve) + Number(connect) + Number(handshake));
    expect(seen.certificate).toMatchObject(certificate());
  });

  test("has none if STARTTLS is refused", async () => {
    using server = await startTalking({ ...SCRIPTS.ftp, answers: { "AUTH TLS": "502 no\r\n" }, tls: own });
    expect(await tls("ftp", server.port)).toMatchObject({
      outcome: "failed",
      reason: "unexpected",
      detail: { code: 502 },
    });
  });

  test("accepts old versions of TLS", async () => {
    const old = { ...own, minVersion: "TLSv1" as const, maxVersion: "TLSv1.1" as const };
    using server = await startTalking({ ...SCRIPTS.smtp, tls: old });
    expect(await tls("smtp", server.port)).toMatchObject({ certificate: { protocol: "TLSv1.1" } });
  });
});
