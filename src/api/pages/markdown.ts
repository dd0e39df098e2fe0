import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { NewIncidentUpdate } from "../../domain/pages/incident-request.ts";
import { closed } from "../../domain/schemas/schema.ts";
import { renderMarkdown } from "../../status-page/markdown.ts";
import { authentication, bodyFor } from "../auth/authentication.ts";
import { dataOf, operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const Text = Type.Object(
  { body: NewIncidentUpdate.properties.body },
  { ...closed, examples: [{ body: "Card payments **fail** since 10:00 UTC." }] },
);

const RenderedBody = Type.Object(
  { html: Type.String({ description: "HTML without scripts, pictures and attributes of people." }) },
  closed,
);

/** Behavior 15.98: the preview of an update, rendered like on the public pages. */
export function markdownRoutes({ authenticator, bodies }: Services) {
  return new Elysia({ prefix: "/api/v1/markdown", normalize: false })
    .use(authentication(authenticator))
    .post("", ({ body: { body } }) => ({ data: { html: renderMarkdown(body).markup } }), {
      ...bodyFor({ authenticator, bodies }, Text, { role: "admin" }),
      detail: operation({
        tag: "Incidents",
        operationId: "renderMarkdown",
        summary: "Render Markdown",
        description: "Renders the text of an update as public pages do. Changes nothing.",
        answer: dataOf(RenderedBody),
        example: { data: { html: "<p>Card payments <strong>fail</strong> since 10:00 UTC.</p>\n" } },
        errors: [403, 413, 422],
      }),
    });
}
