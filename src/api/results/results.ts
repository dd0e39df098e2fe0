import { Elysia } from "elysia";
import { PageQuery, pageSize } from "../../domain/schemas/pagination.ts";
import { authentication } from "../auth/authentication.ts";
import { idOf, operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { examples, pageOf, ResultBody, resultBody } from "./result-body.ts";

/** Behavior 7.46. */
export function resultRoutes({ store, authenticator }: Services) {
  return new Elysia({ prefix: "/api/v1/monitors/:id/results", normalize: false })
    .use(authentication(authenticator))
    .get(
      "",
      async ({ caller, params, query }) => {
        const page = { monitorId: params.id, limit: pageSize(query.limit), cursor: query.cursor };
        const { items, cursor } = await store.results.list(caller.organizationId, page);
        return { data: items.map(resultBody), cursor };
      },
      {
        params: idOf("a monitor"),
        query: PageQuery,
        detail: operation({
          tag: "Results",
          operationId: "listResults",
          summary: "List the results of a monitor",
          description: "Most recent first, in pages.",
          answer: pageOf(ResultBody),
          example: { data: [examples.result], cursor: null },
          errors: [404, 422],
        }),
      },
    );
}
