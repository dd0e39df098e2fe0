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
  /** An authority that this one has issued. */
  authority(how?: Validity): Promise<Pick<Authority, "cert" | "issue">>;
}

/** @property left days until the certificate expires @property old days since it became valid */
export interface Validity {
  left?: number;
  old?: number;
}

/** @property hash of the signature @property bits of its key, which is then one of RSA */
export interface Issued extends Validity {
  subject?: JsonName;
  hash?: string;
  bits?: number;
}

/** Creates a certificate authority in this process, without another program. */
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
    ...issuing(authority, keys),
    authority: async (how = {}) => {
      const own = await generateKeys();
      const certificate = await X509CertificateGenerator.create({
        subject: [{ CN: ["Second authority of the tests"] }],
        issuer: authority.subject,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        ...validity({ left: 365, old: 365, ...how }),
        signingAlgorithm: ALGORITHM,
        extensions: [new BasicConstraintsExtension(true)],
      });
      return issuing(certificate, own);
    },
  };
}

function issuing(
  authority: X509Certificate,
  { privateKey }: CryptoKeyPair,
): Pick<Authority, "cert" | "issue"> {
  return {
    cert: authority.toString("pem"),
    issue: (names, how = {}) => issue({ authority, signingKey: privateKey, names, how }),
  };
}

/** A self-signed certificate. @param bits of its RSA key */
export async function createSelfSigned(
  names: JsonGeneralName[],
  { bits, hash }: { bits: number; hash: string },
): Promise<ServerCertificate> {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash };
  const keys = await generateRsaKeys(bits, hash);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ["Server of the tests"] }],
    ...validity({ left: 90, old: 1 }),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new SubjectAlternativeNameExtension(names)],
  });
  return withKey(certificate, keys);
}

async function issue({
  authority,
  signingKey,
  names,
  how: { subject = [{ CN: ["Server of the tests"] }, { O: ["Stillup"] }], hash = "SHA-256", bits, ...days },
}: {
  authority: X509Certificate;
  signingKey: CryptoKey;
  names: JsonGeneralName[];
  how: Issued;
}): Promise<ServerCertificate> {
  const keys = await (bits === undefined ? generateKeys() : generateRsaKeys(bits, "SHA-256"));
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: authority.subject,
    publicKey: keys.publicKey,
    signingKey,
    ...validity({ left: 90, old: 1, ...days }),
    signingAlgorithm: { ...ALGORITHM, hash },
    extensions: names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)],
  });
  return withKey(certificate, keys);
}

async function withKey(
  certificate: X509Certificate,
  { privateKey }: CryptoKeyPair,
): Promise<ServerCertificate> {
  const key = await crypto.subtle.exportKey("pkcs8", privateKey);
  return { cert: certificate.toString("pem"), key: PemConverter.encode(key, "PRIVATE KEY") };
}

function validity({ left, old }: { left: number; old: number }) {
  return { notBefore: new Date(Date.now() - old * DAY), notAfter: new Date(Date.now() + left * DAY) };
}

const SEQUENCE = 0x30;

/** A time in DER: its tag and its text. */
export type DerTime = readonly ["UTCTime" | "GeneralizedTime", string];

/** The same certificate with times that no generator writes. Its signature is invalid. */
export function withValidity(own: ServerCertificate, from: DerTime, to: DerTime): ServerCertificate {
  const [certificate] = PemConverter.decode(own.cert);
  const [tbs, ...signature] = elementsIn(
    contentOf(Buffer.from(new Uint8Array(certificate ?? new ArrayBuffer(0)))),
  );
  const fields = elementsIn(contentOf(tbs ?? Buffer.alloc(0)));
  // The fields after version, serial number, algorithm and issuer.
  fields[4] = element(SEQUENCE, [from, to].map(timeElement));
  const changed = element(SEQUENCE, [element(SEQUENCE, fields), ...signature]);
  return { ...own, cert: PemConverter.encode(new Uint8Array(changed).buffer, "CERTIFICATE") };
}

function timeElement([type, text]: DerTime): Buffer {
  return element(type === "UTCTime" ? 0x17 : 0x18, [Buffer.from(text)]);
}

function element(tag: number, parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

function elementsIn(content: Buffer): Buffer[] {
  const elements: Buffer[] = [];
  for (let rest = content; rest.length > 0; rest = rest.subarray(elements.at(-1)?.length)) {
    elements.push(rest.subarray(0, headOf(rest).end));
  }
  return elements;
}

function contentOf(bytes: Buffer): Buffer {
  const { start, end } = headOf(bytes);
  return bytes.subarray(start, end);
}

function headOf(bytes: Buffer): { start: number; end: number } {
  const length = bytes.readUInt8(1);
  if (length < 0x80) return { start: 2, end: 2 + length };
  const start = 2 + length - 0x80;
  return { start, end: start + bytes.readUIntBE(2, length - 0x80) };
}

function generateKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as Promise<CryptoKeyPair>;
}

function generateRsaKeys(bits: number, hash: string): Promise<CryptoKeyPair> {
  const publicExponent = new Uint8Array([1, 0, 1]);
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash, modulusLength: bits, publicExponent };
  return crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]) as Promise<CryptoKeyPair>;
}
