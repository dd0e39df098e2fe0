import { queryOptions } from "@tanstack/react-query";
import { kindOf, type MonitorKind } from "../../../domain/monitors/kinds/kinds.ts";
import { api, type Config, type Discovery, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";

/** Milliseconds. The server reports no changes of what runs. */
const INTERVAL = 10_000;

/** The things that run where the server looks, and the part that no monitor watches. */
export const discoveryQuery = queryOptions({
  queryKey: queryKeys.discovery,
  queryFn: () => getData(api.discovery.get({ query: {} })),
  refetchInterval: INTERVAL,
});

/** The same with drafts, for a form: it is not fetched again while somebody types. */
export const draftsQuery = queryOptions({
  queryKey: [...queryKeys.discovery, "drafts"],
  queryFn: () => getData(api.discovery.get({ query: { drafts: "true" } })),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});

/** The values that the form of a new monitor proposes. */
export interface Draft {
  name: string;
  kind: MonitorKind;
  config: Config;
}

/**
 * @param found source and name of what nobody watches, such as `docker/web`
 * @returns undefined if it is watched by now; no config if the server knows nothing about it that can be checked
 */
export function draftOf({ unwatched }: Discovery, found: string): Draft | undefined {
  const one = unwatched.find(({ source, name }) => `${source}/${name}` === found);
  if (!one) return undefined;
  const { name, draft } = one;
  if (!draft) return { name, kind: "HTTP", config: {} };
  return { name: draft.name, kind: kindOf(draft.type, draft.config), config: draft.config };
}
