/** For example `2026-11-21 14:30:05 UTC`. @param at milliseconds since 1970 */
export function formatTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
