import { invalid } from "../../../errors.ts";

/** The data of a ceremony that the browser adds (WebAuthn, section 5.8.1). */
interface ClientData {
  type: unknown;
  challenge: string;
  origin: unknown;
  crossOrigin: unknown;
  topOrigin: unknown;
}

export type Ceremony = "webauthn.create" | "webauthn.get";

/** The challenge that a browser has answered, in base64url, before anything of it is verified. @throws AppError `invalid` */
export function challengeOf(clientDataJson: Uint8Array): string {
  return parseClientData(clientDataJson).challenge;
}

/**
 * Verifies what the browser says (WebAuthn, section 7.1 steps 5 to 12, section 7.2 steps 8 to 14).
 *
 * @param expected `challenge` in base64url
 * @throws AppError `invalid`
 */
export function assertClientData(
  clientDataJson: Uint8Array,
  { type, challenge, party }: { type: Ceremony; challenge: string; party: RelyingParty },
): void {
  const data = parseClientData(clientDataJson);
  if (data.type !== type) throw invalid(`the credential must be of the type ${type}`);
  if (data.challenge !== challenge) throw invalid("the credential must answer the challenge of the options");
  if (data.origin !== party.origin) throw invalid(`the credential must be of the origin ${party.origin}`);
  // A page of another site has this one in a frame.
  if ((data.crossOrigin ?? false) !== false || data.topOrigin !== undefined)
    throw invalid("the credential must not be created in a frame of another site");
}

function parseClientData(bytes: Uint8Array): ClientData {
  const value = parseJson(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformed();
  const { type, challenge, origin, crossOrigin, topOrigin } = value as Partial<ClientData>;
  if (typeof challenge !== "string") throw malformed();
  return { type, challenge, origin, crossOrigin, topOrigin };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw malformed();
  }
}

function malformed() {
  return invalid("clientDataJSON must be the JSON of a browser");
}

/** The purpose of a challenge: a passkey that is added, a sign-in, or the acceptance of an invitation (behavior 19.53). */
export type ChallengeKind = "register" | "sign_in" | "invite";

/** A challenge holds for so many milliseconds (behavior 19.53). */
export const CHALLENGE_LENGTH = 5 * 60 * 1000;

/** The server as authenticators know it (WebAuthn, section 4). */
export interface RelyingParty {
  /** The RP ID: a host name. */
  id: string;
  origin: string;
}

/** As the parser of URLs writes it. */
const IP_ADDRESS = /^\[|^\d+(\.\d+){3}$/;

/**
 * The relying party of a base URL (behavior 19.50). Browsers have WebAuthn only where a page is secure, and no RP ID is an IP
 * address (WebAuthn, sections 5.1 and 5.1.3).
 *
 * @returns undefined if passkeys do not work there
 */
export function relyingPartyOf(baseUrl: string): RelyingParty | undefined {
  const { protocol, hostname: id, origin } = new URL(baseUrl);
  const isSecure = protocol === "https:" || id === "localhost";
  return isSecure && !IP_ADDRESS.test(id) ? { id, origin } : undefined;
}
