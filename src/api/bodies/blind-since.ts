import { presentBlindSince } from "../../domain/checks/blindness.ts";
import { described, nullable } from "../../domain/schemas/schema.ts";
import { isoOrNull, Timestamp } from "./time.ts";

/** Behavior 1.60. */
export const BlindSince = nullable(
  described(
    Timestamp,
    "When it was last checked, if no check has said anything about it for two intervals plus twice its timeout; otherwise `null`.",
  ),
);

export function blindSinceOf(monitor: Parameters<typeof presentBlindSince>[0]): string | null {
  return isoOrNull(presentBlindSince(monitor));
}
