import { Type } from "@sinclair/typebox";
import { PLANS, SUBSCRIPTIONS } from "../../domain/accounts/organization.ts";
import { LANGUAGES } from "../../domain/pages/reader-locale.ts";
import { Name } from "../../domain/schemas/format.ts";
import { closed, described, named, oneOf } from "../../domain/schemas/schema.ts";
import { bodyFor, resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const ChannelIds = Type.Array(Type.String(), {
  description: "The channels of a new monitor without `alertChannelIds`.",
});

const LanguageOfOrganization = described(
  oneOf(LANGUAGES),
  "The language of its invitations, and of notifications whose channel has no `language`.",
);

const example = {
  id: "ul4ViFI3K7XNh42UYLNqGa",
  name: "Default",
  plan: "enterprise",
  subscription: "active",
  defaultAlertChannelIds: ["rNj4BrzNPTECyp1AhuvTuk"],
  language: "en",
};
const OrganizationBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    plan: oneOf(PLANS),
    subscription: oneOf(SUBSCRIPTIONS),
    defaultAlertChannelIds: ChannelIds,
    language: LanguageOfOrganization,
  },
  named("Organization", example),
);

const OrganizationChanges = Type.Object(
  {
    name: Type.Optional(Name),
    defaultAlertChannelIds: Type.Optional(ChannelIds),
    language: Type.Optional(LanguageOfOrganization),
  },
  { ...closed, examples: [{ defaultAlertChannelIds: ["rNj4BrzNPTECyp1AhuvTuk"] }] },
);

/** Behavior 7.69. */
export function organizationRoutes({ store, authenticator, bodies }: Services) {
  return resource({ authenticator, store }, "/organization", "Organization")
    .get(
      "",
      async ({ caller }) => ({ data: await store.organizations.findSettings(caller.organizationId) }),
      {
        detail: answering({
          operationId: "getOrganization",
          summary: "Get the organization",
          description: "Returns the plan and settings of the organization of the key.",
          answer: OrganizationBody,
        }),
      },
    )
    .patch(
      "",
      async ({ authored, caller, body: { name, ...others } }) => {
        const changes = { name: name?.trim(), ...others };
        return { data: await authored().organizations.updateSettings(caller.organizationId, changes) };
      },
      {
        ...bodyFor({ authenticator, bodies }, OrganizationChanges, { role: "admin" }),
        detail: answering({
          operationId: "updateOrganization",
          summary: "Update the organization",
          description:
            "Changes only the fields that are sent. `defaultAlertChannelIds` replaces the stored list in full.",
          answer: OrganizationBody,
          errors: [403, 413, 422],
        }),
      },
    );
}
