import { Type } from "@sinclair/typebox";
import type { Caller } from "../../domain/accounts/api-key.ts";
import {
  AUDIT_ACTIONS,
  AUDIT_RESOURCES,
  type AuditEntry,
  type AuditResource,
  undoRefusal,
} from "../../domain/accounts/audit.ts";
import { restoredConfig } from "../../domain/accounts/old-values.ts";
import { fault } from "../../domain/faults/fault.ts";
import { iso } from "../../domain/iso-time.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { PageQuery, pageSize } from "../../domain/schemas/pagination.ts";
import { closed, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import { AppError, type ErrorKind } from "../../errors.ts";
import { allowed, bodyFor, headersOfClient, resource } from "../auth/authentication.ts";
import { answering, idOf, operation, pagedListing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

export const example = {
  id: "00mi7v2k4f5Y8kqvJfZk1q0TDgYxQ2Wd",
  createdAt: "2026-11-21T10:00:00.102Z",
  actor: { type: "key", id: "5Y8kqvJfZk1q0TDgYxQ2Wd", name: "deploy" },
  address: "203.0.113.7",
  action: "monitor.updated",
  resource: { type: "monitor", id: "gwMk6bQBonMDcGzUMCvgWu", name: "Shop front" },
  changed: ["name", "tags"],
  before: { name: "Shop", tags: ["web"] },
};
/** Behavior 14.70. */
const AuditEntryBody = Type.Object(
  {
    id: Type.String({ description: "Also the cursor for the page after this entry." }),
    createdAt: Timestamp,
    actor: Type.Object(
      {
        type: oneOf(["key", "person", "cli", "notification"]),
        id: nullable(
          Type.String({
            description:
              "Of the API key, the person, or the channel of the notification; null for a command.",
          }),
        ),
        name: Type.String({
          description:
            "The name of the key, the person or the channel at the time, or the user who ran the command.",
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
    changed: Type.Array(Type.String(), { description: "The names of the changed fields." }),
    before: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            "The values that changed fields had, and those of something deleted. Fields that hold a secret, and values that are " +
            "too long, are left out; absent without any.",
        },
      ),
    ),
  },
  named("AuditEntry", example),
);

function auditEntryBody({ createdAt, ...entry }: AuditEntry) {
  return { ...entry, createdAt: iso(createdAt) };
}

const UndoneBody = Type.Object(
  {},
  { additionalProperties: true, description: "The resource, as a `PATCH` of it answers." },
);

/** The most entries, and the most refused monitors that an answer names. */
const MAX_AT_ONCE = 20_000;
const MAX_REFUSED_NAMED = 100;

const BulkUndoBody = Type.Object(
  {
    ids: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: MAX_AT_ONCE,
      description: "Entries about changes of monitors: the `auditIds` of a change of many.",
    }),
  },
  { ...closed, examples: [{ ids: [example.id] }] },
);

const undoneExample = { undone: 12, refusedCount: 0, refused: [] };
const BulkUndoneBody = Type.Object(
  {
    undone: Type.Integer({ description: "How many monitors have their old values again." }),
    refusedCount: Type.Integer({ description: "How many stay as they are." }),
    refused: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), error: Type.String() }, closed),
      { description: "The first 100 of these, with the reason." },
    ),
  },
  named("UndoneChanges", undoneExample),
);

/** Behavior 14.74, 14.101, 14.102. */
export function auditRoutes(services: Services) {
  const { store, clock, authenticator, bodies } = services;
  return resource({ authenticator, store }, "/audit", "Organization")
    .get(
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
    )
    .post(
      "/:id/undo",
      async ({ caller, params: { id }, request }) => {
        const entry = await store.audit.find(caller.organizationId, id);
        return { data: await undo(services, { caller, request }, entry) };
      },
      {
        params: idOf("an entry"),
        beforeHandle: allowed({ role: "admin" }),
        detail: operation({
          operationId: "undoChange",
          summary: "Undo a change",
          description:
            "Gives the changed fields of a resource the values that they had, while nothing has changed the resource since: else, " +
            "and if an old value is not kept, this is a 409 that says why. It needs the role that a change of the resource " +
            "needs, and is a change of its own in the audit log.",
          answer: Type.Object({ data: UndoneBody }, closed),
          example: { data: { id: example.resource.id, name: "Shop", tags: ["web"] } },
          errors: [402, 403, 404, 409],
        }),
      },
    )
    .post(
      "/undo/bulk",
      async ({ authored, caller, body: { ids } }) => {
        const { monitors } = authored();
        const { undone, refused } = await monitors.undoInBulk(caller.organizationId, ids, clock.now());
        return {
          data: { undone, refusedCount: refused.length, refused: refused.slice(0, MAX_REFUSED_NAMED) },
        };
      },
      {
        ...bodyFor({ authenticator, bodies }, BulkUndoBody, { role: "admin", mostParts: 2 * MAX_AT_ONCE }),
        detail: answering({
          operationId: "undoChanges",
          summary: "Undo changes of many monitors",
          description:
            "Undoes each of these changes that can be, in one transaction. A monitor that was changed since stays as it is.",
          answer: BulkUndoneBody,
          errors: [403, 404, 413, 422],
        }),
      },
    );
}

/** Where a request updates a resource. @property incident needs the ID of its page */
const PATHS: Partial<Record<AuditResource["type"], (id: string, page: string) => string>> = {
  monitor: (id) => `monitors/${id}`,
  channel: (id) => `alerts/${id}`,
  api_key: (id) => `api-keys/${id}`,
  maintenance: (id) => `maintenances/${id}`,
  page: (id) => `pages/${id}`,
  incident: (id, page) => `pages/${page}/incidents/${id}`,
  location: (id) => `locations/${id}`,
  person: (id) => `people/${id}`,
  schedule: (id) => `schedules/${id}`,
  report: (id) => `reports/mails/${id}`,
  organization: () => "organization",
};

/**
 * Sends the old values as a request of the caller, with all that a request checks and starts. The write fails if the resource was
 * changed since: see `Author`.
 *
 * @returns the resource @throws AppError `refused` that says why; `forbidden` and others as the request
 */
async function undo(
  services: Services,
  { caller, request }: { caller: Caller; request: Request },
  entry: AuditEntry,
): Promise<object> {
  const { store, forward, baseUrl } = services;
  const { id, resource } = entry;
  const refusal = undoRefusal(entry);
  if (refusal !== null) throw refusal;
  await store.audit.assertUnchangedSince(id);
  const isGone = () => fault("deletedSince", { name: resource.name }, { kind: "refused" });
  const isIncident = resource.type === "incident";
  const page = isIncident ? await store.incidents.findPage(caller.organizationId, resource.id) : "";
  const path = page !== null && PATHS[resource.type]?.(resource.id, page);
  if (!path) throw isGone();
  const headers = headersOfClient(request);
  const body = JSON.stringify(await valuesOf(services, caller, entry));
  const patch = new Request(new URL(`/api/v1/${path}`, baseUrl()).href, { method: "PATCH", headers, body });
  const answer = await forward(patch, { request, undoes: id });
  const { data, error = "" } = (await answer.json()) as { data?: object; error?: string };
  if (data) return data;
  if (answer.status === 404) throw isGone();
  if (answer.status === 422) throw fault("undoRefused", { why: error }, { kind: "refused" });
  throw new AppError(KINDS[answer.status] ?? "unavailable", error);
}

/** The kinds of errors of the other answers to an update. */
const KINDS: Record<number, ErrorKind> = {
  401: "unauthorized",
  402: "no_subscription",
  403: "forbidden",
  409: "refused",
  429: "too_many",
};

/** The body of the request. */
async function valuesOf(
  { store }: Services,
  { organizationId }: Caller,
  { resource, before }: AuditEntry,
): Promise<object> {
  const { config, components, ...others } = before ?? {};
  if (config && resource.type === "monitor") {
    const stored = await store.monitors.findConfig(organizationId, resource.id);
    return { ...others, config: restoredConfig(config, stored) };
  }
  if (Array.isArray(components)) {
    const page = await store.pages.find(organizationId, resource.id);
    const known = new Set(page.components.map(({ id }) => id));
    // One that was taken off the page gets another ID.
    const kept = components.map((one) => withoutNulls(known.has(one.id) ? one : { ...one, id: null }));
    return { ...others, components: kept };
  }
  // A window or a report that got another form: the request has the fields of the previous form only.
  const isOtherForm =
    (resource.type === "maintenance" && before && "cron" in before) || resource.type === "report";
  return isOtherForm ? withoutNulls(others) : (before ?? {});
}

function withoutNulls(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
