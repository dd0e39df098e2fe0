import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Caller } from "../domain/accounts/api-key.ts";
import { named } from "../domain/schemas/schema.ts";
import { StorageFault } from "../errors.ts";
import type { Authenticator } from "../runner/authenticator.ts";
import type { Change } from "../runner/change-feed.ts";
import { authenticate, findCaller } from "./auth/authentication.ts";
import { operation } from "./http/openapi.ts";
import type { Services } from "./http/services.ts";

/** Interval of the heartbeat event, in milliseconds. It is less than the idle timeout of connections. */
const PULSE = 5000;

/** The stream of a person who is disabled, or gets another role, ends within this time (behavior 19.7); milliseconds. */
const LOOK_AT_PERSON = 1000;

const ChangeBody = Type.Object(
  { monitors: Type.Boolean(), channels: Type.Boolean(), results: Type.Boolean() },
  named("Change"),
);

/** Behavior 7.50: server-sent events that say that something has changed, without the new state. */
export function streamRoutes(services: Services) {
  return new Elysia({ prefix: "/api/v1/stream", normalize: false }).get(
    "",
    async ({ request }) => {
      const caller = await authenticate(services.authenticator, request);
      return new Response(streamChanges(services, caller, request), {
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
        summary: "Subscribe to changes",
        description:
          "Server-sent events. `change` says which of monitors, channels and results have changed. `pulse` is sent every 5 " +
          "seconds. The stream ends with the session or key.",
        answer: ChangeBody,
        contentType: "text/event-stream",
        example: { monitors: true, channels: false, results: true },
      }),
    },
  );
}

function streamChanges(
  { changeFeed, authenticator }: Services,
  caller: Caller,
  request: Request,
): ReadableStream {
  const lookEvery = caller.actor.type === "person" ? LOOK_AT_PERSON : PULSE;
  let end = () => {};
  const source: Bun.DirectUnderlyingSource = {
    type: "direct",
    async pull(controller) {
      const ended = Promise.withResolvers<void>();
      end = ended.resolve;
      const send = (event: string, data: object) => {
        controller.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
        void controller.flush();
      };
      let looks = 0;
      const pulse = setInterval(async () => {
        looks++;
        if (!(await isEntitled(authenticator, request, caller))) end();
        else if ((looks * lookEvery) % PULSE === 0) send("pulse", {});
      }, lookEvery);
      const subscriber = { onChange: (change: Change) => send("change", change), onStop: end };
      const isPage = request.headers.get("authorization") === null;
      const unsubscribe = changeFeed.subscribe(caller.organizationId, subscriber, isPage);
      request.signal.addEventListener("abort", end);
      send("pulse", {});
      await ended.promise;
      clearInterval(pulse);
      unsubscribe();
      controller.close();
    },
    cancel: () => end(),
  };
  // The page type-checks this file with the types of a browser, which lack direct streams.
  return new ReadableStream(source as object);
}

/** While the database is away, no change can be read that the stream could report. */
async function isEntitled(
  authenticator: Authenticator,
  request: Request,
  { actor, role, organizationId }: Caller,
): Promise<boolean> {
  try {
    const now = await findCaller(authenticator, request);
    return now.organizationId === organizationId && (actor.type === "key" || now.role === role);
  } catch (error) {
    return error instanceof StorageFault;
  }
}
