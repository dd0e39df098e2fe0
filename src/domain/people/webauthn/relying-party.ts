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
