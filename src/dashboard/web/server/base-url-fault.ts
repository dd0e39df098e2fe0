import { isLoopback } from "../../../domain/network/local-request.ts";

/**
 * Whether check-in URLs and links in notifications lead elsewhere than the address bar of a browser. The names of the reader's own
 * machine are the same place, if the port is the same.
 */
export function isOtherOrigin(baseUrl: string, origin: string): boolean {
  const [base, page] = [URL.parse(baseUrl), URL.parse(origin)];
  if (!base || !page) return true;
  const isSameMachine = isLocal(base) && isLocal(page) && base.port === page.port;
  return base.origin !== page.origin && !isSameMachine;
}

function isLocal({ hostname }: URL): boolean {
  return isLoopback(hostname.replace(/^\[|\]$/g, ""));
}
