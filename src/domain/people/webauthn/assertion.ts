import { invalid } from "../../../errors.ts";
import { parseAuthenticatorData } from "./authenticator-data.ts";
import { fromBase64Url, isEqual, sha256, utf8 } from "./bytes.ts";
import { assertClientData } from "./client-data.ts";
import { isSignedBy } from "./cose-key.ts";
import type { AssertionJson } from "./credential.ts";
import type { RelyingParty } from "./relying-party.ts";

/** A passkey that was registered before. */
export interface StoredCredential {
  /** The user handle (WebAuthn, section 5.4.3). */
  personId: string;
  /** As a COSE key, in CBOR. */
  publicKey: Uint8Array;
  counter: number;
  isBackupEligible: boolean;
}

/** The changes of a passkey by a use. @property wentBack whether a copy of the passkey may exist (WebAuthn, section 6.1.1) */
export interface PasskeyUse {
  counter: number;
  isBackedUp: boolean;
  wentBack: boolean;
}

/**
 * Verifies a sign-in with a passkey (WebAuthn, section 7.2).
 *
 * @param expected `challenge` in base64url, which the caller has not accepted before
 * @throws AppError `invalid`
 */
export async function verifyAssertion(
  { response }: AssertionJson,
  { challenge, party, stored }: { challenge: string; party: RelyingParty; stored: StoredCredential },
): Promise<PasskeyUse> {
  const clientData = fromBase64Url(response.clientDataJSON);
  assertClientData(clientData, { type: "webauthn.get", challenge, party });
  if (!isEqual(utf8(stored.personId), fromBase64Url(response.userHandle)))
    throw invalid("userHandle must be of the person who has the credential");
  const authData = fromBase64Url(response.authenticatorData);
  const { counter, isBackedUp, isBackupEligible } = await parseAuthenticatorData(authData, party);
  if (isBackupEligible !== stored.isBackupEligible)
    throw invalid("the credential must be as eligible for a backup as it was at its registration");
  const data = new Uint8Array([...authData, ...(await sha256(clientData))]);
  if (!(await isSignedBy(stored.publicKey, { signature: fromBase64Url(response.signature), data })))
    throw invalid("the signature must be of the key of the credential");
  const isCounted = counter > 0 || stored.counter > 0;
  return {
    counter: Math.max(counter, stored.counter),
    isBackedUp,
    wentBack: isCounted && counter <= stored.counter,
  };
}
