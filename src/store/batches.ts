import { nextTurn } from "./turns.ts";

/** How many rows a statement has or reads: between two of them, other work of the process runs. */
const AT_ONCE = 2000;

/** Works on some items at a time, in their order. */
export async function inBatches<Item>(
  items: readonly Item[],
  work: (some: readonly Item[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    if (at > 0) await nextTurn();
    await work(items.slice(at, at + AT_ONCE));
  }
}

/**
 * Reads rows of a snapshot in the order of their numbers.
 *
 * @param read the first rows with a number above one, at most so many
 */
export async function readInBatches<Row extends { pk: number }>(
  read: (after: number, limit: number) => PromiseLike<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const some = await read(rows.at(-1)?.pk ?? 0, AT_ONCE);
    rows.push(...some);
    if (some.length < AT_ONCE) return rows;
    await nextTurn();
  }
}
