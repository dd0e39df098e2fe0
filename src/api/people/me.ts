import { Type } from "@sinclair/typebox";
import type { Caller } from "../../domain/accounts/api-key.ts";
import { RoleSchema } from "../../domain/accounts/api-key.ts";
import { iso } from "../../domain/iso-time.ts";
import { FRESH_SIGN_IN, METHODS } from "../../domain/people/person.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { closed, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import { invalid, notFound } from "../../errors.ts";
import { bodyFor, resource } from "../auth/authentication.ts";
import { answering, change, deletion, idOf, listing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { assertNotByProviderOnly } from "./sign-in.ts";

const OrganizationOfPerson = Type.Object({ id: Type.String(), name: Type.String() }, closed);

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
  },
  named("Me"),
);

const OwnSessionBody = Type.Object(
  {
    id: Type.String(),
    createdAt: Timestamp,
    lastSeenAt: Timestamp,
    address: Type.String(),
    userAgent: Type.String(),
    current: Type.Boolean({ description: "Whether this request belongs to it." }),
  },
  named("OwnSession"),
);

const PasswordChange = Type.Object(
  {
    current: Type.Optional(Type.String({ maxLength: 4096 })),
    password: Type.String({ maxLength: 4096 }),
  },
  { ...closed, examples: [{ current: "the password before", password: "a long enough password" }] },
);

const session = {
  id: "5Y8kqvJfZk1q0TDgYxQ2Wd",
  createdAt: "2026-11-21T09:30:00.000Z",
  lastSeenAt: "2026-11-21T10:00:00.000Z",
  address: "203.0.113.7",
  userAgent: "Mozilla/5.0",
  current: true,
};

/** Behavior 19.13 to 19.16: what a person does about themselves. With a key, there is no such person. */
export function meRoutes({ store, clock, authenticator, bodies, signIn, oidc, addressOf }: Services) {
  return resource(authenticator, "/me", "People")
    .get("", async ({ caller }) => ({ data: await profileOf(caller) }), {
      detail: answering({
        operationId: "getMe",
        summary: "Get the person who is signed in",
        description: "With an API key, or a session of one, it is a 404.",
        answer: MeBody,
        example: {
          ...{ id: "5Y8kqvJfZk1q0TDgYxQ2Wd", name: "Ana", email: "ana@example.com", role: "admin" },
          methods: ["password"],
          organization: { id: "LOsFxPoKlO4gylM7AZ1Iu5", name: "Shop" },
          organizations: [{ id: "LOsFxPoKlO4gylM7AZ1Iu5", name: "Shop", role: "admin" }],
        },
        errors: [404],
      }),
    })
    .post(
      "/password",
      async ({ caller, body: { current, password }, request }) => {
        const { personId, sessionId } = personOf(caller);
        assertNotByProviderOnly({ oidc });
        const { email, passwordHash: hash } = await store.people.findProfile(personId);
        if (current === undefined) await assertMaySet(hash, { personId, sessionId });
        else {
          const given = { email, password: current, hash, address: addressOf(request) };
          if (!(await signIn.confirm(given))) throw invalid("current must be the present password");
        }
        const passwordHash = await signIn.hashNew({ email, password });
        const { organizationId } = caller;
        await store
          .as(authenticator.authorOf(caller, request))
          .people.setPassword({ personId, passwordHash, keptSessionId: sessionId, organizationId });
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
          example: session,
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
    return {
      ...{ ...person, role: caller.role },
      ...{ organization: { id: own.id, name: own.name }, organizations },
    };
  }

  async function assertMaySet(
    hash: string | null,
    { personId, sessionId }: { personId: string; sessionId: string },
  ): Promise<void> {
    if (hash !== null) throw invalid("current is required");
    const now = clock.now();
    const own = (await store.personSessions.list(personId, now)).find(({ id }) => id === sessionId);
    if (!own || now - own.createdAt > FRESH_SIGN_IN)
      throw invalid(
        "current must be the present password, or you must have signed in within the last 5 minutes",
      );
  }
}

/** The person of a session. @throws AppError `not_found` for a key */
export function personOf({ actor, sessionId }: Caller): { personId: string; sessionId: string } {
  if (actor.type !== "person" || sessionId === undefined) throw notFound();
  return { personId: actor.id, sessionId };
}
