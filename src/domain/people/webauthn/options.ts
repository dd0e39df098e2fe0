import { type Static, Type } from "@sinclair/typebox";
import { closed, named, oneOf } from "../../schemas/schema.ts";
import { toBase64Url, utf8 } from "./cbor.ts";
import { CHALLENGE_LENGTH, type RelyingParty } from "./client-data.ts";
import { COSE_ALGORITHMS } from "./passkey-signature.ts";

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
