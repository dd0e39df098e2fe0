import { invalid } from "../../../errors.ts";
import { fault } from "../../faults/fault.ts";
import type { RelyingParty } from "./client-data.ts";
import { decodeCbor, isEqual, sha256, utf8 } from "./passkey-signature.ts";

/** The data that an authenticator signs (WebAuthn, section 6.1). */
export interface AuthenticatorData {
  /** How many signatures the authenticator has made, or 0 if it does not count. */
  counter: number;
  /** Whether the credential can be on several devices. It never changes. */
  isBackupEligible: boolean;
  isBackedUp: boolean;
  /** Only at a registration. */
  attested?: AttestedCredential;
}

/** WebAuthn, section 6.5.1. @property publicKey as a COSE key, in CBOR */
export interface AttestedCredential {
  id: Uint8Array;
  publicKey: Uint8Array;
}

const HASH_LENGTH = 32;
const HEAD_LENGTH = HASH_LENGTH + 1 + 4;
const AAGUID_LENGTH = 16;
const MAX_ID_LENGTH = 1023;

const FLAG = {
  userPresent: 0x01,
  userVerified: 0x04,
  backupEligible: 0x08,
  backedUp: 0x10,
  attested: 0x40,
  extensions: 0x80,
} as const;

/**
 * Parses and verifies authenticator data: the RP ID and the flags (WebAuthn, section 7.1 steps 14 to 19, section 7.2 steps 15 to
 * 19). We require the verification of the user.
 *
 * @throws AppError `invalid`
 */
export async function parseAuthenticatorData(
  bytes: Uint8Array,
  party: RelyingParty,
): Promise<AuthenticatorData> {
  if (bytes.length < HEAD_LENGTH) throw malformed();
  if (!isEqual(await sha256(utf8(party.id)), bytes.subarray(0, HASH_LENGTH)))
    throw invalid(`the credential must be for the host ${party.id}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = view.getUint8(HASH_LENGTH);
  const has = (flag: keyof typeof FLAG) => (flags & FLAG[flag]) !== 0;
  if (!has("userPresent") || !has("userVerified")) throw fault("passkeyUnverified", {});
  if (has("backedUp") && !has("backupEligible")) throw malformed();
  const { attested, rest } = has("attested") ? parseAttested(bytes) : { rest: bytes.subarray(HEAD_LENGTH) };
  assertExtensions(rest, has("extensions"));
  return {
    counter: view.getUint32(HASH_LENGTH + 1),
    isBackupEligible: has("backupEligible"),
    isBackedUp: has("backedUp"),
    ...(attested && { attested }),
  };
}

function parseAttested(bytes: Uint8Array): { attested: AttestedCredential; rest: Uint8Array } {
  const start = HEAD_LENGTH + AAGUID_LENGTH + 2;
  if (bytes.length < start) throw malformed();
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint16(start - 2);
  if (length === 0 || length > MAX_ID_LENGTH || bytes.length <= start + length) throw malformed();
  const behindId = bytes.subarray(start + length);
  const key = decodeCbor(behindId);
  if (!(key.value instanceof Map)) throw malformed();
  return {
    attested: { id: bytes.slice(start, start + length), publicKey: behindId.slice(0, key.length) },
    rest: behindId.subarray(key.length),
  };
}

/** We ask for no extension that has an output here; an authenticator may add some all the same. */
function assertExtensions(rest: Uint8Array, isPresent: boolean): void {
  const length = isPresent ? lengthOfMap(rest) : 0;
  if (length !== rest.length) throw malformed();
}

function lengthOfMap(bytes: Uint8Array): number {
  const { value, length } = decodeCbor(bytes);
  if (!(value instanceof Map)) throw malformed();
  return length;
}

function malformed() {
  return invalid("authenticatorData must be well-formed");
}
