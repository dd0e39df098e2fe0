import { domainToASCII } from "node:url";
import { getDomain } from "tldts";

/**
 * The domain that was registered for a host to exist, by the ICANN section of the public suffix list and its default rule (behavior
 * 20.71).
 *
 * @returns in ASCII; null for an address, and for a name that is a public suffix itself
 */
export function registrableDomain(host: string): string | null {
  const name = domainToASCII(host).replace(/\.$/, "");
  return getDomain(name, { allowPrivateDomains: false, detectIp: true, validateHostname: false });
}
