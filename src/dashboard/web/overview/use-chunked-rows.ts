import { useEffect, useMemo, useRef, useState } from "react";

/** Rows that are added at once, after the first ones. */
const CHUNK = 120;
/** Rows in one block. monitor-list.css has the same number. */
const BLOCK = 12;
/** Pixels of the window for each row of the first chunk: a row has at least 68, and other things are above the list. */
const PIXELS_PER_ROW = 100;

/**
 * Renders a long list chunk by chunk, so that the browser can react to the reader between two of them.
 *
 * @returns the rows so far in blocks, and whether these are all
 */
export function useChunkedRows<Row>(rows: Row[]): { blocks: Row[][]; isWhole: boolean } {
  // Read here because nothing has to be laid out for it yet.
  const [count, setCount] = useState(() => Math.ceil(innerHeight / PIXELS_PER_ROW));
  const isWhole = count >= rows.length;
  useEffect(() => {
    if (isWhole) return undefined;
    const timer = setTimeout(() => setCount(count + CHUNK));
    return () => clearTimeout(timer);
  }, [count, isWhole]);
  const previous = useRef<Row[][]>([]);
  const blocks = useMemo(() => {
    previous.current = toBlocks(rows.slice(0, count), previous.current);
    return previous.current;
  }, [rows, count]);
  return { blocks, isWhole };
}

/** @param previous earlier blocks: a block whose rows have not changed keeps its identity and is not rendered again */
export function toBlocks<Row>(rows: Row[], previous: Row[][]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / BLOCK) }, (_, at) => {
    const block = rows.slice(at * BLOCK, (at + 1) * BLOCK);
    const before = previous[at];
    const isSame = before?.length === block.length && before.every((row, place) => row === block[place]);
    return isSame ? before : block;
  });
}
