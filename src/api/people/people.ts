import { Type } from "@sinclair/typebox";
import type { Caller } from "../../domain/accounts/api-key.ts";
import { RoleSchema } from "../../domain/accounts/api-key.ts";
import { permits, type Role } from "../../domain/accounts/role.ts";
import { METHODS, PERSON_STATES, type Person, personBody } from "../../domain/people/person.ts";
import { Email, PersonName, Timestamp } from "../../domain/schemas/format.ts";
import { closed, described, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import { forbidden, invalid } from "../../errors.ts";
import { createPersonToken } from "../../store/ids.ts";
import { allowed, operationsOf, resource } from "../auth/authentication.ts";
import { answering, idOf } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

/** Behavior 23.34. */
export const OwnChannels = Type.Array(Type.String(), {
  maxItems: 100,
  description: "The channels on which they are notified while they are on call.",
});

const fields = {
  id: Type.String(),
  name: described(nullable(Type.String()), "Null until it is known."),
  email: Type.String(),
  role: RoleSchema,
  state: oneOf(PERSON_STATES),
  methods: Type.Array(oneOf(METHODS), { description: "The ways in which they can sign in." }),
  alertChannelIds: OwnChannels,
  lastSeenAt: nullable(Timestamp),
  createdAt: Timestamp,
};

const example = {
  id: "5Y8kqvJfZk1q0TDgYxQ2Wd",
  name: "Ana",
  email: "ana@example.com",
  role: "admin",
  state: "active",
  methods: ["password"],
  alertChannelIds: [] as string[],
  lastSeenAt: "2026-11-21T10:00:00.000Z",
  createdAt: "2026-11-21T09:30:00.000Z",
};

const PersonBody = Type.Object(fields, named("Person", example));

const InvitedBody = Type.Object(
  { ...fields, inviteUrl: Type.String({ description: "Where they accept it, once and within 7 days." }) },
  named("InvitedPerson"),
);

const invited = { ...example, state: "invited", methods: [], lastSeenAt: null };
const inviteUrl = "https://stillup.example.com/invite/person_8Gq2ZxT1oPdWn5Kc0vRbYhLmEaUiJsFt3X7Q9wDzG4N6B";

const NewPerson = Type.Object(
  { email: Email, role: RoleSchema, name: Type.Optional(PersonName) },
  { ...closed, examples: [{ email: "ana@example.com", role: "admin" }] },
);

const PersonChanges = Type.Object(
  {
    name: Type.Optional(PersonName),
    role: Type.Optional(RoleSchema),
    state: Type.Optional(oneOf(["active", "disabled"])),
    alertChannelIds: Type.Optional(OwnChannels),
  },
  { ...closed, examples: [{ role: "viewer" }] },
);

/** Behavior 19.1 to 19.9. */
export function peopleRoutes(services: Services) {
  const { store, clock, authenticator, bodies, oidc, baseUrl, inviteMails } = services;
  const owner = { role: "owner" } as const;
  const person = operationsOf(
    { authenticator, bodies },
    {
      name: "Person",
      one: "a person",
      params: idOf("a person"),
      answer: PersonBody,
      role: "owner",
    },
  );
  const inviteUrlOf = (token: string) => `${baseUrl()}/invite/${token}`;
  const mailInvite = ({ organizationId, actor }: Caller, { email: to, role }: Person, token: string) => {
    const inviter = actor.type === "person" ? actor.name : null;
    inviteMails.send({ organizationId, inviter, to, role, inviteUrl: inviteUrlOf(token) });
  };
  return resource({ authenticator, store }, "/people", "People")
    .get(
      "",
      async ({ caller }) => ({ data: (await store.people.list(caller.organizationId)).map(personBody) }),
      person.list("The people of the organization, oldest first. Every role may do this.", {
        operationId: "listPeople",
        summary: "List people",
      }),
    )
    .post(
      "",
      async ({ authored, caller, body, status }) => {
        assertNotAbove(body.role, caller.role);
        const token = createPersonToken();
        const given = { ...body, name: body.name?.trim(), organizationId: caller.organizationId, token };
        const person = await authored().people.create(given, clock.now());
        mailInvite(caller, person, token);
        return status(201, { data: { ...personBody(person), inviteUrl: inviteUrlOf(token) } });
      },
      person.create(
        NewPerson,
        "Only this response contains the URL of the invitation; it is also sent by e-mail if the server can send any. A role above that of the caller is a 403.",
        { summary: "Invite a person", answer: InvitedBody, example: { ...invited, inviteUrl } },
      ),
    )
    .post(
      "/:id/invite",
      async ({ authored, caller, params: { id } }) => {
        const token = createPersonToken();
        const given = { organizationId: caller.organizationId, id, token };
        const person = await authored().people.invite(given, clock.now());
        mailInvite(caller, person, token);
        return { data: { ...personBody(person), inviteUrl: inviteUrlOf(token) } };
      },
      {
        params: idOf("a person"),
        beforeHandle: allowed(owner),
        detail: answering({
          operationId: "invitePerson",
          summary: "Invite a person again",
          description: "Ends the previous invitation. Somebody who has accepted one already is a 422.",
          answer: InvitedBody,
          example: { ...invited, inviteUrl },
          errors: [403, 404, 422],
        }),
      },
    )
    .patch(
      "/:id",
      async ({ authored, caller, params: { id }, body }) => {
        if (body.role) assertNotAbove(body.role, caller.role);
        if (body.role && oidc?.decidesRoles(caller.organizationId))
          throw invalid("role must not be given: the provider decides it (--oidc-role-claim)");
        const changes = { ...body, name: body.name?.trim() };
        const person = await authored().people.update(caller.organizationId, id, changes);
        authenticator.forget();
        return { data: personBody(person) };
      },
      person.update(
        PersonChanges,
        "`role` and `state` are those of this organization. They count from the next request of the person on. The last " +
          "owner of an organization can't be disabled or lowered.",
      ),
    )
    .delete(
      "/:id",
      async ({ authored, caller, params: { id } }) => {
        const deleted = await authored().people.delete(caller.organizationId, id);
        authenticator.forget();
        return { data: deleted };
      },
      person.delete("Ends their sessions there. The last owner of an organization can't be deleted.", {
        summary: "Take a person out of the organization",
        errors: [422],
      }),
    );
}

function assertNotAbove(role: Role, own: Role): void {
  if (!permits(own, role)) throw forbidden();
}
