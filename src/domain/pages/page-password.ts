import { invalid } from "../../errors.ts";
import { fault } from "../faults/fault.ts";
import { normalizedPassword } from "../people/password.ts";
import { MASK } from "../schemas/mask.ts";
import type { FormatRule } from "../schemas/schema.ts";
import type { PageVisibility } from "./page-request.ts";

/*
 * The password of a page (behavior 21.30 to 21.32). A request sends it, or `•••` for the stored one; only its hash is stored.
 */

/** A type of its own, which only `SealPassword` and the database return: a password can't be stored as it was sent. */
export type PasswordHash = string & { readonly isPasswordHash: true };

/** Hashes a password; returns the stored hash if it matches, so that the same password again changes nothing. */
export type SealPassword = (password: string, stored: PasswordHash | null) => Promise<PasswordHash>;

/** The values of a page whose password was replaced by its hash. */
export type Sealed<Values extends { password?: string | null | undefined }> = Omit<Values, "password"> & {
  password?: PasswordHash | typeof MASK | null;
};

/** @param stored the hash of the page; null for a new one, or without one */
export async function sealed<Values extends { password?: string | null | undefined }>(
  { password, ...values }: Values,
  stored: PasswordHash | null,
  seal: SealPassword,
): Promise<Sealed<Values>> {
  if (password === undefined) return values;
  if (password === null || password === MASK) return { ...values, password };
  return { ...values, password: await seal(password, stored) };
}

const [FEWEST, MOST] = [8, 200];
const LENGTH = `${FEWEST} to ${MOST} printable characters`;

export const pagePasswordRule: FormatRule = {
  must: `be a text of ${LENGTH}`,
  isSecret: true,
  accepts: (text) => text === MASK || isPagePassword(text),
};

/**
 * Whether a text can be a password of a page. The length counts code points after the normalization, as in 19.10. The field of a form
 * drops line breaks, and Basic authentication has no controls (RFC 7617, 2).
 */
export function isPagePassword(text: string): boolean {
  const { length } = [...normalizedPassword(text)];
  return length >= FEWEST && length <= MOST && !/\p{Cc}/u.test(text);
}

interface Lock<Password> {
  visibility: PageVisibility;
  password: Password | null;
}

/**
 * The password that a page gets (behavior 21.31).
 *
 * @param stored undefined for a new page @param requested without what the request does not give
 * @returns null for a page without a password; `•••` is the stored one if its hash is not given
 * @throws AppError `invalid`
 */
export function passwordOf<Password extends string>(
  stored: Lock<Password> | undefined,
  requested: {
    visibility?: PageVisibility | undefined;
    password?: Password | typeof MASK | null | undefined;
  },
): Password | null {
  const { visibility = stored?.visibility ?? "off", password } = requested;
  const kept = stored?.visibility === "password" ? stored.password : null;
  if (password === MASK && kept === null) throw fault("pagePasswordNotStored", { field: "password" });
  if (visibility !== "password") {
    if (typeof password === "string" && password !== MASK)
      throw invalid("password must be left out unless visibility is password");
    return null;
  }
  const next = password === undefined || password === MASK ? kept : password;
  if (next === null) throw fault("pagePasswordRequired", { field: "password" });
  return next as Password;
}
