import { type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "./failure.tsx";
import { TableBox } from "./table.tsx";

interface Source<Item> {
  queryKey: QueryKey;
  load: (query: { cursor?: string }) => Promise<{ data: Item[]; cursor: string | null }>;
  /** Whether something is about to become of an item, so that one looks again soon. */
  isUnderWay?: (item: Item) => boolean;
}

/** While something is under way. */
const PACE = 2000;

/** A list that the API gives page by page, most recent first. */
export function usePages<Item>({ queryKey, load, isUnderWay = () => false }: Source<Item>) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam === "" ? {} : { cursor: pageParam }),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isUnderWay)) ? PACE : false,
    placeholderData: (before) => before,
  });
}

interface Table<Item> {
  /** What the items are called. */
  of: string;
  pages: ReturnType<typeof usePages<Item>>;
  columns: (string | { number: string })[];
  row: (item: Item) => ReactNode;
  none: string;
}

/** The pages that there are so far in one table, and the way to the next. */
export function PagedTable<Item>({ of, pages, columns, row, none }: Table<Item>) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const items = data?.pages.flatMap((page) => page.data);
  return (
    <>
      <Failure error={error} />
      {items?.length === 0 && <p className="muted">{none}</p>}
      {items && items.length > 0 && (
        <TableBox of={of} columns={columns}>
          {items.map(row)}
        </TableBox>
      )}
      {hasNextPage && (
        <button type="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Older {of}
        </button>
      )}
    </>
  );
}
