import { Type } from "@sinclair/typebox";
import type { Caller } from "../../domain/accounts/api-key.ts";
import { RoleSchema } from "../../domain/accounts/api-key.ts";
import { fault } from "../../domain/faults/fault.ts";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import { LANGUAGES } from "../../domain/pages/reader-locale.ts";
import { METHODS } from "../../domain/people/person.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { closed, described, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import { notFound } from "../../errors.ts";
import { allowed, bodyFor, resource } from "../auth/authentication.ts";
import { answering, change, deletion, idOf, listing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { OwnChannels } from "./people.ts";
import { assertNotByProviderOnly, usableMethods } from "./sign-in.ts";

const OrganizationOfPerson = Type.Object({ id: Type.String(), name: Type.String() }, closed);

/** Behavior 27.22. */
const OwnLanguage = described(
  nullable(oneOf(LANGUAGES)),
  "The language of the page and of mails to the person. `null`: the browser decides.",
);

const MeBody = Type.Object(
  {
    id: Type.String(),
    name: nullable(Type.String()),
    email: Type.String(),
    role: RoleSchema,
    methods: Type.Array(oneOf(METHODS)),
    organization: OrganizationOfPerson,
    organizations: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), role: RoleSchema }, closed),
      { description: "Those in which the person is active." },
    ),
    language: OwnLanguage,
    alertChannelIds: OwnChannels,
  },
  named("Me"),
);

const MeChanges = Type.Object(
  { language: Type.Optional(OwnLanguage), alertChannelIds: Type.Optional(OwnChannels) },
  { ...closed, examples: [{ alertChannelIds: ["rNj4BrzNPTECyp1AhuvTuk"] }] },
);

const example = {
  ...{ id: "5Y8kqvJfZk1q0TDgYxQ2Wd", name: "Ana", email: "ana@example.com", role: "admin" },
  methods: ["password"],
  organization: { id: "LOsFxPoKlO4gylM7AZ1Iu5", name: "Shop" },
  organizations: [{ id: "LOsFxPoKlO4gylM7AZ1Iu5", name: "Shop", role: "admin" }],
  language: null,
  alertChannelIds: [] as string[],
};

const session = {
  id: "5Y8kqvJfZk1q0TDgYxQ2Wd",
  createdAt: "2026-11-21T09:30:00.000Z",
  lastSeenAt: "2026-11-21T10:00:00.000Z",
  address: "203.0.113.7",
  userAgent: "Mozilla/5.0",
  current: true,
};
const OwnSessionBody = Type.Object(
  {
    id: Type.String(),
    createdAt: Timestamp,
    lastSeenAt: Timestamp,
    address: Type.String(),
    userAgent: Type.String(),
    current: Type.Boolean({ description: "Whether this request belongs to it." }),
  },
  named("OwnSession", session),
);

const identity = {
  ...{ id: "9c1f6f0e9d1b4a37b1a2f6d0c8e4a5b7", issuer: "https://idp.example.com/" },
  ...{ createdAt: "2026-11-21T09:30:00.000Z", lastUsedAt: null },
};
const IdentityBody = Type.Object(
  {
    id: Type.String(),
    issuer: Type.String({ description: "The URL of the provider." }),
    createdAt: Timestamp,
    lastUsedAt: nullable(Timestamp),
  },
  named("Identity", identity),
);

const PasswordChange = Type.Object(
  {
    current: Type.Optional(Type.String({ maxLength: 4096 })),
    password: Type.String({ maxLength: 4096 }),
  },
  { ...closed, examples: [{ current: "the password before", password: "a long enough password" }] },
);

/** Behavior 19.13 to 19.16: what a person does about themselves. With a key, there is no such person. */
export function meRoutes({ store, clock, authenticator, bodies, signIn, oidc, addressOf }: Services) {
  return resource({ authenticator, store }, "/me", "People")
    .get("", async ({ caller }) => ({ data: await profileOf(caller) }), {
      detail: answering({
        operationId: "getMe",
        summary: "Get the person who is signed in",
        description: "With an API key, or a session of one, it is a 404.",
        answer: MeBody,
        example,
        errors: [404],
      }),
    })
    .patch(
      "",
      async ({ authored, caller, body }) => {
        const { personId } = personOf(caller);
        await authored().people.update(caller.organizationId, personId, body);
        authenticator.forget();
        return { data: await profileOf(caller) };
      },
      {
        ...bodyFor({ authenticator, bodies }, MeChanges, { role: "viewer" }),
        detail: change({
          operationId: "updateMe",
          summary: "Update the person who is signed in",
          description:
            "Changes only the fields that are sent. With an API key, or a session of one, it is a 404.",
          answer: MeBody,
          example: { ...example, alertChannelIds: ["rNj4BrzNPTECyp1AhuvTuk"] },
        }),
      },
    )
    .post(
      "/password",
      async ({ authored, caller, body: { current, password }, request }) => {
        const { personId, sessionId } = personOf(caller);
        assertNotByProviderOnly({ oidc });
        const { email, passwordHash: hash } = await store.people.findProfile(personId);
        if (current === undefined) await assertMaySet(hash, { personId, sessionId });
        else {
          const place = "own session";
          const given = { personId, email, password: current, hash, place, address: addressOf(request) };
          if (!(await signIn.confirm(given))) throw fault("wrongPassword", { field: "current" });
        }
        const passwordHash = await signIn.hashNew({ email, password });
        const { organizationId } = caller;
        const change = {
          personId,
          currentHash: hash,
          passwordHash,
          keptSessionId: sessionId,
          organizationId,
        };
        await authored().people.setPassword(change, clock.now());
        authenticator.forget();
        return { data: { id: personId } };
      },
      {
        ...bodyFor({ authenticator, bodies }, PasswordChange, { role: "viewer" }),
        detail: change({
          operationId: "setPassword",
          summary: "Set a new password",
          description:
            "Ends the other sessions of the person. Somebody without a password may leave out `current` within 5 minutes of a sign-in.",
          answer: Type.Object({ id: Type.String() }, closed),
          example: { id: "5Y8kqvJfZk1q0TDgYxQ2Wd" },
        }),
      },
    )
    .get(
      "/identities",
      async ({ caller }) => {
        const identities = await store.identities.list(personOf(caller).personId);
        const data = identities.map(({ id, issuer, createdAt, lastUsedAt }) => ({
          ...{ id, issuer, createdAt: iso(createdAt), lastUsedAt: isoOrNull(lastUsedAt) },
        }));
        return { data };
      },
      {
        detail: listing({
          operationId: "listIdentities",
          summary: "List the identities that are linked to the person",
          description: "Who the person is at a provider of OpenID Connect. The latest first.",
          answer: IdentityBody,
          errors: [404],
        }),
      },
    )
    .delete(
      "/identities/:id",
      async ({ authored, caller, params: { id } }) => {
        const { personId } = personOf(caller);
        const own = { personId, id, organizationId: caller.organizationId, usable: usableMethods({ oidc }) };
        return { data: await authored().identities.delete(own) };
      },
      {
        params: idOf("an identity"),
        beforeHandle: allowed({ role: "viewer" }),
        detail: deletion({
          operationId: "deleteIdentity",
          summary: "Unlink an identity",
          description: "The last way to sign in can't be removed.",
          errors: [422],
        }),
      },
    )
    .get(
      "/sessions",
      async ({ caller }) => {
        const { personId, sessionId } = personOf(caller);
        await authenticator.saveUses();
        const sessions = await store.personSessions.list(personId, clock.now());
        const data = sessions.map(({ createdAt, lastSeenAt, ...one }) => ({
          ...{ id: one.id, createdAt: iso(createdAt), lastSeenAt: iso(lastSeenAt) },
          ...{ address: one.address, userAgent: one.userAgent, current: one.id === sessionId },
        }));
        return { data };
      },
      {
        detail: listing({
          operationId: "listOwnSessions",
          summary: "List the sessions of the person",
          description: "The latest first.",
          answer: OwnSessionBody,
          errors: [404],
        }),
      },
    )
    .delete(
      "/sessions/:id",
      async ({ caller, params: { id } }) => {
        const deleted = await store.personSessions.deleteOwn({ personId: personOf(caller).personId, id });
        authenticator.forget();
        return { data: deleted };
      },
      {
        params: idOf("a session"),
        detail: deletion({
          operationId: "deleteOwnSession",
          summary: "End a session of the person",
          description: "It counts from the next request on.",
        }),
      },
    );

  async function profileOf(caller: Caller) {
    const { personId } = personOf(caller);
    const { passwordHash: _, organizations, ...person } = await store.people.findProfile(personId);
    const own = organizations.find(({ id }) => id === caller.organizationId);
    if (!own) throw notFound();
    const { alertChannelIds } = await store.people.find(caller.organizationId, personId);
    return {
      ...{ ...person, name: own.personName ?? person.name, role: caller.role },
      organization: { id: own.id, name: own.name },
      organizations: organizations.map(({ id, name, role }) => ({ id, name, role })),
      alertChannelIds,
    };
  }

  async function assertMaySet(
    hash: string | null,
    session: { personId: string; sessionId: string },
  ): Promise<void> {
    if (hash !== null) throw fault("required", { field: "current" });
    await store.personSessions.assertFresh(session, clock.now());
  }
}

/** The person of a session. @throws AppError `not_found` for a key */
export function personOf({ actor, sessionId }: Caller): { personId: string; sessionId: string } {
  if (actor.type !== "person" || sessionId === undefined) throw notFound();
  return { personId: actor.id, sessionId };
}
