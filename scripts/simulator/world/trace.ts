import type { Ledger } from "../ledger.ts";

/** A hash of all that happened in a run. */
export function traceOf(
  { scenario: _, monitorIds, channelIds, uptimes, statuses, ...lists }: Ledger,
  events: number,
): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const map of [monitorIds, channelIds, uptimes, statuses]) hasher.update(JSON.stringify([...map]));
  for (const list of Object.values(lists)) for (const one of list) hasher.update(JSON.stringify(one));
  return hasher.update(String(events)).digest("hex").slice(0, 16);
}
