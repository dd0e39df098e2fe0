import { PageQuery, pageSize } from "../../domain/schemas/pagination.ts";
import { resource } from "../auth/authentication.ts";
import { idOf, pagedListing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { examples, ResultBody, resultBody } from "./result-body.ts";

/** Behavior 7.46. */
export function resultRoutes({ store, authenticator }: Services) {
  return resource(authenticator, "/monitors/:id/results", "Results").get(
    "",
    async ({ caller, params, query }) => {
      const page = { monitorId: params.id, limit: pageSize(query.limit), cursor: query.cursor };
      const { items, cursor } = await store.results.list(caller.organizationId, page);
      return { data: items.map(resultBody), cursor };
    },
    {
      params: idOf("a monitor"),
      query: PageQuery,
      detail: pagedListing({
        operationId: "listResults",
        summary: "List the results of a monitor",
        description: "Most recent first, in pages.",
        answer: ResultBody,
        example: examples.result,
        errors: [404],
      }),
    },
  );
}
