import { Type } from "@sinclair/typebox";
import { parseChannelConfig } from "../../domain/alerts/channel.ts";
import { named } from "../../domain/schemas/schema.ts";
import { allowed, bodyFor, resource } from "../auth/authentication.ts";
import { answering, change, creation, deletion, idOf, listing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import {
  BoundChannelBody,
  boundChannelBody,
  ChannelBody,
  ChannelChanges,
  CountedChannelBody,
  channelBody,
  countedChannelBody,
  examples,
  NewChannel,
} from "./channel-body.ts";

const UnnotifiedBody = Type.Object({ monitors: Type.Integer({ minimum: 0 }) }, named("UnnotifiedMonitors"));
const ChannelId = idOf("an alert channel");

/** Behavior 7, alert channels. */
export function channelRoutes({ store, clock, authenticator, bodies }: Services) {
  const admin = { role: "admin" } as const;
  return resource(authenticator, "/alerts", "Alert channels")
    .get(
      "",
      async ({ caller }) => ({
        data: (await store.channels.list(caller.organizationId)).map(boundChannelBody),
      }),
      {
        detail: listing({
          operationId: "listAlertChannels",
          summary: "List alert channels",
          description: "Lists all channels of the organization, each with its bindings.",
          answer: BoundChannelBody,
          example: examples.bound,
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
        detail: creation({
          operationId: "createAlertChannel",
          summary: "Create an alert channel",
          description:
            "A channel is notified only about monitors that are bound to it, see `alertChannelIds` of a monitor.",
          answer: ChannelBody,
          example: examples.channel,
          errors: [402],
        }),
      },
    )
    .get(
      "/report",
      async ({ caller }) => ({
        data: (await store.channels.listCounted(caller.organizationId)).map(countedChannelBody),
      }),
      {
        detail: listing({
          operationId: "listAlertChannelReports",
          summary: "List alert channels without their bindings",
          description: "Lists all channels of the organization, each with the number of its monitors.",
          answer: CountedChannelBody,
          example: examples.counted,
        }),
      },
    )
    .get(
      "/unnotified",
      async ({ caller }) => ({
        data: { monitors: await store.monitors.countUnnotified(caller.organizationId) },
      }),
      {
        detail: answering({
          operationId: "countUnnotifiedMonitors",
          summary: "Count the monitors that notify nobody",
          description: "Counts the enabled monitors of which no channel is enabled.",
          answer: UnnotifiedBody,
          example: { monitors: 3 },
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
        detail: answering({
          operationId: "getAlertChannel",
          summary: "Get an alert channel",
          description: "Returns the channel with its config in full and its bindings.",
          answer: BoundChannelBody,
          example: examples.bound,
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
        detail: change({
          operationId: "updateAlertChannel",
          summary: "Update an alert channel",
          description:
            "Changes only the fields that are sent. `config` replaces the stored one in full and must fit the type.",
          answer: ChannelBody,
          example: examples.channel,
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
        detail: deletion({
          operationId: "deleteAlertChannel",
          summary: "Delete an alert channel",
          description:
            "Also deletes its bindings, and its entry in the default channels of the organization.",
        }),
      },
    );
}
