import { keepPreviousData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "./failure.tsx";

interface Source<Item> {
  queryKey: QueryKey;
  load: (query: { cursor?: string }) => Promise<{ data: Item[]; cursor: string | null }>;
  /** Whether an item will change soon, so that it is fetched again. */
  isUnderWay?: (item: Item) => boolean;
  /** Milliseconds after which each page is fetched again; for changes that the change feed does not report. */
  every?: number;
  isNeeded?: boolean;
}

/** Milliseconds between two fetches while an item is under way. */
const INTERVAL = 2000;

/** A list that the API sends page by page, latest first. */
export function usePages<Item>({ queryKey, load, isUnderWay, every, isNeeded = true }: Source<Item>) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam === "" ? {} : { cursor: pageParam }),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    enabled: isNeeded,
    refetchInterval: ({ state: { data } }) => {
      if (isUnderWay && data?.pages.some((page) => page.data.some(isUnderWay))) return INTERVAL;
      return every !== undefined && every * (data?.pages.length ?? 1);
    },
    placeholderData: keepPreviousData,
  });
}

interface Table<Item> {
  /** The items in the plural, for example `results`. */
  of: string;
  pages: ReturnType<typeof usePages<Item>>;
  columns: (string | { number: string })[];
  row: (item: Item) => ReactNode;
  /** The sentence without items. */
  none: ReactNode;
}

/** All loaded pages in one table, and a button that loads the next page. */
export function PagedTable<Item>({ of, pages, columns, row, none }: Table<Item>) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const items = data?.pages.flatMap((page) => page.data);
  return (
    <>
      <Failure error={error} />
      {items?.length === 0 && <p className="text-muted">{none}</p>}
      {items && items.length > 0 && (
        <ScrollableTable of={of} columns={columns}>
          {items.map(row)}
        </ScrollableTable>
      )}
      {!items && !error && <div className="skeleton" />}
      {hasNextPage && (
        <button type="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Older {of}
        </button>
      )}
    </>
  );
}

interface TableProps {
  of: string;
  columns: (string | { number: string })[];
  /** The rows. */
  children: ReactNode;
}

/** A table that scrolls if it is wider than the screen, also with the keyboard. */
export function ScrollableTable({ of, columns, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
    <section className="table-scroll" aria-label={`Table of ${of}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === "string" ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column.number} scope="col" className="table-number">
                  {column.number}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
