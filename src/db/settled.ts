import type { Stretch } from "../domain/rollup.ts";
import type { Database } from "./open.ts";
import { oncePerDatabase } from "./prepared.ts";

interface Kept extends Required<Stretch> {
  value: unknown;
}

/** What was read of each subject, and the latest end of all. */
const kept = oncePerDatabase(() => ({ bySubject: new Map<string, Kept>(), until: 0 }));

/**
 * What a stretch of rollups comes to, read once: hours and days that are over hardly ever change.
 *
 * @param subject names what is read; one stretch of it is kept
 */
export function settled<Value>(
  db: Database,
  subject: string,
  stretch: Required<Stretch>,
  read: (stretch: Required<Stretch>) => Value,
): Value {
  const all = kept(db);
  const known = all.bySubject.get(subject);
  if (known?.since === stretch.since && known.until === stretch.until) return known.value as Value;
  const value = read(stretch);
  all.bySubject.set(subject, { ...stretch, value });
  all.until = Math.max(all.until, stretch.until);
  return value;
}

/** Forgets what a late result changes, such as one that was held while the disk was full. */
export function unsettle(db: Database, createdAt: number): void {
  const all = kept(db);
  if (createdAt >= all.until) return;
  all.bySubject.clear();
  all.until = 0;
}
