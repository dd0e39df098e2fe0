import { allowed, resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { ExportBody, exportExample, RefsBody, refsExample } from "./configuration-body.ts";

/** Behavior 16.50 to 16.52. */
export function configurationExportRoutes({ store, clock, authenticator }: Services) {
  const admin = { role: "admin" } as const;
  return resource(authenticator, "/export", "Configuration")
    .get(
      "",
      async ({ caller }) => ({ data: await store.configuration.export(caller.organizationId, clock.now()) }),
      {
        beforeHandle: allowed(admin),
        detail: answering({
          operationId: "exportConfiguration",
          summary: "Export a configuration document",
          description:
            "The document for what exists, with placeholders for secrets. What has no `ref` is in it under one that is proposed " +
            "for its name.",
          answer: ExportBody,
          example: exportExample,
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
        detail: answering({
          operationId: "storeProposedRefs",
          summary: "Store the refs of an export",
          description: "Gives what has no `ref` the one under which the export has it.",
          answer: RefsBody,
          example: refsExample,
          errors: [403],
        }),
      },
    );
}
