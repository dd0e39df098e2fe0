import { Type } from "@sinclair/typebox";
import { MASK } from "./mask.ts";
import { mapOf } from "./schema.ts";

/** The headers that a request of stillup has (behavior 10.3, 16.143); `assertRequestHeaders` covers their names. */
export const RequestHeaders = mapOf(Type.String({ format: "header-value" }), {
  maxProperties: 32,
  description: "Request headers. A response shows each value as `•••`; a request that sends `•••` keeps it.",
  examples: [{ "X-Api-Key": "•••" }],
});

/**
 * Whether a request changes the header `Host`. A proxy gives each host to another program, so that another `Host` is another
 * recipient, as another origin is (behavior 10.28).
 *
 * @param headers as they were sent, not validated yet
 */
export function changesHost(headers: unknown, stored: Record<string, string> | undefined): boolean {
  const hosts = hostsOf(headers);
  const [known] = hostsOf(stored);
  if (hosts.length === 0) return known !== undefined;
  return hosts.some((host) => host !== MASK && host !== known);
}

function hostsOf(headers: unknown): unknown[] {
  return Object.entries(Object(headers)).flatMap(([name, value]) =>
    name.toLowerCase() === "host" ? [value] : [],
  );
}
