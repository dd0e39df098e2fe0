import { Elysia } from "elysia";
import { allowed, authentication } from "../auth/authentication.ts";
import { dataOf, operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { ExportBody, exportExample, RefsBody, refsExample } from "./configuration-body.ts";

const tag = "Configuration";

/** Behavior 16.50 to 16.52. */
export function configurationExportRoutes({ store, clock, authenticator }: Services) {
  const admin = { role: "admin" } as const;
  return new Elysia({ prefix: "/api/v1/export", normalize: false })
    .use(authentication(authenticator))
    .get(
      "",
      async ({ caller }) => ({ data: await store.configuration.export(caller.organizationId, clock.now()) }),
      {
        beforeHandle: allowed(admin),
        detail: operation({
          tag,
          operationId: "exportConfiguration",
          summary: "Export a configuration document",
          description:
            "The document for what exists, with placeholders for secrets. What has no `ref` is in it under one that is proposed " +
            "for its name.",
          answer: dataOf(ExportBody),
          example: { data: exportExample },
          errors: [403],
        }),
      },
    )
    .post(
      "/refs",
      async ({ caller, request }) => {
        const { configuration } = store.as(authenticator.authorOf(caller, request));
        return { data: { refs: await configuration.storeRefs(caller.organizationId, clock.now()) } };
      },
      {
        beforeHandle: allowed(admin),
        detail: operation({
          tag,
          operationId: "storeProposedRefs",
          summary: "Store the refs of an export",
          description: "Gives what has no `ref` the one under which the export has it.",
          answer: dataOf(RefsBody),
          example: { data: refsExample },
          errors: [403],
        }),
      },
    );
}
