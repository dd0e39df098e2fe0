import { type Static, Type } from "@sinclair/typebox";
import type { AlertBinding } from "../../domain/alerts/alert-binding.ts";
import {
  type AlertChannel,
  ChannelConfigSchema,
  ChannelType,
  maskChannelSecrets,
  parseChannelConfig,
} from "../../domain/alerts/channel.ts";
import { NewHours, Windows } from "../../domain/alerts/hours.ts";
import { NotifyOn } from "../../domain/alerts/notify.ts";
import { iso } from "../../domain/iso-time.ts";
import { LANGUAGES } from "../../domain/pages/reader-locale.ts";
import { Name, Ref, StoredRef, Timestamp } from "../../domain/schemas/format.ts";
import { closed, described, named, nullable, oneOf, open } from "../../domain/schemas/schema.ts";
import type { ChannelWithBindings, CountedChannel } from "../../store/alerts/channels.ts";
import { operationsOf, resource } from "../auth/authentication.ts";
import { answering, idOf } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const UnnotifiedBody = Type.Object(
  {
    monitors: Type.Integer({ minimum: 0 }),
    monitorIds: Type.Optional(Type.Array(Type.String(), { description: "Their IDs, with `list`." })),
    schedules: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "The names of the schedules of bindings that reach nobody who is on call now, if there are any.",
      }),
    ),
  },
  named("UnnotifiedMonitors"),
);
const ChannelId = idOf("an alert channel");

/** Behavior 7, alert channels. */
export function channelRoutes({ store, clock, authenticator, bodies }: Services) {
  const channel = operationsOf(
    { authenticator, bodies },
    {
      name: "AlertChannel",
      one: "an alert channel",
      params: ChannelId,
      answer: ChannelBody,
      role: "admin",
    },
  );
  return resource({ authenticator, store }, "/alerts", "Alert channels")
    .get(
      "",
      async ({ caller }) => ({
        data: (await store.channels.list(caller.organizationId)).map(boundChannelBody),
      }),
      channel.list("Lists all channels of the organization, each with its bindings.", {
        answer: BoundChannelBody,
      }),
    )
    .post(
      "",
      async ({ authored, caller, body: { name, type, config, ...others }, status }) => {
        const values = { name: name.trim(), type, config: parseChannelConfig(type, config), ...others };
        return status(201, {
          data: channelBody(await authored().channels.create(caller, values, clock.now())),
        });
      },
      channel.create(
        NewChannel,
        "A channel is notified only about monitors that are bound to it, see `alertChannelIds` of a monitor.",
        { subscription: true, errors: [402] },
      ),
    )
    .get(
      "/report",
      async ({ caller }) => ({
        data: (await store.channels.listCounted(caller.organizationId)).map(countedChannelBody),
      }),
      channel.list("Lists all channels of the organization, each with the number of its monitors.", {
        operationId: "listAlertChannelReports",
        summary: "List alert channels without their bindings",
        answer: CountedChannelBody,
      }),
    )
    .get(
      "/unnotified",
      async ({ caller: { organizationId }, query: { list } }) => {
        const monitorIds = list && (await store.monitors.listUnnotified(organizationId));
        const monitors = monitorIds?.length ?? (await store.monitors.countUnnotified(organizationId));
        const unreached = await store.schedules.listUnreached(clock.now(), organizationId);
        const schedules = unreached.map(({ schedule }) => schedule);
        return {
          data: { monitors, ...(monitorIds && { monitorIds }), ...(schedules.length > 0 && { schedules }) },
        };
      },
      {
        query: Type.Object(
          { list: Type.Optional(described(oneOf(["true"]), "Also lists the monitors.")) },
          open,
        ),
        detail: answering({
          operationId: "countUnnotifiedMonitors",
          summary: "Count the monitors that notify nobody",
          description:
            "Counts the enabled monitors of which no channel is enabled, and names the schedules that reach nobody who is on call.",
          answer: UnnotifiedBody,
          example: { monitors: 3 },
          errors: [422],
        }),
      },
    )
    .get(
      "/:id",
      async ({ caller, params }) => ({
        data: boundChannelBody(await store.channels.find(caller.organizationId, params.id)),
      }),
      channel.read("Returns the channel with its config in full and its bindings.", {
        answer: BoundChannelBody,
      }),
    )
    .patch(
      "/:id",
      async ({ authored, caller, params, body: { name, ...changes } }) => {
        const trimmed = { ...changes, name: name?.trim() };
        const channel = await authored().channels.update(
          caller.organizationId,
          params.id,
          trimmed,
          clock.now(),
        );
        return { data: channelBody(channel) };
      },
      channel.update(
        ChannelChanges,
        "Changes only the fields that are sent. `config` replaces the stored one in full and must fit the type.",
      ),
    )
    .delete(
      "/:id",
      async ({ authored, caller, params }) => ({
        data: await authored().channels.delete(caller.organizationId, params.id),
      }),
      channel.delete("Also deletes its bindings, and its entry in the default channels of the organization."),
    );
}

const optional = {
  enabled: Type.Optional(Type.Boolean()),
  notifyOn: Type.Optional(NotifyOn),
  language: Type.Optional(
    described(
      nullable(oneOf(LANGUAGES)),
      "The language of its notifications. `null`, the default: its organization decides.",
    ),
  ),
  ref: Type.Optional(Ref),
};

export const NewChannel = Type.Object(
  { name: Name, type: ChannelType, config: ChannelConfigSchema, ...optional },
  {
    ...closed,
    examples: [{ name: "On call", type: "WEBHOOK", config: { url: "https://hooks.example.com/stillup" } }],
  },
);

const ChannelChanges = Type.Partial(Type.Omit(NewChannel, ["type"]), {
  ...closed,
  examples: [{ enabled: false }],
});

const HoursBody = Type.Object(
  {
    ...Type.Required(NewHours).properties,
    windows: Type.Array(Type.Object(Windows.items.properties, named("HoursWindow"))),
  },
  named("Hours"),
);

/** The binding of a channel to a monitor (behavior 7.31, 7.51, 14.5, 23.1). */
export const BindingBody = Type.Object(
  {
    monitorId: Type.String(),
    alertChannelId: Type.Optional(Type.String()),
    scheduleId: Type.Optional(
      Type.String({ description: "In place of `alertChannelId`: the person who is on call is notified." }),
    ),
    after: Type.Optional(
      Type.Integer({
        description: "Seconds that the trouble must last before the channel is notified, if not 0.",
      }),
    ),
    every: Type.Optional(
      Type.Integer({ description: "Seconds after which the notification is repeated, if not 0." }),
    ),
    hours: Type.Optional(
      described(HoursBody, "When the channel may be notified of trouble, if not at all times."),
    ),
  },
  named("AlertBinding"),
);

export function bindingBody({
  monitorId,
  alertChannelId,
  scheduleId,
  after,
  every,
  hours,
}: AlertBinding & { monitorId: string }): Static<typeof BindingBody> {
  return {
    monitorId,
    ...(alertChannelId !== undefined && { alertChannelId }),
    ...(scheduleId !== undefined && { scheduleId }),
    ...(after > 0 && { after }),
    ...(every > 0 && { every }),
    ...(hours && { hours }),
  };
}

const shared = {
  id: Type.String(),
  name: Type.String(),
  type: ChannelType,
  config: described(ChannelConfigSchema, "Its fields depend on the type."),
  enabled: Type.Boolean(),
  notifyOn: NotifyOn,
  language: described(
    nullable(oneOf(LANGUAGES)),
    "The language of its notifications. `null`: its organization decides.",
  ),
  ref: StoredRef,
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

const example = {
  id: "rNj4BrzNPTECyp1AhuvTuk",
  name: "On call",
  type: "WEBHOOK",
  config: { url: "https://hooks.example.com/stillup" },
  enabled: true,
  notifyOn: ["down", "warning", "healthy"],
  language: null,
  ref: "ops",
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};
export const examples = {
  channel: example,
  bound: { ...example, bindings: [{ monitorId: "gwMk6bQBonMDcGzUMCvgWu", alertChannelId: example.id }] },
  counted: { ...example, boundMonitors: 1 },
};
/** Behavior 7.51: the response of create and PATCH. */
export const ChannelBody = Type.Object(shared, named("AlertChannel", examples.channel));
const BoundChannelBody = Type.Object(
  { ...shared, bindings: Type.Array(BindingBody) },
  named("BoundAlertChannel", examples.bound),
);
const CountedChannelBody = Type.Object(
  { ...shared, boundMonitors: Type.Integer({ minimum: 0, description: "How many monitors notify it." }) },
  named("CountedAlertChannel", examples.counted),
);

export function channelBody({
  id,
  name,
  type,
  config,
  enabled,
  notifyOn,
  language,
  ref,
  ...times
}: AlertChannel) {
  const { createdAt, updatedAt } = times;
  const shown = { id, name, type, config: maskChannelSecrets(config), enabled, notifyOn, language, ref };
  return { ...shown, createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
}

function boundChannelBody(channel: ChannelWithBindings) {
  const { id: alertChannelId } = channel;
  const bindings = channel.bindings.map((binding) => bindingBody({ ...binding, alertChannelId }));
  return { ...channelBody(channel), bindings };
}

function countedChannelBody({ boundMonitors, ...channel }: CountedChannel) {
  return { ...channelBody(channel), boundMonitors };
}

const PushKeyBody = Type.Object(
  { publicKey: Type.String({ description: "A point of P-256, in base64url." }) },
  named("PushKey"),
);

/** Behavior 21.53. */
export function pushKeyRoutes({ store, authenticator, pushIdentity }: Services) {
  return resource({ authenticator, store }, "/webpush", "Alert channels").get(
    "",
    async () => ({ data: { publicKey: Buffer.from(await pushIdentity.publicKey()).toString("base64url") } }),
    {
      detail: answering({
        operationId: "getPushKey",
        summary: "Get the key for push subscriptions",
        description:
          "Returns the `applicationServerKey` with which a browser subscribes. The server creates it at its first use and keeps it.",
        answer: PushKeyBody,
        example: {
          publicKey:
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
        },
      }),
    },
  );
}
