import { customAlphabet } from "nanoid";

/** Letters and digits only, so that no ID can be taken for a flag of the command line. */
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RESULT_ID_LENGTH = 10;

/** An opaque ID of 131 random bits: a monitor's is also the secret of its checkin URL (decisions 2). */
export const createId = customAlphabet(BASE62, 22);

const randomSecret = customAlphabet(BASE62, 43);

/** A new API key in plain text: 256 random bits (decisions 2). */
export function createKey(): string {
  return `stillup_${randomSecret()}`;
}

/** What the cookie of a new session holds: 256 random bits. */
export function createToken(): string {
  return randomSecret();
}

/** The ID of a result sorts as its number does, and so serves as a cursor. */
export function resultId(pk: number): string {
  return pk.toString(36).padStart(RESULT_ID_LENGTH, "0");
}

/** The number behind the ID of a result, or null where the text is none. */
export function parseResultId(id: string): number | null {
  return /^[0-9a-z]{10}$/.test(id) ? Number.parseInt(id, 36) : null;
}

/** The ID of a delivery: within a channel it sorts as its result does, and so serves as a cursor. */
export function deliveryId(resultPk: number): string {
  return resultId(resultPk) + createId();
}

/** The number of the result behind the ID of a delivery, or null where the text is none. */
export function parseDeliveryId(id: string): number | null {
  return /^[0-9A-Za-z]{32}$/.test(id) ? parseResultId(id.slice(0, RESULT_ID_LENGTH)) : null;
}
