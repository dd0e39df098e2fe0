import { Type } from "@sinclair/typebox";
import { AUDIT_ACTIONS, AUDIT_RESOURCES, type AuditEntry } from "../../domain/accounts/audit.ts";
import { iso } from "../../domain/iso-time.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { PageQuery, pageSize } from "../../domain/schemas/pagination.ts";
import { closed, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import { allowed, resource } from "../auth/authentication.ts";
import { pagedListing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

export const example = {
  id: "00mi7v2k4f5Y8kqvJfZk1q0TDgYxQ2Wd",
  createdAt: "2026-11-21T10:00:00.102Z",
  actor: { type: "key", id: "5Y8kqvJfZk1q0TDgYxQ2Wd", name: "deploy" },
  address: "203.0.113.7",
  action: "monitor.updated",
  resource: { type: "monitor", id: "gwMk6bQBonMDcGzUMCvgWu", name: "Shop front" },
  changed: ["config", "alertBindings"],
};
/** Behavior 14.70. */
const AuditEntryBody = Type.Object(
  {
    id: Type.String({ description: "Also the cursor for the page after this entry." }),
    createdAt: Timestamp,
    actor: Type.Object(
      {
        type: oneOf(["key", "person", "cli"]),
        id: nullable(
          Type.String({ description: "The ID of the API key or the person; null for a command." }),
        ),
        name: Type.String({
          description: "The name of the key or the person at the time, or the user who ran the command.",
        }),
      },
      closed,
    ),
    address: nullable(Type.String({ description: "The address of the client; null for a command." })),
    action: oneOf(AUDIT_ACTIONS),
    resource: Type.Object(
      {
        type: oneOf(AUDIT_RESOURCES),
        id: Type.String(),
        name: Type.String({ description: "Its name after the change." }),
      },
      closed,
    ),
    changed: Type.Array(Type.String(), { description: "The names of the changed fields, without values." }),
  },
  named("AuditEntry", example),
);

function auditEntryBody({ createdAt, ...entry }: AuditEntry) {
  return { ...entry, createdAt: iso(createdAt) };
}

/** Behavior 14.74. */
export function auditRoutes({ store, authenticator }: Services) {
  return resource({ authenticator, store }, "/audit", "Organization").get(
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
      detail: pagedListing({
        operationId: "listAuditEntries",
        summary: "List the audit log",
        description:
          "Who changed what, most recent first, in pages. Entries are kept for a year. Only an owner may do this.",
        answer: AuditEntryBody,
        errors: [403],
      }),
    },
  );
}
