import { Type } from "@sinclair/typebox";
import { oneOf, open, parameter } from "../../domain/schemas/schema.ts";
import { bodyFor, resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { ChangesBody, changesExample, DocumentBody } from "./configuration-body.ts";

/** Bytes: the history of a thousand monitors is several megabytes (behavior 16.39). */
const MAX_DOCUMENT = 16 * 1024 * 1024;

/** The parts of a document are counted when it is judged, because its history is not limited (behavior 16.62). */
const admin = { role: "admin", largest: MAX_DOCUMENT, mostParts: Number.POSITIVE_INFINITY } as const;

const ApplyQuery = Type.Object(
  {
    dryRun: Type.Optional(
      parameter(oneOf(["true", "false"]), "Whether only to list the changes. Default: `false`."),
    ),
    prune: Type.Optional(
      parameter(
        oneOf(["true", "false", "all"]),
        "Whether to delete what has a `ref` that the document lacks. `true` refuses to delete more than a fifth of at least " +
          "10 of a kind. Default: `false`.",
      ),
    ),
  },
  open,
);

const modes = { false: "none", true: "some", all: "all" } as const;

/** Behavior 16.30 to 16.39. */
export function applyRoutes({
  store,
  clock,
  authenticator,
  bodies,
  alertReview,
  refreshChecks,
  registrations,
  pageLock,
}: Services) {
  return resource(authenticator, "/apply", "Configuration").post(
    "",
    async ({ caller, body, query: { dryRun, prune = "false" }, request }) => {
      const { configuration } = store.as(authenticator.authorOf(caller, request));
      const options = { prune: modes[prune], isDryRun: dryRun === "true", seal: pageLock.seal };
      await registrations.confirmDocument(body);
      const data = await configuration.apply(caller.organizationId, body, options, clock.now());
      if (!options.isDryRun && data.changes.length > 0) {
        await refreshChecks();
        await alertReview.run();
      }
      return { data };
    },
    {
      query: ApplyQuery,
      ...bodyFor({ authenticator, bodies }, DocumentBody, admin),
      detail: answering({
        operationId: "applyConfiguration",
        summary: "Apply a configuration document",
        description:
          "Gives the organization what the document says: channels, monitors, maintenances and pages by `ref`, with refs in place " +
          "of IDs. All of it is validated first, then all of it is written, or nothing. What has no `ref` is not changed. The body " +
          "has at most 16 MiB. A 422 has all `faults`.",
        answer: ChangesBody,
        example: changesExample,
        errors: [402, 403, 413, 422],
      }),
    },
  );
}
