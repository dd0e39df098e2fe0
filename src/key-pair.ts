import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { type AppError, type FormFault, invalid, type KeyPairCode, withFault } from "./errors.ts";

/** In PEM. */
interface KeyPair {
  certificate: string;
  key: string;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

/**
 * Refuses what no handshake could use (behavior 26.11).
 *
 * @param at the name of the field with both
 * @throws AppError `invalid` that names the field; without any text of it
 */
export function assertKeyPair({ certificate, key }: KeyPair, at: string): void {
  const [first] = certificatesIn(certificate, `${at}.certificate`);
  if (!first?.checkPrivateKey(keyIn(key, `${at}.key`)))
    throw refused("otherKey", `${at}.key`, `must be the key of the first certificate in ${at}.certificate`);
}

function certificatesIn(text: string, at: string): X509Certificate[] {
  const blocks = [...text.matchAll(BLOCK)];
  const certificates = blocks.filter(([, label]) => label === "CERTIFICATE");
  if (certificates.length === 0) throw refused("noCertificate", at, "must have a certificate in PEM");
  return certificates.map(([pem], place) => parsed(pem, { at, place }));
}

function parsed(pem: string, { at, place }: { at: string; place: number }): X509Certificate {
  try {
    const certificate = new X509Certificate(pem);
    // The library reads it only now.
    if (certificate.publicKey.type !== "public") throw new Error("no public key");
    return certificate;
  } catch {
    const why = "is malformed, or its key is of a kind that is not known here";
    if (place === 0)
      throw refused(
        "malformedCertificate",
        at,
        `must be certificates in PEM: the certificate of the client ${why}`,
      );
    throw refused(
      "malformedChain",
      at,
      `must be certificates in PEM: certificate ${place + 1} of its chain ${why}`,
      { position: place + 1 },
    );
  }
}

function keyIn(key: string, at: string): KeyObject {
  try {
    return createPrivateKey({ key, format: "pem" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MISSING_PASSPHRASE")
      throw refused("passphrase", at, "must have no passphrase: remove it, for example with openssl pkey");
    throw refused("unknownKey", at, "must be a private key in PEM, of RSA, ECDSA or Ed25519");
  }
}

function refused(
  code: KeyPairCode,
  field: string,
  demand: string,
  values: FormFault["values"] = {},
): AppError {
  return withFault(invalid(`${field} ${demand}`), { code, field, values });
}
