import { Type } from "@sinclair/typebox";
import { NewIncidentUpdate } from "../../domain/pages/incident-request.ts";
import { closed } from "../../domain/schemas/schema.ts";
import { renderMarkdown } from "../../status-page/markdown.ts";
import { bodyFor, resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
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
  return resource(authenticator, "/markdown", "Incidents").post(
    "",
    ({ body: { body } }) => ({ data: { html: renderMarkdown(body).markup } }),
    {
      ...bodyFor({ authenticator, bodies }, Text, { role: "admin" }),
      detail: answering({
        operationId: "renderMarkdown",
        summary: "Render Markdown",
        description: "Renders the text of an update as public pages do. Changes nothing.",
        answer: RenderedBody,
        example: { html: "<p>Card payments <strong>fail</strong> since 10:00 UTC.</p>\n" },
        errors: [403, 413, 422],
      }),
    },
  );
}
