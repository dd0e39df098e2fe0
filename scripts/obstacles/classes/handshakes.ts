import type { Socket } from "node:net";
import { answer } from "../../../test/support/servers/http-answers.ts";
import {
  ACTIVE,
  breaks,
  type Change,
  down,
  keeps,
  noCert,
  type Scenario,
  silent,
  type Truth,
} from "../scenario.ts";
import { serves } from "../world/changes.ts";
import { tls } from "../world/tls.ts";
import { GOOD_HTTPS, GOOD_TLS, httpsMonitor, tlsMonitor } from "./plain.ts";

/** A fatal alert in TLS 1.2: handshake_failure, unrecognized_name. */
const HANDSHAKE_FAILURE = alert(40);
const UNRECOGNIZED_NAME = alert(112);
/** The first bytes of a ServerHello that announces 90 more. */
const HALF_HELLO = Buffer.from([22, 3, 3, 0, 94, 2, 0, 0, 90, 3, 3, 1, 2, 3, 4]);

/** How the handshake ends. What breaks it breaks websites and certificates alike. */
export const handshakes: Scenario[] = [
  ...broken("alert", "the server ends the handshake with an alert", hello(HANDSHAKE_FAILURE), "tls_failed"),
  ...broken("unknown-name", "the server knows no such name", hello(UNRECOGNIZED_NAME), "tls_failed"),
  ...broken("no-tls", "the server speaks HTTP without TLS", hello(answer("400 Bad Request")), "tls_failed"),
  ...broken("hello-garbage", "the server answers with garbage", hello(Buffer.alloc(64, 0x5a)), "tls_failed"),
  ...broken(
    "hello-closed",
    "the server ends the connection after the ClientHello",
    hello(Buffer.alloc(0)),
    "closed",
  ),
  ...broken("hello-reset", "the server resets the connection after the ClientHello", hello(resets), "reset"),
  ...broken("hello-silence", "the server does not answer the ClientHello", hello(waits), "timeout"),
  ...broken(
    "half-hello",
    "the ServerHello breaks off, and the connection stays open",
    hello(saysHalf),
    "timeout",
  ),
  ...broken("half-hello-closed", "the connection ends within the ServerHello", hello(HALF_HELLO), "closed"),
  breaks(
    "https-closed-inside",
    "the server ends the connection after the handshake",
    httpsMonitor(),
    [serves(tls("valid", { inside: () => (socket) => void socket.end() })), down("protocol", "closed")],
    GOOD_HTTPS,
  ),
  breaks(
    "https-silent-inside",
    "the server does not answer after the handshake",
    httpsMonitor(),
    [serves(tls("valid", { inside: () => () => {} })), silent("protocol", "timeout")],
    GOOD_HTTPS,
  ),
  breaks(
    "https-needs-client",
    "the server requires a certificate of the client",
    httpsMonitor(),
    [needsClient(), down("tls", "tls_failed", "closed", "reset")],
    GOOD_HTTPS,
  ),
  keeps(
    "tls-needs-client",
    "the server requires a certificate of the client",
    tlsMonitor(),
    needsClient(),
    GOOD_TLS,
  ),
  breaks(
    "https-tls-1.1",
    "the server speaks only TLS 1.1",
    httpsMonitor(),
    [onlyVersion("TLSv1.1"), down("tls", "tls_failed", "closed", "reset")],
    GOOD_HTTPS,
  ),
  breaks(
    "tls-1.1",
    "the server speaks only TLS 1.1, which is old, but shows a certificate",
    tlsMonitor(),
    [onlyVersion("TLSv1.1"), { ...ACTIVE }],
    GOOD_TLS,
  ),
  keeps(
    "https-tls-1.2",
    "the server speaks only TLS 1.2",
    httpsMonitor(),
    onlyVersion("TLSv1.2"),
    GOOD_HTTPS,
  ),
  keeps(
    "https-tls-1.3",
    "the server speaks only TLS 1.3",
    httpsMonitor(),
    onlyVersion("TLSv1.3"),
    GOOD_HTTPS,
  ),
  keeps(
    "https-retry-request",
    "the server asks for another ClientHello, because it knows only P-384",
    httpsMonitor(),
    serves(tls("valid", { options: { ecdhCurve: "P-384" } })),
    GOOD_HTTPS,
  ),
  keeps(
    "https-alpn",
    "the server wants to agree on HTTP/1.1",
    httpsMonitor(),
    serves(tls("valid", { options: { ALPNProtocols: ["http/1.1"] } })),
    GOOD_HTTPS,
  ),
  keeps(
    "https-in-pieces",
    "the handshake arrives in pieces of 100 bytes",
    httpsMonitor(),
    inPieces(),
    GOOD_HTTPS,
  ),
  keeps("tls-in-pieces", "the handshake arrives in pieces of 100 bytes", tlsMonitor(), inPieces(), GOOD_TLS),
];

/** The same fault for a website and for a certificate. */
function broken(name: string, about: string, change: Change, ...reasons: string[]): Scenario[] {
  const isSilent = reasons.includes("timeout");
  // Nothing of a handshake has come before a reset.
  const layer = reasons.includes("reset") ? "port" : "tls";
  const of = (truth: Truth): Truth => (isSilent ? { ...truth, isSilent } : truth);
  return [
    breaks(`https-${name}`, about, httpsMonitor(), [change, of(down(layer, ...reasons))], GOOD_HTTPS),
    breaks(`tls-${name}`, about, tlsMonitor(), [change, of(noCert(layer, ...reasons))], GOOD_TLS),
  ];
}

/** @param sent after the ClientHello, before the connection ends; or a function that does what happens then */
function hello(sent: Buffer | ((socket: Socket) => unknown)): Change {
  return serves(() => (socket) => {
    socket.once("data", () => void (typeof sent === "function" ? sent(socket) : socket.end(sent)));
  });
}

function resets(socket: Socket): void {
  socket.resetAndDestroy();
}

function waits(): void {}

function saysHalf(socket: Socket): void {
  socket.write(HALF_HELLO);
}

function needsClient(): Change {
  return serves(tls("valid", { options: { requestCert: true, rejectUnauthorized: true } }));
}

function onlyVersion(version: "TLSv1.1" | "TLSv1.2" | "TLSv1.3"): Change {
  return serves(tls("valid", { options: { minVersion: version, maxVersion: version } }));
}

/** Each piece after a pause of 5 ms. */
function inPieces(): Change {
  const pass = async (bytes: Buffer, client: Socket) => {
    for (let at = 0; at < bytes.length; at += 100) {
      await Bun.sleep(5);
      if (!client.destroyed) client.write(bytes.subarray(at, at + 100));
    }
  };
  return serves(tls("valid", { pass }));
}

function alert(description: number): Buffer {
  return Buffer.from([21, 3, 3, 0, 2, 2, description]);
}
