import { customRandom } from "nanoid";

/** Letters and digits only, so that no ID looks like a flag of the command line. */
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RESULT_ID_LENGTH = 10;

/** Without the pool of nanoid, so that equal random bytes give equal IDs: a simulation replays them. */
const randomText = (length: number) =>
  customRandom(BASE62, length, (bytes) => crypto.getRandomValues(new Uint8Array(bytes)));

/** An opaque ID of 131 random bits. The ID of a monitor is also the secret of its check-in URL (behavior 8.1). */
export const createId = randomText(22);

const randomSecret = randomText(43);

/** A new API key in plain text: 256 random bits (behavior 8.3). */
export function createKey(): string {
  return `stillup_${randomSecret()}`;
}

/** A new key of the probe of a location, in plain text: 256 random bits (behavior 13.31). */
export function createProbeKey(): string {
  return `stillup_probe_${randomSecret()}`;
}

/** A new session token, which only the cookie contains: 256 random bits. */
export function createToken(): string {
  return randomSecret();
}

const PERSON_TOKEN = "person_";

/** A new token of the session of a person, or of an invitation: 256 random bits. */
export function createPersonToken(): string {
  return PERSON_TOKEN + randomSecret();
}

/** Whether the session of a token belongs to a person, and not to a key. */
export function isTokenOfPerson(token: string): boolean {
  return token.startsWith(PERSON_TOKEN);
}

/** The ID of a result. IDs sort like the numbers of the results, so an ID is also a cursor. */
export function resultId(pk: number): string {
  return pk.toString(36).padStart(RESULT_ID_LENGTH, "0");
}

/** @returns the number of the result, or null if the text is not the ID of a result */
export function parseResultId(id: string): number | null {
  return /^[0-9a-z]{10}$/.test(id) ? Number.parseInt(id, 36) : null;
}

/** A new ID that sorts by time, for items that are listed in pages. @param at milliseconds since 1970 */
export function timedId(at: number): string {
  return resultId(at) + createId();
}

/** @returns the time in an ID of `timedId`, or null if the text is none */
export function parseTimedId(id: string): number | null {
  return parseDeliveryId(id);
}

/** A new ID of a delivery. It begins with the ID of the result, or with zeros if it reports none. */
export function deliveryId(resultPk: number | null): string {
  return resultId(resultPk ?? 0) + createId();
}

/** @returns the number of the result of a delivery, 0 without one, or null if the text is not the ID of a delivery */
export function parseDeliveryId(id: string): number | null {
  return /^[0-9A-Za-z]{32}$/.test(id) ? parseResultId(id.slice(0, RESULT_ID_LENGTH)) : null;
}
