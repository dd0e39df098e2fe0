import { ruleOf } from "../schemas/format-rules.ts";

/** A server that shows whether the network of this machine works (behavior 13.50). */
export interface NetworkCheck {
  /** A host name or an IP address, without brackets. */
  host: string;
  port: number;
}

/** @param text a comma-separated list of `host:port`, with brackets around an IPv6 address */
export function parseNetworkChecks(text: string): NetworkCheck[] | undefined {
  const checks = text.split(",").map((one) => parseNetworkCheck(one.trim()));
  return checks.every((one) => one !== undefined) ? checks : undefined;
}

function parseNetworkCheck(text: string): NetworkCheck | undefined {
  const [, bracketed, plain, digits] = /^(?:\[(.+:.*)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535) return undefined;
  return ruleOf("host")?.accepts(host) ? { host, port } : undefined;
}
