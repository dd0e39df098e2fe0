import { eq, inArray, lte } from "drizzle-orm";
import { hashKey } from "../accounts/api-keys.ts";
import type { Tx } from "../tx.ts";

/** The key by which what strangers begin is sealed; undefined before the first start. */
export async function findSealKey({ db, tables: { sealKeys } }: Tx): Promise<Uint8Array | undefined> {
  const [found] = await db.select({ key: sealKeys.key }).from(sealKeys);
  return found?.key;
}

/** Stores the key, unless another node was first. @returns the stored one */
export async function storeSealKey(tx: Tx, drawn: Uint8Array): Promise<Uint8Array> {
  await tx.db.insert(tx.tables.sealKeys).values({ pk: 1, key: drawn }).onConflictDoNothing();
  const stored = await findSealKey(tx);
  if (!stored) throw new Error("the insert stored no key");
  return stored;
}

/** @property until when the text ends by itself @property keptFor, by the IDs of people: see `Beginnings.use` */
export interface BeginningUse {
  text: string;
  until: number;
  keptFor?: string;
  by?: string;
}

/** Notes that a state or a challenge was used, of which only its hash is stored. @returns false if it was used before */
export async function useBeginning(
  { db, tables: { usedBeginnings } }: Tx,
  { text, until, keptFor, by }: BeginningUse,
): Promise<boolean> {
  const kept = keptFor ?? null;
  const used = await db
    .insert(usedBeginnings)
    .values({ hash: hashKey(text), keptFor: kept, expiresAt: until })
    .onConflictDoUpdate({
      target: usedBeginnings.hash,
      set: { keptFor: kept },
      setWhere: eq(usedBeginnings.keptFor, by ?? ""),
    })
    .returning({ hash: usedBeginnings.hash });
  return used.length > 0;
}

/** How many rows are deleted at once. */
const BATCH = 1000;

/** Deletes some of those that have ended by themselves. @returns whether there may be more */
export async function pruneUsedBeginnings(
  { db, tables: { usedBeginnings } }: Tx,
  now: number,
): Promise<boolean> {
  const { hash, expiresAt } = usedBeginnings;
  const ended = db.select({ hash }).from(usedBeginnings).where(lte(expiresAt, now)).limit(BATCH);
  const deleted = await db.delete(usedBeginnings).where(inArray(hash, ended)).returning({ hash });
  return deleted.length === BATCH;
}
