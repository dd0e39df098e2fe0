import { createHash, randomBytes } from "node:crypto";
import type { Challenge } from "./challenges.ts";

/** The algorithms of RFC 7616, 3.3, that are spoken, the best one first. In lower case. */
const ALGORITHMS = ["sha-256", "sha-256-sess", "md5", "md5-sess"] as const;
type Algorithm = (typeof ALGORITHMS)[number];

/** A challenge that can be answered. Texts have one character for each byte. */
export interface DigestChallenge {
  realm: string;
  nonce: string;
  opaque: string | undefined;
  algorithm: Algorithm;
  /** The algorithm as the server wrote it, if it did. */
  named: string | undefined;
  /** False for a server older than RFC 2617. */
  hasQop: boolean;
  /** Whether the server says that it reads UTF-8. */
  isUtf8: boolean;
  /** Whether only the nonce of the answer was too old. */
  isStale: boolean;
}

/** The challenge with the best algorithm, the first of several. @returns undefined if none can be answered */
export function bestDigest(challenges: readonly Challenge[]): DigestChallenge | undefined {
  const found = challenges.flatMap((challenge) => digestOf(challenge) ?? []);
  return found.toSorted((one, other) => rankOf(one) - rankOf(other))[0];
}

function rankOf({ algorithm }: DigestChallenge): number {
  return ALGORITHMS.indexOf(algorithm);
}

function digestOf({ scheme, parameters }: Challenge): DigestChallenge | undefined {
  const [realm, nonce, qop] = ["realm", "nonce", "qop"].map((name) => parameters.get(name));
  if (scheme !== "digest" || realm === undefined || nonce === undefined) return undefined;
  const named = parameters.get("algorithm");
  const algorithm = ALGORITHMS.find((one) => one === (named ?? "md5").toLowerCase());
  const options = qop?.split(",").map((option) => option.trim().toLowerCase());
  if (!algorithm || options?.includes("auth") === false) return undefined;
  return {
    ...{ realm, nonce, algorithm, named },
    opaque: parameters.get("opaque"),
    hasQop: options !== undefined,
    isUtf8: parameters.get("charset")?.toLowerCase() === "utf-8",
    isStale: parameters.get("stale")?.toLowerCase() === "true",
  };
}

/** Says why no challenge of a 401 can be answered, without any text of the server. */
export function whyNoDigest(challenges: readonly Challenge[]): string {
  const digests = challenges.filter(({ scheme }) => scheme === "digest");
  if (digests.length === 0) return `the server asks for ${schemesIn(challenges)}, not for Digest`;
  return "the server asks for Digest only in forms other than MD5 and SHA-256 with qop=auth";
}

/** The schemes that a message may name. */
const KNOWN_SCHEMES: Record<string, string> = {
  basic: "Basic (set config.basicAuth)",
  bearer: "Bearer",
  negotiate: "Negotiate",
  ntlm: "NTLM",
};

function schemesIn(challenges: readonly Challenge[]): string {
  const names = new Set(challenges.flatMap(({ scheme }) => KNOWN_SCHEMES[scheme] ?? []));
  return names.size > 0 ? [...names].join(", ") : "nothing that is known here";
}

/** @property secrets what a text of the server must not show of it */
interface Proof {
  /** The value of the header `Authorization`, with one character for each byte. */
  authorization: string;
  secrets: string[];
}

/**
 * Answers a challenge (RFC 7616, 3.4).
 *
 * @param cnonce given only by tests
 */
export function digestAuthorization(
  challenge: DigestChallenge,
  { user, password }: { user: string; password: string },
  { method, url }: { method: string; url: URL },
  cnonce = randomBytes(18).toString("base64url"),
): Proof {
  const { realm, nonce, algorithm, named, opaque, hasQop, isUtf8 } = challenge;
  const hash = hashOf(challenge);
  const encoded = (text: string) => bytesOf(isUtf8 ? text.normalize("NFC") : text);
  const uri = `${url.pathname}${url.search}`;
  const isSession = algorithm.endsWith("-sess");
  const secret = hash(`${encoded(user)}:${realm}:${encoded(password)}`);
  const key = isSession ? hash(`${secret}:${nonce}:${cnonce}`) : secret;
  const once = hasQop ? `${nonce}:00000001:${cnonce}:auth` : nonce;
  const response = hash(`${key}:${once}:${hash(`${method}:${uri}`)}`);
  const fields = [
    userField(user, challenge),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    ...(named === undefined ? [] : [`algorithm=${named}`]),
    `response="${response}"`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(hasQop ? ["qop=auth", "nc=00000001"] : []),
    ...(hasQop || isSession ? [`cnonce="${cnonce}"`] : []),
  ];
  return { authorization: `Digest ${fields.join(", ")}`, secrets: [response, cnonce] };
}

function hashOf({ algorithm }: DigestChallenge): (bytes: string) => string {
  const name = algorithm.startsWith("sha-256") ? "sha256" : "md5";
  return (bytes) => createHash(name).update(bytes, "latin1").digest("hex");
}

/** A name outside of ASCII has a form of its own, if the server reads UTF-8 (RFC 7616, 3.4; RFC 8187, 3.2). */
function userField(user: string, { isUtf8 }: DigestChallenge): string {
  if (!isUtf8 || /^[ -~]*$/.test(user)) return `username=${quoted(bytesOf(user))}`;
  const encoded = encodeURIComponent(user.normalize("NFC")).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `username*=UTF-8''${encoded}`;
}

function quoted(bytes: string): string {
  return `"${bytes.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** A text as UTF-8, with one character for each byte. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString("latin1");
}
