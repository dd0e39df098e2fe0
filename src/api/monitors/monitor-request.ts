import { Type } from "@sinclair/typebox";
import { NewAlertBinding } from "../../domain/alerts/alert-binding.ts";
import { MonitorConfigSchema, MonitorType } from "../../domain/monitors/monitor.ts";
import { MonitorSettings } from "../../domain/monitors/monitor-update.ts";
import { countAttention } from "../../domain/monitors/standing.ts";
import { Name, Ref } from "../../domain/schemas/format.ts";
import { closed, named } from "../../domain/schemas/schema.ts";
import { resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const examples = {
  create: [
    { name: "Shop front", type: "HTTP", config: { url: "https://shop.example.com/", interval: 60 } },
    {
      name: "Search",
      type: "HTTP",
      config: {
        url: "https://shop.example.com/api/search",
        interval: 60,
        method: "POST",
        headers: { "X-Api-Key": "5f2c81d09a" },
        body: '{"query":"socks"}',
        timeout: 5,
        expect: { status: [200], json: { "$.hits": { min: 1 } }, within: 2000 },
      },
    },
    {
      name: "Mail",
      type: "TCP",
      config: { host: "mail.example.com", port: 25, interval: 60, contains: "220 " },
    },
    { name: "Certificate of the shop", type: "TLS", config: { host: "shop.example.com", warnDays: 30 } },
    { name: "Name of the shop", type: "DNS", config: { hostname: "shop.example.com", recordType: "A" } },
    { name: "Nightly backup", type: "SCHEDULED", config: { cron: "30 2 * * *", timezone: "Europe/Berlin" } },
  ],
  change: [{ enabled: false }, { config: { url: "https://shop.example.com/health", interval: 300 } }],
};

const AlertChannelIds = Type.Array(Type.String(), {
  description: "The channels that are notified when the status changes.",
});

const AlertBindings = Type.Array(NewAlertBinding, {
  description: "In place of `alertChannelIds`: when and how often each channel is notified.",
});

const optional = {
  alertChannelIds: Type.Optional(AlertChannelIds),
  alertBindings: Type.Optional(AlertBindings),
  ...Type.Partial(MonitorSettings).properties,
  enabled: Type.Optional(Type.Boolean()),
  ref: Type.Optional(Ref),
};

export const NewMonitor = Type.Object(
  {
    name: Name,
    type: MonitorType,
    config: MonitorConfigSchema,
    ...optional,
  },
  { ...closed, examples: examples.create },
);

export const MonitorChanges = Type.Object(
  {
    name: Type.Optional(Name),
    config: Type.Optional(MonitorConfigSchema),
    ...optional,
  },
  { ...closed, examples: examples.change },
);

const Count = Type.Integer({ minimum: 0 });

const AttentionBody = Type.Object({ down: Count, warning: Count }, named("Attention"));

/** Behavior 16.372: for the title and the icon of each view. */
export function attentionRoutes({ store, clock, authenticator }: Services) {
  return resource(authenticator, "/attention", "Status").get(
    "",
    async ({ caller: { organizationId } }) => {
      const now = clock.now();
      const calendar = await store.maintenances.findCalendar(organizationId);
      const unattended = await store.outages.listUnattended(organizationId);
      return { data: countAttention(unattended, (one) => calendar.windowOf(one, now)) };
    },
    {
      detail: answering({
        operationId: "getAttention",
        summary: "Count the monitors that need somebody",
        description:
          "The number of monitors in group down and warning whose outage is not acknowledged, without those in " +
          "maintenance. At most 1,000 are counted.",
        answer: AttentionBody,
        example: { down: 1, warning: 0 },
      }),
    },
  );
}
