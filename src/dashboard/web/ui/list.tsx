import { keepPreviousData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import type { ComponentType, ReactNode } from "react";
import { Link } from "wouter";
import { useHasRole } from "../app/session.tsx";
import { DialogButton } from "./dialog.tsx";
import { Failure } from "./filters.tsx";
import { View } from "./view.tsx";

type Dialog = ComponentType<{ onClose: () => void }>;

interface ViewProps<Item> extends ListProps<Item> {
  title: string;
  /** Explains the items. */
  lead: ReactNode;
  /** How readers with a role create an item: in another view, or in a dialog. */
  create: { role: "admin" | "owner"; label: string } & ({ href: string } | { dialog: Dialog });
  /** Content below the list. */
  children?: ReactNode;
}

/** The view that lists all items of one kind. */
export function ListView<Item>({ title, lead, error, create, children, ...list }: ViewProps<Item>) {
  const mayCreate = useHasRole(create.role);
  const button =
    "href" in create ? (
      <Link className="button button-primary" href={create.href}>
        {create.label}
      </Link>
    ) : (
      <DialogButton label={create.label} className="button-primary">
        {(onClose) => <create.dialog onClose={onClose} />}
      </DialogButton>
    );
  return (
    <View title={title} aside={mayCreate && button}>
      <p className="text-lead">{lead}</p>
      <List {...list} error={error} />
      {children}
    </View>
  );
}

interface ListProps<Item> {
  /** Undefined until they are loaded. */
  items: readonly Item[] | undefined;
  error?: unknown;
  /** The sentence without items. */
  none?: string | undefined;
  label?: string | undefined;
  /** An element with a key. */
  row: (item: Item) => ReactNode;
}

/** Items in rows. */
export function List<Item>({ items, error, none, label, row }: ListProps<Item>) {
  return (
    <>
      <Failure error={error} />
      {none !== undefined && items?.length === 0 && <p className="view-empty">{none}</p>}
      {items && (
        <ul className="list" aria-label={label}>
          {items.map(row)}
        </ul>
      )}
      {!items && !error && <div className="skeleton" />}
    </>
  );
}

interface RowProps {
  className?: string;
  /** A column before the title. */
  state?: ReactNode;
  icon?: ReactNode;
  title: string;
  /** Its view; undefined if it has none for this reader. */
  href?: string | undefined;
  /** Lines below the title. */
  details: ReactNode;
  /** Actions, or a word about the item. */
  children?: ReactNode;
}

/** One item of a list. */
export function ListRow({ className = "", state, icon, title, href, details, children }: RowProps) {
  return (
    <li className={`list-row ${state ? "list-row-stated" : ""} ${className}`}>
      {state}
      <div className="list-row-name">
        {icon}
        {href === undefined ? (
          <span className="list-row-title">{title}</span>
        ) : (
          <Link href={href}>{title}</Link>
        )}
        {details}
      </div>
      {children}
    </li>
  );
}

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
  /** For screen readers: `Table of results`. */
  label: string;
  /** The label of the button that loads the next page: `Older results`. */
  older: string;
  pages: ReturnType<typeof usePages<Item>>;
  columns: (string | { number: string })[];
  row: (item: Item) => ReactNode;
  /** The sentence without items. */
  none: ReactNode;
}

/** All loaded pages in one table, and a button that loads the next page. */
export function PagedTable<Item>({ label, older, pages, columns, row, none }: Table<Item>) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const items = data?.pages.flatMap((page) => page.data);
  return (
    <>
      <Failure error={error} />
      {items?.length === 0 && <p className="text-muted">{none}</p>}
      {items && items.length > 0 && (
        <ScrollableTable label={label} columns={columns}>
          {items.map(row)}
        </ScrollableTable>
      )}
      {!items && !error && <div className="skeleton" />}
      {hasNextPage && (
        <button type="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {older}
        </button>
      )}
    </>
  );
}

interface TableProps {
  label: string;
  columns: (string | { number: string })[];
  /** The rows. */
  children: ReactNode;
}

/** A table that scrolls if it is wider than the screen, also with the keyboard. */
export function ScrollableTable({ label, columns, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
    <section className="table-scroll" aria-label={label} tabIndex={0}>
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
