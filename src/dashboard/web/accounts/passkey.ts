import type { AssertionJson, RegistrationJson } from "../../../domain/people/webauthn/ceremony.ts";
import { relyingPartyOf } from "../../../domain/people/webauthn/client-data.ts";
import { ApiError } from "../data/api.ts";
import { fill, texts } from "../languages/texts.ts";

/** Why the browser or the address of the page allows no passkeys (behavior 19.50); undefined if they work. */
export function passkeyFault(): string | undefined {
  if (!relyingPartyOf(location.origin))
    return fill(texts.signIn.passkey.insecure, { origin: location.origin });
  const isKnown =
    typeof PublicKeyCredential !== "undefined" && "parseCreationOptionsFromJSON" in PublicKeyCredential;
  return isKnown ? undefined : texts.signIn.passkey.unsupported;
}

/** Asks the browser for a new passkey. @param options of the server @throws ApiError with a sentence for the reader */
export async function createPasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<RegistrationJson> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return jsonOf<RegistrationJson>(navigator.credentials.create({ publicKey }));
}

/** Asks the browser for the use of a passkey. @throws as `createPasskey` */
export async function getPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<AssertionJson> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return jsonOf<AssertionJson>(navigator.credentials.get({ publicKey }));
}

/** Milliseconds: less than a challenge of the server holds (behavior 19.53). */
const RENEWAL = 4 * 60_000;

/**
 * Waits until the reader chooses one of the passkeys that the browser offers in the field of the e-mail address.
 *
 * @param load options of the server, again before a challenge ends @throws if it is aborted, or if there is nothing to offer
 */
export async function offeredPasskey(
  load: () => Promise<PublicKeyCredentialRequestOptionsJSON>,
  signal: AbortSignal,
): Promise<AssertionJson> {
  for (;;) {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await load());
    const renewal = AbortSignal.timeout(RENEWAL);
    const either = AbortSignal.any([signal, renewal]);
    try {
      const chosen = await navigator.credentials.get({ publicKey, mediation: "conditional", signal: either });
      return (chosen as PublicKeyCredential).toJSON() as unknown as AssertionJson;
    } catch (error) {
      if (signal.aborted || !renewal.aborted) throw error;
    }
  }
}

async function jsonOf<Json>(asked: Promise<Credential | null>): Promise<Json> {
  const credential = await asked.catch((error: unknown) => {
    throw new ApiError(0, describe(error));
  });
  return (credential as PublicKeyCredential).toJSON() as unknown as Json;
}

function describe(error: unknown): string {
  return error instanceof DOMException && error.name === "InvalidStateError"
    ? texts.signIn.passkey.known
    : texts.signIn.passkey.failed;
}
