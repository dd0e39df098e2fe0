import type { PushKeys } from "../../domain/alerts/push-keys.ts";
import type { Tx } from "../tx.ts";

/** @returns undefined before the first use */
export async function findPushKeys({ db, tables: { pushKeys } }: Tx): Promise<PushKeys | undefined> {
  const { publicKey, privateKey } = pushKeys;
  const [keys] = await db.select({ publicKey, privateKey }).from(pushKeys);
  return keys;
}

/** Stores the keys, unless another node was first. @returns the stored ones */
export async function storePushKeys(tx: Tx, drawn: PushKeys): Promise<PushKeys> {
  await tx.db
    .insert(tx.tables.pushKeys)
    .values({ pk: 1, ...drawn })
    .onConflictDoNothing();
  const stored = await findPushKeys(tx);
  if (!stored) throw new Error("the insert stored no keys");
  return stored;
}
