/* Values of `datetime-local` fields, which are in the reader's zone and have no offset. */

/** The value of a field that shows a time: with seconds only if it has some. @param at ISO 8601 */
export function localTextOf(at: string): string {
  const date = new Date(at);
  const pad = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join("-");
  const time = [date.getHours(), date.getMinutes(), ...(date.getSeconds() > 0 ? [date.getSeconds()] : [])];
  return `${day}T${time.map(pad).join(":")}`;
}

/**
 * The time in a field.
 *
 * @param stored the time that the field showed at first, which may be more precise
 * @returns ISO 8601; the text itself if it is no time, so that the validation refuses it; undefined for an empty field
 */
export function timeIn(text: string | undefined, stored?: string | null): string | undefined {
  if (text === undefined) return undefined;
  if (stored && text === localTextOf(stored)) return stored;
  const at = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? text : new Date(at).toISOString();
}
