import { X509Certificate } from "node:crypto";
import type { ChainCertificate, TlsEvidence } from "../../domain/evidence/evidence.ts";
import { type ShownTls, validityOf } from "./handshake.ts";

/** The most certificates of a chain that are kept. */
const MAX_CHAIN = 5;

/**
 * Reads a handshake for the evidence of a failure: also with a certificate that was refused.
 *
 * @param shown undefined if the handshake has not got that far
 * @param error the code of the handshake, or of the certificate
 */
export function tlsEvidence(shown: ShownTls | undefined, error: string | null): TlsEvidence {
  if (!shown) return { protocol: null, cipher: null, chain: [], error };
  const chain = chainOf(shown);
  return {
    protocol: shown.protocol,
    cipher: shown.cipher?.standardName ?? null,
    chain: chain.flatMap(described),
    error,
    ...(chain[0] && { names: namesIn(chain[0].subjectAltName) }),
  };
}

/** The certificates that the server sent, beginning with its own certificate, up to a certificate that the system trusts. */
function chainOf({ certificate, issuer }: ShownTls): X509Certificate[] {
  if (!certificate) return [];
  const chain = [certificate];
  try {
    for (let next = issuer(); next && chain.length < MAX_CHAIN; next = next.issuerCertificate) {
      const one = new X509Certificate(next.raw);
      // The issuer of a root is itself.
      if (chain.some(({ fingerprint256 }) => fingerprint256 === one.fingerprint256)) break;
      chain.push(one);
    }
  } catch {
    // The connection is closed, or an issuer is malformed: what was read is enough.
  }
  return chain;
}

/** @returns nothing if the certificate is malformed */
function described(certificate: X509Certificate): ChainCertificate[] {
  try {
    const { validFrom, validTo } = validityOf(certificate.raw);
    return [
      {
        subject: oneLine(certificate.subject),
        issuer: oneLine(certificate.issuer),
        validFrom: validFrom.toISOString(),
        validTo: validTo.toISOString(),
        fingerprint: certificate.fingerprint256,
      },
    ];
  } catch {
    return [];
  }
}

/** A name of a certificate, whose parts are on lines of their own. */
export function oneLine(name: string | undefined): string {
  return (name ?? "").split("\n").join(", ");
}

/** @param text for example `DNS:example.com, IP Address:192.0.2.1` */
export function namesIn(text: string | undefined): string[] {
  const names = (text ?? "").split(", ").map((entry) => /^(?:DNS|IP Address):(.+)/.exec(entry)?.[1]);
  return names.filter((name) => name !== undefined);
}
