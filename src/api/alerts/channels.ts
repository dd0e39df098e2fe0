import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { parseChannelConfig } from "../../domain/alerts/channel.ts";
import { allowed, authentication, bodyFor } from "../auth/authentication.ts";
import { DeletedBody, deletedExample } from "../http/deleted-body.ts";
import { dataOf, idOf, operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { BoundChannelBody, boundChannelBody, ChannelBody, channelBody, examples } from "./channel-body.ts";
import { ChannelChanges, NewChannel } from "./channel-request.ts";

const ChannelId = idOf("an alert channel");
const tag = "Alert channels";

/** Behavior 7, alert channels. */
export function channelRoutes({ store, clock, authenticator, bodies }: Services) {
  const admin = { role: "admin" } as const;
  return new Elysia({ prefix: "/api/v1/alerts", normalize: false })
    .use(authentication(authenticator))
    .get(
      "",
      async ({ caller }) => ({
        data: (await store.channels.list(caller.organizationId)).map(boundChannelBody),
      }),
      {
        detail: operation({
          tag,
          operationId: "listAlertChannels",
          summary: "List alert channels",
          description: "Lists all channels of the organization, each with its bindings.",
          answer: dataOf(Type.Array(BoundChannelBody)),
          example: { data: [examples.bound] },
        }),
      },
    )
    .post(
      "",
      async ({ caller, body: { name, type, config, ...others }, request, status }) => {
        const values = { name: name.trim(), type, config: parseChannelConfig(type, config), ...others };
        const { channels } = store.as(authenticator.authorOf(caller, request));
        return status(201, { data: channelBody(await channels.create(caller, values, clock.now())) });
      },
      {
        ...bodyFor({ authenticator, bodies }, NewChannel, { role: "admin", subscription: true }),
        detail: operation({
          tag,
          operationId: "createAlertChannel",
          summary: "Create an alert channel",
          description:
            "A channel is notified only about monitors that are bound to it, see `alertChannelIds` of a monitor.",
          answer: dataOf(ChannelBody),
          example: { data: examples.channel },
          status: 201,
          errors: [402, 403, 413, 422],
        }),
      },
    )
    .get(
      "/:id",
      async ({ caller, params }) => ({
        data: boundChannelBody(await store.channels.find(caller.organizationId, params.id)),
      }),
      {
        params: ChannelId,
        detail: operation({
          tag,
          operationId: "getAlertChannel",
          summary: "Get an alert channel",
          description: "Returns the channel with its config in full and its bindings.",
          answer: dataOf(BoundChannelBody),
          example: { data: examples.bound },
          errors: [404],
        }),
      },
    )
    .patch(
      "/:id",
      async ({ caller, params, body: { name, ...changes }, request }) => {
        const trimmed = { ...changes, name: name?.trim() };
        const { channels } = store.as(authenticator.authorOf(caller, request));
        const channel = await channels.update(caller.organizationId, params.id, trimmed, clock.now());
        return { data: channelBody(channel) };
      },
      {
        params: ChannelId,
        ...bodyFor({ authenticator, bodies }, ChannelChanges, admin),
        detail: operation({
          tag,
          operationId: "updateAlertChannel",
          summary: "Update an alert channel",
          description:
            "Changes only the fields that are sent. `config` replaces the stored one in full and must fit the type.",
          answer: dataOf(ChannelBody),
          example: { data: examples.channel },
          errors: [403, 404, 413, 422],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ caller, params, request }) => {
        const { channels } = store.as(authenticator.authorOf(caller, request));
        return { data: await channels.delete(caller.organizationId, params.id) };
      },
      {
        params: ChannelId,
        beforeHandle: allowed(admin),
        detail: operation({
          tag,
          operationId: "deleteAlertChannel",
          summary: "Delete an alert channel",
          description:
            "Also deletes its bindings, and its entry in the default channels of the organization.",
          answer: dataOf(DeletedBody),
          example: { data: deletedExample },
          errors: [403, 404],
        }),
      },
    );
}
