import type { Lookup } from "../../domain/checks/dns-record.ts";
import type { Question } from "./dns-packet.ts";

/** The names at the loopback addresses, by record type. */
const LOOPBACK = new Map([
  ["A", "127.0.0.1"],
  ["AAAA", "::1"],
]);

/**
 * The answer for a name about which nobody is asked (RFC 6761): nothing exists under `.invalid`, and `localhost` with all
 * names under it is loopback.
 *
 * @returns undefined for all other names
 */
export function reservedAnswer({ name, type }: Question): Lookup | undefined {
  const top = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  if (top === "invalid") return { recordType: type, values: [], failure: "nxdomain" };
  if (top !== "localhost") return undefined;
  const address = LOOPBACK.get(type);
  return address
    ? { recordType: type, values: [address], failure: null }
    : { recordType: type, values: [], failure: "no_data" };
}
