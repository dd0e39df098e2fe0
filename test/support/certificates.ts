import "reflect-metadata";
import {
  BasicConstraintsExtension,
  type JsonGeneralName,
  type JsonName,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY = 24 * 60 * 60 * 1000;

export interface ServerCertificate {
  cert: string;
  key: string;
}

export interface Authority {
  cert: string;
  issue(names: JsonGeneralName[], how?: Issued): Promise<ServerCertificate>;
}

/** @property left and `old`: days until its end, and since its beginning */
interface Issued {
  left?: number;
  old?: number;
  subject?: JsonName;
}

/** Makes an authority in this process, so that a test needs no program besides. */
export async function createAuthority(
  name: JsonName = [{ CN: ["Authority of the tests"] }],
): Promise<Authority> {
  const keys = await generateKeys();
  const authority = await X509CertificateGenerator.createSelfSigned({
    name,
    ...validity({ left: 365, old: 365 }),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [new BasicConstraintsExtension(true)],
  });
  return {
    cert: authority.toString("pem"),
    issue: (names, how = {}) => issue({ authority, signingKey: keys.privateKey, names, how }),
  };
}

async function issue({
  authority,
  signingKey,
  names,
  how: { subject = [{ CN: ["Server of the tests"] }, { O: ["Stillup"] }], ...days },
}: {
  authority: X509Certificate;
  signingKey: CryptoKey;
  names: JsonGeneralName[];
  how: Issued;
}): Promise<ServerCertificate> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: authority.subject,
    publicKey: keys.publicKey,
    signingKey,
    ...validity({ left: 90, old: 1, ...days }),
    signingAlgorithm: ALGORITHM,
    extensions: [new SubjectAlternativeNameExtension(names)],
  });
  const key = await crypto.subtle.exportKey("pkcs8", keys.privateKey);
  return { cert: certificate.toString("pem"), key: PemConverter.encode(key, "PRIVATE KEY") };
}

function validity({ left, old }: { left: number; old: number }) {
  return { notBefore: new Date(Date.now() - old * DAY), notAfter: new Date(Date.now() + left * DAY) };
}

function generateKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as Promise<CryptoKeyPair>;
}
