import { Elysia } from "elysia";
import { resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { mailTestRoutes } from "./mail-test.ts";
import { ServerBody, serverBody, serverExample } from "./server-body.ts";

/** The server itself, as the page shows it, and the test of its mail server. */
export function serverRoutes(services: Services) {
  return new Elysia({ normalize: false }).use(reportRoutes(services)).use(mailTestRoutes(services));
}

/** Behavior 16.330 to 16.332. */
function reportRoutes(services: Services) {
  return resource(services.authenticator, "/server", "Server").get(
    "",
    async ({ caller }) => ({ data: await serverBody(services, caller) }),
    {
      detail: answering({
        operationId: "getServer",
        summary: "Get the server",
        description:
          "Returns what this server is and can do. On several nodes: of the node that answers. `database` is for admins and " +
          "owners, and `owner` for owners.",
        answer: ServerBody,
        example: serverExample,
      }),
    },
  );
}
