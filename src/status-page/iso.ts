/** @param time milliseconds since 1970 */
export function iso(time: number): string {
  return new Date(time).toISOString();
}
