import { type QueryKey, useQueryClient } from "@tanstack/react-query";
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
