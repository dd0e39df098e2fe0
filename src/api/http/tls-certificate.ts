import { readFileSync } from "node:fs";
import { invalid } from "../../errors.ts";
import { fileReason } from "../../system-error.ts";

/** A certificate chain and its private key, in PEM. */
export interface TlsCertificate {
  cert: string;
  key: string;
}

/**
 * @param files the paths of the chain and the key
 * @throws AppError `invalid` if a file cannot be read or the key does not match the certificate
 */
export function readCertificate(files: { cert: string; key: string }): TlsCertificate {
  // Most servers have no certificate, and loading this would delay each start.
  const { createPrivateKey, X509Certificate } = process.getBuiltinModule("node:crypto");
  const names = { cert: `--tls-cert ${files.cert}`, key: `--tls-key ${files.key}` };
  const cert = readPem(files.cert, names.cert);
  const key = readPem(files.key, names.key);
  const firstCertificate = parse(names.cert, "a certificate", () => new X509Certificate(cert));
  const privateKey = parse(names.key, "a private key", () => createPrivateKey(key));
  if (!firstCertificate.checkPrivateKey(privateKey)) {
    throw invalid(`${names.key} must be the key of the first certificate in ${files.cert}`);
  }
  return { cert, key };
}

/** @param name the flag and the path, for messages */
function readPem(path: string, name: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw invalid(`${name} can't be read: ${fileReason(error)}`);
  }
}

function parse<T>(name: string, what: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw invalid(`${name} must begin with ${what} in PEM`);
  }
}
