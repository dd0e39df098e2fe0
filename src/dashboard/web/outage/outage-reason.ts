import { describeBriefly } from "../status/result-detail.ts";

/** The reason of an outage in a few words. Empty without one. */
export function describeReason(reason: string | null): string {
  return reason === null ? "" : describeBriefly({ reason });
}
