import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** Fetches again what the views in use show of these keys. */
export async function invalidate(queries: QueryClient, keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}
