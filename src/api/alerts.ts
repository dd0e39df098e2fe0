import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type ChannelWithBindings, createChannel, findChannel, listChannels } from "../db/channels.ts";
import { type AlertChannel, ChannelType, parseChannelConfig } from "../domain/channel.ts";
import { Name } from "../domain/format.ts";
import { authentication, bodyFor } from "./authentication.ts";
import type { Services } from "./services.ts";
import { iso } from "./time.ts";

const NewChannel = Type.Object(
  {
    name: Name,
    type: ChannelType,
    config: Type.Object({}, { additionalProperties: true }),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** Interface 4.5. */
export function alertRoutes({ db }: Services) {
  return new Elysia({ prefix: "/api/v1/alerts", normalize: false })
    .use(authentication(db))
    .get("/", async ({ caller }) => {
      const channels = await listChannels(db, caller.organizationId);
      return { data: channels.map(boundView) };
    })
    .post(
      "/",
      async ({ caller, body: { name, type, config, enabled = true }, set }) => {
        const values = { name: name.trim(), type, config: parseChannelConfig(type, config), enabled };
        const channel = await createChannel(db, caller, values, Date.now());
        set.status = 201;
        return { data: channelView(channel) };
      },
      { parse: bodyFor(db, { role: "admin", subscription: true }), body: NewChannel },
    )
    .get("/:id", async ({ caller, params }) => ({
      data: boundView(await findChannel(db, caller.organizationId, params.id)),
    }));
}

function channelView({ id, name, type, config, enabled, createdAt, updatedAt }: AlertChannel) {
  return { id, name, type, config, enabled, createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
}

function boundView(channel: ChannelWithBindings) {
  const bindings = channel.monitorIds.map((monitorId) => ({ monitorId, alertChannelId: channel.id }));
  return { ...channelView(channel), bindings };
}
