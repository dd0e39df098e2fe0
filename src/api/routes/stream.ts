import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { closed } from "../../domain/schemas/schema.ts";
import type { Change } from "../../runner/change-feed.ts";
import { authenticate, findSender } from "../auth/authentication.ts";
import { operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

/** Milliseconds between two signs of life: less than what closes a silent connection. */
const PULSE = 5000;

const ChangeBody = Type.Object(
  { monitors: Type.Boolean(), channels: Type.Boolean(), results: Type.Boolean() },
  closed,
);

/** Server-sent events: an extension of the interface. They tell that something has changed, and not what it is now. */
export function streamRoutes(services: Services) {
  return new Elysia({ prefix: "/api/v1/stream", normalize: false }).get(
    "",
    async ({ request }) => {
      const { organizationId } = await authenticate(services.callers, request);
      return new Response(changes(services, organizationId, request), {
        headers: {
          "content-type": "text/event-stream",
          "cache-control": "no-store",
          "x-accel-buffering": "no",
        },
      });
    },
    {
      detail: operation({
        tag: "Status",
        operationId: "followChanges",
        summary: "Follow what changes, as server-sent events",
        description:
          "`change` tells which of monitors, channels and results have changed; `pulse` comes every 5 seconds. " +
          "It ends with the session or key.",
        answer: ChangeBody,
        example: { monitors: true, channels: false, results: true },
      }),
    },
  );
}

function changes({ watch, callers }: Services, organizationId: string, request: Request): ReadableStream {
  let end = () => {};
  const source: Bun.DirectUnderlyingSource = {
    type: "direct",
    async pull(controller) {
      const over = Promise.withResolvers<void>();
      end = over.resolve;
      const send = (event: string, data: object) => {
        controller.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
        void controller.flush();
      };
      const pulse = setInterval(async () => {
        const known = await findSender(callers, request).catch(() => undefined);
        if (known) send("pulse", {});
        else end();
      }, PULSE);
      const unfollow = watch.subscribe(organizationId, (change: Change) => send("change", change), end);
      request.signal.addEventListener("abort", end);
      send("pulse", {});
      await over.promise;
      clearInterval(pulse);
      unfollow();
      controller.close();
    },
    cancel: () => end(),
  };
  // The types of a browser, which the page reads this with, know no direct streams.
  return new ReadableStream(source as object);
}
