import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { configurationSchema } from "../../domain/configuration/json-schema.ts";
import { CHANGE_ACTIONS, OBJECT_KINDS } from "../../domain/configuration/plan.ts";
import { ConfigurationDocument } from "../../domain/configuration/stored-configuration.ts";
import { closed, named, oneOf, open, parameter } from "../../domain/schemas/schema.ts";
import { allowed, bodyFor, resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { type PublicBody, type PublicContext, publicAnswer, publicBody } from "../pages/page-cache.ts";

const example = {
  defaults: { config: { interval: 60 } },
  channels: { ops: { type: "WEBHOOK", config: { url: "https://hooks.example.com/stillup" } } },
  monitors: {
    shop: { type: "HTTP", config: { url: "https://shop.example.com/" }, alertChannelIds: ["ops"] },
  },
};

/** The schema only documents it: `parseDocument` validates it, so that the answer has all faults. */
const DocumentBody = Type.Unsafe<object>(
  Type.Unknown({ ...JSON.parse(JSON.stringify(ConfigurationDocument)), examples: [example] }),
);

const ChangeBody = Type.Object(
  {
    action: oneOf(CHANGE_ACTIONS),
    kind: oneOf(OBJECT_KINDS),
    ref: Type.String(),
    fields: Type.Array(Type.String(), {
      description:
        "Of a create, the given fields; of an update, those with another value. Those of a config one by one: `config.url`.",
    }),
  },
  named("ConfigurationChange"),
);

const ChangesBody = Type.Object({ changes: Type.Array(ChangeBody) }, closed);

const changesExample = {
  changes: [
    { action: "create", kind: "channel", ref: "ops", fields: ["type", "config.url"] },
    { action: "update", kind: "monitor", ref: "shop", fields: ["config.url", "tags"] },
  ],
};

const ExportBody = Type.Object(
  {
    document: Type.Unsafe<object>(
      Type.Unknown({
        type: "object",
        additionalProperties: true,
        description:
          "Only with fields that differ from their defaults. In its texts, `${NAME}` is a placeholder and `$${` a literal `${`.",
      }),
    ),
    secrets: Type.Array(Type.String(), {
      description: "The names of the placeholders, each of which is a secret.",
    }),
  },
  closed,
);

const exportExample = {
  document: {
    channels: { ops: { type: "SLACK", config: { webhookUrl: "${SLACK_OPS_WEBHOOK_URL}" } } },
    monitors: { shop: example.monitors.shop },
  },
  secrets: ["SLACK_OPS_WEBHOOK_URL"],
};

const RefsBody = Type.Object(
  {
    refs: Type.Array(
      Type.Object({ kind: oneOf(OBJECT_KINDS), id: Type.String(), ref: Type.String() }, named("NamedByRef")),
    ),
  },
  closed,
);

const refsExample = { refs: [{ kind: "monitor", id: "gwMk6bQBonMDcGzUMCvgWu", ref: "shop-front" }] };

/** Behavior 16.50 to 16.52. */
export function configurationExportRoutes({ store, clock, authenticator }: Services) {
  const admin = { role: "admin" } as const;
  return resource({ authenticator, store }, "/export", "Configuration")
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
      async ({ authored, caller }) => ({
        data: { refs: await authored().configuration.storeRefs(caller.organizationId, clock.now()) },
      }),
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
  accessRules,
  pageLock,
}: Services) {
  return resource({ authenticator, store }, "/apply", "Configuration").post(
    "",
    async ({ authored, caller, body, query: { dryRun, prune = "false" } }) => {
      const options = { prune: modes[prune], isDryRun: dryRun === "true", seal: pageLock.seal };
      await accessRules.confirmDocument(caller.organizationId, body);
      await registrations.confirmDocument(body);
      const data = await authored().configuration.apply(caller.organizationId, body, options, clock.now());
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
          "Gives the organization what the document says: channels, schedules, monitors, maintenances, pages and reports by `ref`, " +
          "with refs in place of IDs. All of it is validated first, then all of it is written, or nothing. What has no `ref` is not changed. The body " +
          "has at most 16 MiB. A 422 has all `faults`.",
        answer: ChangesBody,
        example: changesExample,
        errors: [402, 403, 413, 422],
      }),
    },
  );
}

/** Behavior 16.75: the JSON Schema of configuration files, for editors, which have no key. */
export function configurationSchemaRoutes() {
  let body: PublicBody | undefined;
  return new Elysia({ normalize: false }).get(
    "/schema/config.json",
    ({ request, set }: PublicContext) => {
      body ??= publicBody({
        type: "application/schema+json; charset=utf-8",
        text: JSON.stringify(configurationSchema()),
      });
      return publicAnswer({ request, set }, body);
    },
    { detail: { hide: true } },
  );
}
