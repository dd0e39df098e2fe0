import { Type } from "@sinclair/typebox";

export const Timestamp = Type.String({ format: "date-time" });

/** The form of every timestamp in an answer. @param time milliseconds since 1970 */
export function iso(time: number): string {
  return new Date(time).toISOString();
}

export function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time);
}
