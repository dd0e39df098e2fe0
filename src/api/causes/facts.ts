import { Type } from "@sinclair/typebox";
import { FACT_KINDS } from "../../domain/causes/causes.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { described, named, oneOf, open } from "../../domain/schemas/schema.ts";
import { readFacts } from "../../runner/causes/monitor-facts.ts";
import { resource } from "../auth/authentication.ts";
import { idOf, listing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { MonitorSummary } from "../results/results.ts";

const FactKind = oneOf(FACT_KINDS);

const fact = { kind: "address", value: "203.0.113.7" };

const FactBody = Type.Object(
  {
    kind: FactKind,
    value: described(
      Type.String(),
      "Such as the address, the host, or the SHA-256 fingerprint of the certificate.",
    ),
    monitorCount: Type.Integer({
      minimum: 1,
      description: "How many monitors of the organization share it, this one and paused ones too.",
    }),
  },
  named("MonitorFact", { ...fact, monitorCount: 14 }),
);

/** Behavior 22.20. */
export function monitorFactRoutes({ store, authenticator }: Services) {
  return resource({ authenticator, store }, "/monitors/:id/facts", "Monitors").get(
    "",
    async ({ caller: { organizationId }, params: { id } }) => {
      const { type } = await store.monitors.find(organizationId, id);
      if (type === "SCHEDULED") return { data: [] };
      const { monitors, sharersOf } = await readFacts(store, organizationId);
      const facts = monitors.get(id)?.facts ?? [];
      return { data: facts.map((one) => ({ ...one, monitorCount: sharersOf(one).length })) };
    },
    {
      params: idOf("a monitor"),
      detail: listing({
        operationId: "listMonitorFacts",
        summary: "List what a monitor shares with others",
        description:
          "The address, the certificate, the host, the network, the domain, the locations and the tags of a monitor, as of its " +
          "last good check at each location. Empty for a job.",
        answer: FactBody,
        errors: [404],
      }),
    },
  );
}

const FactQuery = Type.Object(
  {
    kind: described(FactKind, "What is shared."),
    value: Type.String({ minLength: 1, maxLength: 500, description: "As in the facts of a monitor." }),
  },
  open,
);

const SharerBody = Type.Object(
  { ...MonitorSummary.properties, status: StatusSchema },
  named("FactSharer", { id: "gwMk6bQBonMDcGzUMCvgWu", name: "Shop front", type: "HTTP", status: "up" }),
);

/** Behavior 22.20: what falls with an address or a certificate. */
export function factRoutes({ store, authenticator }: Services) {
  return resource({ authenticator, store }, "/facts", "Outages").get(
    "",
    async ({ caller: { organizationId }, query: { kind, value } }) => {
      const { sharersOf } = await readFacts(store, organizationId);
      const sharers = sharersOf({ kind, value });
      return { data: sharers.map(({ id, name, type, status }) => ({ id, name, type, status })) };
    },
    {
      query: FactQuery,
      detail: listing({
        operationId: "listFactSharers",
        summary: "List the monitors that share something",
        description:
          "What falls with an address, a certificate, a host, a network, a domain, a location or a tag. Oldest first.",
        answer: SharerBody,
        errors: [422],
      }),
    },
  );
}
