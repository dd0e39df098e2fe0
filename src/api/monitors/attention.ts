import { Type } from "@sinclair/typebox";
import { countAttention } from "../../domain/monitors/attention.ts";
import { named } from "../../domain/schemas/schema.ts";
import { resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

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
