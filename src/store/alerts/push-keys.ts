import type { Tx } from "../tx.ts";

/** The key pair by which push services know this server (RFC 8292). @property privateKey never leaves the server */
export interface StoredPushKeys {
  publicKey: Uint8Array;
  privateKey: Uint8Array;
}

/** @returns undefined before the first use */
export async function findPushKeys({ db, tables: { pushKeys } }: Tx): Promise<StoredPushKeys | undefined> {
  const { publicKey, privateKey } = pushKeys;
  const [keys] = await db.select({ publicKey, privateKey }).from(pushKeys);
  return keys;
}

/** Stores the keys, unless another node was first. @returns the stored ones */
export async function storePushKeys(tx: Tx, drawn: StoredPushKeys): Promise<StoredPushKeys> {
  await tx.db
    .insert(tx.tables.pushKeys)
    .values({ pk: 1, ...drawn })
    .onConflictDoNothing();
  return (await findPushKeys(tx)) ?? drawn;
}
