import type { AddressEvidence, Evidence } from "../../../src/domain/checks/observation.ts";

export type OfAddress = AddressEvidence["evidence"];

/** Evidence of the addresses 192.0.2.1, 192.0.2.2 and so on. */
export function byAddress(all: readonly OfAddress[], omitted = 0): Evidence {
  const addresses = all.map((evidence, at) => ({ address: `192.0.2.${at + 1}`, evidence }));
  return { outcome: "by_address", addresses, omitted };
}
