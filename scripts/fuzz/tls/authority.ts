import { createPrivateKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { bits, element, explicit, integer, octets, oid, sequence, set, utf8 } from "./der.ts";

const ECDSA = sequence(oid("1.2.840.10045.4.3.2"));
const DAY = 24 * 60 * 60 * 1000;

/** A certificate with its key, in PEM. */
export interface Issued {
  cert: string;
  key: string;
}

/** An authority for `NODE_EXTRA_CA_CERTS`, which a process reads when it starts: its certificate and its key in one file. */
export function createAuthorityFile(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const isAuthority = extension("2.5.29.19", sequence(element(0x01, "\xff")));
  const cert = certificate(
    { subject: "Authority", key: privateKey, left: 365, extensions: [isAuthority] },
    privateKey,
  );
  return `${cert}${privateKey.export({ type: "pkcs8", format: "pem" })}`;
}

let authority: KeyObject | undefined;
let server: KeyObject | undefined;

/** A certificate of the authority that this process trusts. @param left days until it ends @param names host names or addresses */
export function issue(names: string[], left: number): Issued {
  authority ??= authorityOfProcess();
  server ??= generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const alternatives = names.map((name) =>
    isIP(name) ? element(0x87, addressBytes(name)) : element(0x82, name),
  );
  const extensions = names.length > 0 ? [extension("2.5.29.17", sequence(...alternatives))] : [];
  const cert = certificate({ subject: "Server", key: server, left, extensions }, authority);
  return { cert, key: String(server.export({ type: "pkcs8", format: "pem" })) };
}

function authorityOfProcess(): KeyObject {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  const [key] =
    /-----BEGIN PRIVATE KEY-----.+/s.exec(file === undefined ? "" : readFileSync(file, "utf8")) ?? [];
  if (key === undefined)
    throw new Error("handshakes need the authority that fuzz.ts creates for its processes");
  return createPrivateKey(key);
}

interface Subject {
  subject: string;
  key: KeyObject;
  left: number;
  extensions: string[];
}

function certificate({ subject, key, left, extensions }: Subject, signer: KeyObject): string {
  const end = Date.now() + left * DAY;
  const tbs = sequence(
    explicit(0, integer("\x02")),
    integer("\x01"),
    ECDSA,
    nameOf("Authority"),
    sequence(timeOf(Math.min(end, Date.now()) - 30 * DAY), timeOf(end)),
    nameOf(subject),
    publicKeyOf(key),
    extensions.length > 0 ? explicit(3, sequence(...extensions)) : "",
  );
  const signature = sign("sha256", Buffer.from(tbs, "latin1"), signer).toString("latin1");
  return new X509Certificate(Buffer.from(sequence(tbs, ECDSA, bits(signature)), "latin1")).toString();
}

const nameOf = (text: string) => sequence(set(sequence(oid("2.5.4.3"), utf8(text))));

const extension = (id: string, value: string) => sequence(oid(id), octets(value));

function publicKeyOf(key: KeyObject): string {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  const algorithm = sequence(oid("1.2.840.10045.2.1"), oid("1.2.840.10045.3.1.7"));
  return sequence(algorithm, bits(point.toString("latin1")));
}

function timeOf(at: number): string {
  return element(0x18, `${new Date(at).toISOString().slice(0, 19).replace(/[-T:]/g, "")}Z`);
}

function addressBytes(address: string): string {
  return String.fromCharCode(...address.split(".").map(Number));
}
