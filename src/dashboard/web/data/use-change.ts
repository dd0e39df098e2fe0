import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { type Answer, getData } from "./api.ts";
import { invalidate } from "./query-keys.ts";

/**
 * A function that waits for a request that changes something, and then fetches again what the views in use show of it.
 *
 * @param keys of the queries that the change concerns
 * @returns removes also the query `forget`, for example after a deletion. @throws as `getData`
 */
export function useChange(...keys: QueryKey[]) {
  const queries = useQueryClient();
  return async <Data>(
    request: Promise<Answer<{ readonly data: Data }>>,
    forget?: QueryKey,
  ): Promise<Data> => {
    const data = await getData(request);
    if (forget) queries.removeQueries({ queryKey: forget });
    await invalidate(queries, keys);
    return data;
  };
}

/* Things that are to be deleted, but that the reader may still keep, are hidden: see `deleteLate` of `ui/undo.tsx`. */

let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** @param change adds or removes IDs */
export function changeHidden(change: (before: ReadonlySet<string>) => ReadonlySet<string>): void {
  hidden = change(hidden);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A list without what is hidden: the same list if nothing of it is. */
export function useWithoutHidden<Item extends { id: string }>(items: Item[] | undefined): Item[] | undefined {
  const ids = useSyncExternalStore(subscribe, () => hidden);
  return useMemo(
    () => (items?.some(({ id }) => ids.has(id)) ? items.filter(({ id }) => !ids.has(id)) : items),
    [items, ids],
  );
}
