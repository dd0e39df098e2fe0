import { fault } from "../faults/fault.ts";
import { emailKey } from "./person.ts";

/** As OWASP recommends for argon2id: 19 MiB, two passes. */
export const HASH_COST: HashCost = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 };

/** @property memoryCost in KiB @property timeCost passes */
export interface HashCost {
  algorithm: "argon2id";
  memoryCost: number;
  timeCost: number;
}

const FEWEST = 12;
const MOST = 1024;

/** The form in which a password is compared with others that must not be chosen. */
export function comparedPassword(password: string): string {
  return normalizedPassword(password).toLowerCase();
}

/** The text that is hashed: equal characters have one form. */
export function normalizedPassword(password: string): string {
  return password.normalize("NFC");
}

/**
 * Behavior 19.10. The length counts code points after the normalization.
 *
 * @param isCommon whether it is one of the most common, as it is compared
 * @throws AppError `invalid`, without repeating the password
 */
export function assertPassword(
  password: string,
  { email, isCommon }: { email: string; isCommon: boolean },
): void {
  const text = normalizedPassword(password);
  const length = [...text].length;
  if (length < FEWEST) throw fault("shortPassword", { field: "password", count: FEWEST });
  if (length > MOST) throw fault("longPassword", { field: "password", count: MOST });
  if (comparedPassword(password) === emailKey(email).toLowerCase())
    throw fault("passwordIsEmail", { field: "password" });
  if (isCommon) throw fault("commonPassword", { field: "password" });
}
