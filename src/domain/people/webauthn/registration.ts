import { invalid } from "../../../errors.ts";
import { parseAuthenticatorData } from "./authenticator-data.ts";
import { fromBase64Url, isEqual } from "./bytes.ts";
import { decodeCborMap } from "./cbor.ts";
import { assertClientData } from "./client-data.ts";
import { assertPublicKey } from "./cose-key.ts";
import type { RegistrationJson } from "./credential.ts";
import type { RelyingParty } from "./relying-party.ts";

/** A passkey as it is registered. */
export interface NewCredential {
  credentialId: Uint8Array;
  /** As a COSE key, in CBOR. */
  publicKey: Uint8Array;
  counter: number;
  isBackupEligible: boolean;
  isBackedUp: boolean;
  /** How the browser reaches the authenticator. */
  transports: string[];
}

/**
 * Verifies a new credential (WebAuthn, section 7.1). We ask for no attestation, so what an authenticator attests is neither
 * verified nor trusted.
 *
 * @param expected `challenge` in base64url, which the caller has not accepted before
 * @throws AppError `invalid`
 */
export async function verifyRegistration(
  { id, response }: RegistrationJson,
  { challenge, party }: { challenge: string; party: RelyingParty },
): Promise<NewCredential> {
  assertClientData(fromBase64Url(response.clientDataJSON), { type: "webauthn.create", challenge, party });
  const authData = decodeCborMap(fromBase64Url(response.attestationObject)).get("authData");
  if (!(authData instanceof Uint8Array)) throw invalid("attestationObject must have authData");
  const { attested, ...state } = await parseAuthenticatorData(authData, party);
  if (!attested) throw invalid("authData must have the new credential");
  if (!isEqual(attested.id, fromBase64Url(id))) throw invalid("id must be that of the new credential");
  await assertPublicKey(attested.publicKey);
  const { transports = [] } = response;
  return { credentialId: attested.id, publicKey: attested.publicKey, ...state, transports };
}
