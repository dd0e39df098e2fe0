import { Elysia } from "elysia";
import { PageQuery, pageSize } from "../../domain/schemas/pagination.ts";
import { allowed, authentication } from "../auth/authentication.ts";
import { AuditEntryBody, auditEntryBody, example } from "../bodies/audit-body.ts";
import { pageOf } from "../bodies/result-body.ts";
import { operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

/** Behavior 14.74. */
export function auditRoutes({ store, authenticator }: Services) {
  return new Elysia({ prefix: "/api/v1/audit", normalize: false }).use(authentication(authenticator)).get(
    "",
    async ({ caller, query }) => {
      const page = { limit: pageSize(query.limit), cursor: query.cursor };
      const { items, cursor } = await store.audit.list(caller.organizationId, page);
      return { data: items.map(auditEntryBody), cursor };
    },
    {
      // Not `beforeHandle`, because the query is validated before that.
      transform: allowed({ role: "owner" }),
      query: PageQuery,
      detail: operation({
        tag: "Organization",
        operationId: "listAuditEntries",
        summary: "List the audit log",
        description:
          "Who changed what, most recent first, in pages. Entries are kept for a year. Only an owner may do this.",
        answer: pageOf(AuditEntryBody),
        example: { data: [example], cursor: null },
        errors: [403, 422],
      }),
    },
  );
}
