import { Type } from "@sinclair/typebox";

export const Timestamp = Type.String({ format: "date-time" });

/** A timestamp in a response. @param time milliseconds since 1970 */
export function iso(time: number): string {
  return new Date(time).toISOString();
}

export function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time);
}
