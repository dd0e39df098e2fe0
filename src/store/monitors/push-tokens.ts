import { and, eq, ne } from "drizzle-orm";
import { AppError } from "../../errors.ts";
import type { Tx } from "../tx.ts";

/**
 * Behavior 16.130. The message does not say which monitor has the token, because it may belong to another organization.
 *
 * @param token nothing is asserted without one
 * @param except the number of the monitor that may have it
 * @throws AppError `invalid` if another monitor of the server has it
 */
export async function assertPushTokenFree(
  { db, tables: { monitors } }: Tx,
  token: string | null,
  except?: number,
): Promise<void> {
  if (token === null) return;
  const isOther = except === undefined ? undefined : ne(monitors.pk, except);
  const [taken] = await db
    .select({ pk: monitors.pk })
    .from(monitors)
    .where(and(eq(monitors.pushToken, token), isOther));
  if (taken) throw new AppError("invalid", "config.pushToken is taken: it must be unique on this server");
}

/** The ID of the monitor with a push token; null for an unknown token. */
export async function findIdByPushToken(
  { db, tables: { monitors } }: Tx,
  token: string,
): Promise<string | null> {
  const [found] = await db.select({ id: monitors.id }).from(monitors).where(eq(monitors.pushToken, token));
  return found?.id ?? null;
}
