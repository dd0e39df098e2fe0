import { X509Certificate } from "node:crypto";
import type { TlsAdvice, TlsFacts } from "../../domain/checks/tls-facts.ts";
import { validityOf } from "./validity.ts";

/**
 * A TLS handshake, as a socket knows it until it is closed.
 *
 * @property protocol null if the handshake did not complete
 * @property fault what is wrong with the certificate, for example `CERT_HAS_EXPIRED`
 * @property issuer of the certificate, in DER, if the server sent it or the system trusts it. It takes long
 */
interface ShownTls {
  certificate: X509Certificate | undefined;
  cipher: { standardName: string } | null | undefined;
  protocol: string | null;
  fault: string | undefined;
  issuer: () => Buffer | undefined;
}

/** Reads a handshake (behavior 10.90, 10.91). @returns undefined if the certificate is missing or malformed */
export function readTls(shown: ShownTls): TlsFacts | undefined {
  const { certificate, cipher, protocol } = shown;
  if (!certificate) return undefined;
  try {
    const { validTo, advice } = factsOf(certificate);
    const own = [...adviceOnProtocol(protocol), ...advice, ...adviceOnChain(certificate, shown)];
    return { protocol, cipher: cipher?.standardName ?? null, validTo, advice: own };
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
    ? !isIssuedBy(certificate, certificate.raw) && !isIssuedBy(certificate, issuer())
    : fault === "UNABLE_TO_VERIFY_LEAF_SIGNATURE";
  return isIncomplete ? ["incomplete_chain"] : [];
}

function isIssuedBy(certificate: X509Certificate, issuer: Buffer | undefined): boolean {
  return issuer !== undefined && certificate.checkIssued(new X509Certificate(issuer));
}
