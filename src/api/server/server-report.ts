import { Type } from "@sinclair/typebox";
import { version } from "../../../package.json";
import { closed, named, nullable } from "../../domain/schemas/schema.ts";
import { resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const MailBody = Type.Object(
  {
    configured: Type.Boolean({ description: "Whether this server can send e-mail." }),
    from: nullable(Type.String({ description: "The sender of its e-mails." })),
  },
  closed,
);

const ServerBody = Type.Object(
  {
    version: Type.String(),
    baseUrl: Type.String({ description: "The URL of check-in URLs and of links in notifications." }),
    mail: MailBody,
  },
  named("Server"),
);

const example = {
  version: "2.0.0",
  baseUrl: "https://stillup.example.com",
  mail: { configured: true, from: "stillup@example.com" },
};

/** Behavior 16.330: what the page shows of the server itself. */
export function serverRoutes({ authenticator, baseUrl, delivery }: Services) {
  return resource(authenticator, "/server", "Server").get(
    "",
    () => ({
      data: {
        version,
        baseUrl: baseUrl(),
        mail: { configured: delivery.smtp !== undefined, from: delivery.smtp?.from ?? null },
      },
    }),
    {
      detail: answering({
        operationId: "getServer",
        summary: "Get the server",
        description: "Returns what this server is and can do. On several nodes: of the node that answers.",
        answer: ServerBody,
        example,
      }),
    },
  );
}
