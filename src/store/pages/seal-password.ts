import type { PasswordHash } from "../../domain/pages/page-password.ts";
import { HASH_COST, normalizedPassword } from "../../domain/people/password.ts";

/** Seals a password without threads of its own, for commands: see `SealPassword`. */
export async function sealPassword(password: string, stored: PasswordHash | null): Promise<PasswordHash> {
  const text = normalizedPassword(password);
  if (stored !== null && (await Bun.password.verify(text, stored))) return stored;
  return (await Bun.password.hash(text, HASH_COST)) as PasswordHash;
}
