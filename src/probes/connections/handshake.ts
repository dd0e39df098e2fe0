import { X509Certificate } from "node:crypto";
import { isIP, type Socket } from "node:net";
import { connect as secure, type TLSSocket } from "node:tls";
import type { TlsAdvice, TlsFacts } from "../../domain/checks/observation.ts";
import { asciiName } from "../dns/resolve.ts";
import type { Lifetime } from "../lifetime.ts";
import { asProbeError, failedHandshake, ProbeError } from "../probe-error.ts";
import { type Connection, nodeConnection } from "./connection.ts";

/**
 * @property host for which the certificate should be valid @property alpn the protocol to offer. Default: none
 * @property client the certificate to show to a server that asks for one
 */
export interface AskedTls {
  host: string;
  alpn?: string | undefined;
  client?: ClientCertificate | undefined;
}

/** In PEM. @property certificate with its chain, the certificate of the client first @property key without a passphrase */
export interface ClientCertificate {
  certificate: string;
  key: string;
}

/** A connection that is open and is to use TLS. */
export interface Securing {
  /** @throws ProbeError `closed`, `reset`, `tls_failed`, `timeout`; any other error is a fault of this machine */
  shakeHands(): Promise<Secured>;
}

/** @property fault what is wrong with the certificate for the host, for example `CERT_HAS_EXPIRED` */
export interface Secured {
  connection: Connection;
  fault: string | undefined;
  tls: TlsFacts | undefined;
  shown: ShownTls | undefined;
}

/** @property oldVersions whether TLS 1.0 and 1.1 will do */
export interface HandshakeOptions extends Omit<AskedTls, "host"> {
  oldVersions: boolean;
}

/** The result of a TLS handshake. */
export interface Handshake {
  socket: TLSSocket;
  /** In DER. Present if the server proved that it holds the key, even if the handshake failed afterwards. */
  certificate: Buffer | undefined;
  /** Present with the certificate. */
  tls: TlsFacts | undefined;
  shown: ShownTls | undefined;
  /** Undefined if the handshake succeeded, even if the certificate is not valid for the host. */
  error: ProbeError | undefined;
}

/**
 * Starts TLS on an open connection. The certificate is not verified here, so that the caller knows what is wrong with
 * it.
 *
 * @throws if a fault of this machine ended the handshake
 */
export async function shakeHands(plain: Socket, host: string, options: HandshakeOptions): Promise<Handshake> {
  try {
    return await handshakeOf(connectTls(plain, host, options));
  } catch (cause) {
    throw asHandshakeError(cause as Error) ?? cause;
  }
}

/** An open connection of `node:net` that is to use TLS. */
export class NodeTlsConnection implements Securing {
  constructor(
    private readonly plain: Socket,
    private readonly asked: AskedTls,
    private readonly lifetime: Lifetime,
  ) {}

  async shakeHands(): Promise<Secured> {
    const { host, ...asked } = this.asked;
    const { socket, tls, shown, error } = await shakeHands(this.plain, host, {
      oldVersions: false,
      ...asked,
    });
    if (error) throw error;
    const connection = nodeConnection(socket, this.lifetime, this.plain);
    return { connection, fault: faultOf(socket), tls, shown };
  }
}

function connectTls(plain: Socket, host: string, { oldVersions, alpn, client }: HandshakeOptions): TLSSocket {
  const name = asciiName(host);
  // SNI must not contain an IP address, and `127.1` is one.
  const target = isIP(name) ? { host: name } : { servername: name };
  const version = oldVersions ? { minVersion: "TLSv1" as const } : {};
  const protocols = alpn === undefined ? {} : { ALPNProtocols: [alpn] };
  const options = {
    ...target,
    ...version,
    ...protocols,
    ...shownToServer(client),
    rejectUnauthorized: false,
  };
  return secure({ socket: plain, ...options });
}

/** The options of Bun and of `node:tls` for the certificate of the client. */
export function shownToServer(client: ClientCertificate | undefined): { cert?: string; key?: string } {
  return client ? { cert: client.certificate, key: client.key } : {};
}

function handshakeOf(socket: TLSSocket): Promise<Handshake> {
  const { promise, resolve, reject } = Promise.withResolvers<Handshake>();
  let hasMasterSecret = false;
  // Must run inside the event handlers: a failed socket loses its certificate afterwards.
  const end = (error?: ProbeError) => {
    try {
      const isProved = !error || (hasMasterSecret && isKeySigned(socket));
      const certificate = isProved ? certificateOf(socket) : undefined;
      const shown = certificate && shownBy(socket);
      // The chain is read now, because the socket is about to lose it.
      const kept = shown && error ? withIssuer(shown) : shown;
      resolve({ socket, certificate, tls: kept && readTls(kept), shown: kept, error });
    } catch (cause) {
      reject(cause);
    }
  };
  const fail = (cause: Error) => {
    const error = handshakeError(cause);
    if (error instanceof ProbeError) end(error);
    else reject(error);
  };
  // TLS 1.3 names its secrets differently: a handshake that fails there has proved nothing.
  socket.on("keylog", (line: Buffer) => {
    hasMasterSecret ||= line.toString("latin1").startsWith("CLIENT_RANDOM ");
  });
  socket.once("secureConnect", () => end());
  socket.on("error", fail);
  socket.once("close", () => fail(closed()));
  return promise;
}

/**
 * Whether the server signed its half of the key exchange. Up to TLS 1.2, the client verifies that signature before it
 * computes the master secret. A handshake that fails later, because the server requires a client certificate, has
 * therefore proved that the server holds the key of its certificate.
 */
function isKeySigned(socket: TLSSocket): boolean {
  return "type" in (socket.getEphemeralKeyInfo() ?? {});
}

function certificateOf(socket: TLSSocket): Buffer | undefined {
  // `getPeerCertificate` returns an empty object if there is no certificate.
  return socket.getPeerCertificate()?.raw;
}

function shownBy(socket: TLSSocket): ShownTls {
  return {
    certificate: socket.getPeerX509Certificate(),
    cipher: socket.getCipher(),
    protocol: socket.getProtocol(),
    fault: faultOf(socket),
    issuer: () => socket.getPeerCertificate(true)?.issuerCertificate,
  };
}

function withIssuer(shown: ShownTls): ShownTls {
  const issuer = shown.issuer();
  return { ...shown, issuer: () => issuer };
}

function faultOf({ authorized, authorizationError }: TLSSocket): string | undefined {
  return authorized || !authorizationError ? undefined : String(authorizationError);
}

/** @returns the same error if it is a fault of this machine */
export function handshakeError(cause: Error): Error {
  return asClosed(cause) ?? asProbeError(cause) ?? asHandshakeError(cause) ?? cause;
}

/** Bun reports a connection that closes during a handshake with the code of a reset. */
function asClosed({ message }: Error): ProbeError | undefined {
  return message.startsWith("Client network socket disconnected") ? closed() : undefined;
}

/** Any other error on an open connection is caused by the server, except a system error such as `ENOBUFS`. */
function asHandshakeError({ code = "" }: NodeJS.ErrnoException): ProbeError | undefined {
  if (/^E[A-Z]+$/.test(code)) return undefined;
  return new ProbeError("tls_failed", failedHandshake(code), { tlsError: code });
}

export function closed(): ProbeError {
  return new ProbeError("closed", "the server closed the connection during the TLS handshake");
}

/**
 * A TLS handshake, as a socket knows it until it is closed.
 *
 * @property protocol null if the handshake did not complete
 * @property fault what is wrong with the certificate, for example `CERT_HAS_EXPIRED`
 * @property issuer of the certificate, if the server sent it or the system trusts it. It takes long
 */
export interface ShownTls {
  certificate: X509Certificate | undefined;
  cipher: { standardName: string } | null | undefined;
  protocol: string | null;
  fault: string | undefined;
  issuer: () => IssuedCertificate | undefined;
}

/** @property raw in DER */
export interface IssuedCertificate {
  raw: Buffer;
  issuerCertificate?: IssuedCertificate;
}

/** Reads a handshake (behavior 10.90, 10.91). @returns undefined if the certificate is missing or malformed */
export function readTls(shown: ShownTls): TlsFacts | undefined {
  const { certificate, cipher, protocol } = shown;
  if (!certificate) return undefined;
  try {
    const { validTo, advice } = factsOf(certificate);
    const own = [...adviceOnProtocol(protocol), ...advice, ...adviceOnChain(certificate, shown)];
    const { fingerprint256: fingerprint } = certificate;
    return { protocol, cipher: cipher?.standardName ?? null, validTo, advice: own, fingerprint };
  } catch {
    return undefined;
  }
}

/** Facts that follow from the certificate alone. */
type CertificateFacts = Pick<TlsFacts, "validTo" | "advice">;

/** By fingerprint, because reading the key and the dates takes ten times as long as the fingerprint. */
const known = new Map<string, CertificateFacts>();
const MAX_KNOWN = 5000;

function factsOf(certificate: X509Certificate): CertificateFacts {
  const { fingerprint256 } = certificate;
  const before = known.get(fingerprint256);
  if (before) return before;
  const facts = readFacts(certificate);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(fingerprint256, facts);
  return facts;
}

function readFacts(certificate: X509Certificate): CertificateFacts {
  const advice: TlsAdvice[] = [];
  if (WEAK_SIGNATURE.test(certificate.signatureAlgorithm ?? "")) advice.push("weak_signature");
  if (hasWeakKey(certificate)) advice.push("weak_key");
  return { validTo: validityOf(certificate.raw).validTo.toISOString(), advice };
}

/** SHA-1 and MD5, for example `sha1WithRSAEncryption` and `ecdsa-with-SHA1`. */
const WEAK_SIGNATURE = /sha-?1(?!\d)|md5/i;

const SHORTEST_RSA_KEY = 2048;

function hasWeakKey({ publicKey }: X509Certificate): boolean {
  const { asymmetricKeyType = "", asymmetricKeyDetails } = publicKey;
  const bits = asymmetricKeyDetails?.modulusLength ?? SHORTEST_RSA_KEY;
  return asymmetricKeyType.startsWith("rsa") && bits < SHORTEST_RSA_KEY;
}

/** Older than TLS 1.2. */
const DEPRECATED: ReadonlySet<string | null> = new Set(["SSLv3", "TLSv1", "TLSv1.1"]);

function adviceOnProtocol(protocol: string | null): TlsAdvice[] {
  return DEPRECATED.has(protocol) ? ["deprecated_protocol"] : [];
}

/** Faults that hide whether the chain is complete. */
const DATES: ReadonlySet<string> = new Set(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"]);

/** Whether a certificate is neither self-signed nor issued by what was sent or is trusted. */
function adviceOnChain(
  certificate: X509Certificate,
  { fault, issuer }: Pick<ShownTls, "fault" | "issuer">,
): TlsAdvice[] {
  if (fault === undefined) return [];
  const isIncomplete = DATES.has(fault)
    ? !isIssuedBy(certificate, certificate.raw) && !isIssuedBy(certificate, issuer()?.raw)
    : fault === "UNABLE_TO_VERIFY_LEAF_SIGNATURE";
  return isIncomplete ? ["incomplete_chain"] : [];
}

function isIssuedBy(certificate: X509Certificate, issuer: Buffer | undefined): boolean {
  return issuer !== undefined && certificate.checkIssued(new X509Certificate(issuer));
}

/** When the certificate of a client ends, ISO 8601. Its PEM was read before it was stored. */
export function endOfCertificate({ certificate }: ClientCertificate): string {
  return factsOf(new X509Certificate(certificate)).validTo;
}

/** One element of DER. @property end the offset of the next element */
interface Element {
  tag: number;
  content: Buffer;
  end: number;
}

const VERSION = 0xa0;
const UTC_TIME = 0x17;

const TWO_DIGIT_YEAR = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;
const FOUR_DIGIT_YEAR = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;

/**
 * The validity of a certificate (RFC 5280, 4.1.2.5), read from the DER. The text form of Bun is wrong for times with an
 * offset, and it writes the year 49 as `49`, which `Date` reads as 2049.
 *
 * @throws ProbeError `tls_failed` if one of the times is invalid
 */
export function validityOf(certificate: Buffer): { validFrom: Date; validTo: Date } {
  const signed = elementAt(elementAt(certificate, 0).content, 0).content;
  const first = elementAt(signed, 0);
  // Order: the optional version, serial number, algorithm, issuer, validity.
  let at = first.tag === VERSION ? first.end : 0;
  for (let skipped = 0; skipped < 3; skipped++) at = elementAt(signed, at).end;
  const validity = elementAt(signed, at).content;
  const from = elementAt(validity, 0);
  return { validFrom: timeOf(from), validTo: timeOf(elementAt(validity, from.end)) };
}

/** @throws RangeError if the bytes end within the element */
function elementAt(bytes: Buffer, at: number): Element {
  const tag = bytes.readUInt8(at);
  const length = bytes.readUInt8(at + 1);
  const isLong = length > 0x7f;
  const start = at + 2 + (isLong ? length - 0x80 : 0);
  const end = start + (isLong ? bytes.readUIntBE(at + 2, length - 0x80) : length);
  return { tag, content: bytes.subarray(start, end), end };
}

function timeOf({ tag, content }: Element): Date {
  const text = content.toString("latin1");
  const pattern = tag === UTC_TIME ? TWO_DIGIT_YEAR : FOUR_DIGIT_YEAR;
  const [, years = "", month, day, hour, minute, second, offset] = pattern.exec(text) ?? [];
  const year = tag === UTC_TIME ? `${Number(years) < 50 ? "20" : "19"}${years}` : years;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  if (Number.isNaN(time.getTime()))
    throw new ProbeError("tls_failed", "the validity of the certificate is malformed");
  return time;
}
