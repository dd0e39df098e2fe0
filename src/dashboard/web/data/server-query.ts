import { queryOptions } from "@tanstack/react-query";
import { api, getData } from "./api.ts";
import { queryKeys } from "./query-keys.ts";

/* Apart from the other shared queries, which are in the first script. */

/** The server itself. It changes with a restart, and its sizes slowly. */
export const serverQuery = queryOptions({
  queryKey: queryKeys.server,
  queryFn: () => getData(api.server.get()),
});
