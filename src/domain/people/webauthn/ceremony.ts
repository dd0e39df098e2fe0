import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../../../errors.ts";
import { closed, named, oneOf, open } from "../../schemas/schema.ts";
import { parseAuthenticatorData } from "./authenticator-data.ts";
import { assertClientData, CHALLENGE_LENGTH, type RelyingParty } from "./client-data.ts";
import {
  assertPublicKey,
  COSE_ALGORITHMS,
  decodeCborMap,
  fromBase64Url,
  isEqual,
  isSignedBy,
  sha256,
  toBase64Url,
  utf8,
} from "./passkey-signature.ts";

const type = Type.Literal("public-key");

const Descriptor = Type.Object(
  { type, id: Type.String(), transports: Type.Optional(Type.Array(Type.String())) },
  closed,
);

/** `PublicKeyCredentialCreationOptionsJSON` (WebAuthn, section 5.1.9). */
export const CreationOptions = Type.Object(
  {
    rp: Type.Object({ id: Type.String(), name: Type.String() }, closed),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }, closed),
    challenge: Type.String(),
    pubKeyCredParams: Type.Array(Type.Object({ type, alg: Type.Integer() }, closed)),
    timeout: Type.Integer({ description: "Milliseconds." }),
    excludeCredentials: Type.Array(Descriptor, { description: "The passkeys that the person has." }),
    authenticatorSelection: Type.Object(
      {
        residentKey: Type.Literal("required"),
        requireResidentKey: Type.Literal(true),
        userVerification: Type.Literal("required"),
      },
      closed,
    ),
    attestation: oneOf(["none"]),
  },
  named("PasskeyCreationOptions"),
);
export type CreationOptions = Static<typeof CreationOptions>;

/** `PublicKeyCredentialRequestOptionsJSON` (WebAuthn, section 5.1.10). */
export const RequestOptions = Type.Object(
  {
    challenge: Type.String(),
    timeout: Type.Integer({ description: "Milliseconds." }),
    rpId: Type.String(),
    allowCredentials: Type.Array(Descriptor, {
      description: "Always empty: the browser offers all passkeys of this server.",
    }),
    userVerification: Type.Literal("required"),
  },
  named("PasskeyRequestOptions"),
);
export type RequestOptions = Static<typeof RequestOptions>;

/** A passkey, for the browser. */
export interface KnownCredential {
  credentialId: Uint8Array;
  transports: string[];
}

/** The options of `navigator.credentials.create()`: a discoverable credential, with user verification, without attestation. */
export function creationOptions(
  party: RelyingParty,
  {
    challenge,
    person: { id, email, name },
    known,
  }: {
    challenge: string;
    person: { id: string; email: string; name: string | null };
    known: KnownCredential[];
  },
): CreationOptions {
  return {
    rp: { id: party.id, name: "stillup" },
    user: { id: toBase64Url(utf8(id)), name: email, displayName: name ?? email },
    challenge,
    pubKeyCredParams: COSE_ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: CHALLENGE_LENGTH,
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    attestation: "none",
  };
}

/**
 * The options of `navigator.credentials.get()`. They name no passkey, so that nobody learns from them who has one: the person
 * chooses in the browser.
 */
export function requestOptions(party: RelyingParty, challenge: string): RequestOptions {
  return {
    ...{ challenge, timeout: CHALLENGE_LENGTH, rpId: party.id },
    ...{ allowCredentials: [], userVerification: "required" },
  };
}

function descriptorOf({ credentialId, transports }: KnownCredential): Static<typeof Descriptor> {
  return {
    type: "public-key",
    id: toBase64Url(credentialId),
    ...(transports.length > 0 && { transports }),
  };
}

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

/** Characters of base64url, without padding. */
const Base64Url = (maxLength: number) => Type.String({ pattern: "^[A-Za-z0-9_-]*$", maxLength });

const base = {
  id: Base64Url(1364),
  type: Type.Literal("public-key"),
};

/** Names of transports that we do not know are kept for the browser (WebAuthn, section 5.8.4). */
const Transports = Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 });

/** `RegistrationResponseJSON`, as `toJSON()` of a new credential returns it (WebAuthn, section 5.1). */
export const RegistrationJson = Type.Object(
  {
    ...base,
    response: Type.Object(
      {
        clientDataJSON: Base64Url(4096),
        attestationObject: Base64Url(8192),
        transports: Type.Optional(Transports),
      },
      open,
    ),
  },
  { ...open, title: "PasskeyRegistration" },
);
export type RegistrationJson = Static<typeof RegistrationJson>;

/** `AuthenticationResponseJSON`, as `toJSON()` of an assertion returns it (WebAuthn, section 5.1). */
export const AssertionJson = Type.Object(
  {
    ...base,
    response: Type.Object(
      {
        clientDataJSON: Base64Url(4096),
        authenticatorData: Base64Url(4096),
        signature: Base64Url(1024),
        userHandle: Base64Url(88),
      },
      open,
    ),
  },
  { ...open, title: "PasskeyAssertion" },
);
export type AssertionJson = Static<typeof AssertionJson>;
