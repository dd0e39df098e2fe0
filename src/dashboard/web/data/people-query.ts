import { queryOptions } from "@tanstack/react-query";
import { api, getData } from "./api.ts";
import { queryKeys } from "./query-keys.ts";

/* Apart from the other shared queries, which are in the first script. */

/** The people of the organization. */
export const peopleQuery = queryOptions({
  queryKey: queryKeys.people,
  queryFn: () => getData(api.people.get()),
});
