/** Milliseconds of a delay in seconds, as JSON has it; undefined for anything else. */
export function seconds(delay: unknown): number | undefined {
  return typeof delay === "number" && delay > 0 ? Math.ceil(delay * 1000) : undefined;
}
