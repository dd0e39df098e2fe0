import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { RoleSchema } from "../../domain/accounts/api-key.ts";
import { fault } from "../../domain/faults/fault.ts";
import type { SessionMethod } from "../../domain/people/person.ts";
import {
  AssertionJson,
  CreationOptions,
  RegistrationJson,
  RequestOptions,
} from "../../domain/people/webauthn/ceremony.ts";
import { PersonName } from "../../domain/schemas/format.ts";
import { closed, named, nullable } from "../../domain/schemas/schema.ts";
import { parse as parseValue } from "../../domain/schemas/validation.ts";
import { invalid, unauthorized } from "../../errors.ts";
import type { NewWay, OpenInvite, Proof } from "../../store/store.ts";
import { authenticate } from "../auth/authentication.ts";
import { SessionBody, sessionBody } from "../auth/session.ts";
import { assertNotForeign } from "../auth/session-cookie.ts";
import { answering } from "../http/openapi.ts";
import { documented, MAX_BODY, readJsonObject } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";
import {
  acceptRegistration,
  notePasskeyUse,
  optionsToRegister,
  optionsToSignIn,
  partyOf,
  provePasskey,
  useChallenge,
} from "./passkey-ceremonies.ts";
import { creationExample, PASSKEY, registrationExample } from "./passkeys.ts";
import { assertNotByProviderOnly, beginSession } from "./sign-in.ts";

const tag = "People";

const Token = Type.Object({
  token: Type.String({ description: "The last part of the URL of the invitation." }),
});

const InviteBody = Type.Object(
  {
    organization: Type.Object({ name: Type.String() }, closed),
    email: Type.String(),
    role: nullable(RoleSchema),
  },
  named("Invite"),
);

const Redemption = Type.Object(
  {
    name: Type.Optional(PersonName),
    password: Type.Optional(
      Type.String({ maxLength: 4096, description: "A new one, or the password of the person." }),
    ),
    passkey: Type.Optional(
      Type.Union([RegistrationJson, AssertionJson], {
        description: "What `toJSON()` of the credential returns: a new one, or one that the person has.",
      }),
    ),
  },
  {
    ...closed,
    examples: [
      { name: "Ana", password: "a long enough password" },
      { name: "Ana", passkey: registrationExample },
    ],
  },
);
type Redemption = Static<typeof Redemption>;

const PasskeyName = Type.Object(
  { name: Type.Optional(PersonName) },
  { ...closed, examples: [{ name: "Ana" }] },
);
type PasskeyName = Static<typeof PasskeyName>;

const InviteOptions = Type.Union([
  { ...CreationOptions, title: "InviteCreationOptions" },
  { ...RequestOptions, title: "InviteRequestOptions" },
]);

/** Behavior 19.5 to 19.8: an invitation is public, because its token is the secret. Only a POST redeems it. */
export function inviteRoutes(services: Services) {
  const { store, clock, baseUrl } = services;
  const parse = async ({ request }: { request: Request }): Promise<Redemption> => {
    assertNotForeign(request, baseUrl());
    const body = await readJsonObject(request, { largest: MAX_BODY.credential });
    if ("passkey" in body) partyOf(services);
    return parseValue(Redemption, body, "");
  };
  const parseName = async ({ request }: { request: Request }): Promise<PasskeyName> => {
    partyOf(services);
    assertNotForeign(request, baseUrl());
    return parseValue(PasskeyName, await readJsonObject(request, { largest: MAX_BODY.public }), "");
  };
  return new Elysia({ prefix: "/api/v1/invites/:token", normalize: false })
    .get(
      "",
      async ({ params: { token } }) => ({
        data: inviteBody(await store.people.findInvite(token, clock.now())),
      }),
      {
        params: Token,
        detail: answering({
          tag,
          operationId: "getInvite",
          summary: "Get an invitation",
          description:
            "Somebody who opens it has not accepted it yet. A used, replaced or expired one is a 404.",
          answer: InviteBody,
          example: { organization: { name: "Shop" }, email: "ana@example.com", role: "admin" },
          errors: [404],
          open: true,
        }),
      },
    )
    .post(
      "",
      async ({ params: { token }, body, request, set }) => {
        const invite = await store.people.findInvite(token, clock.now());
        const redeemed = await redeem(services, { token, invite, body }, request);
        const { caller, cookie } = await beginSession(services, redeemed, request);
        set.headers["set-cookie"] = cookie;
        return { data: sessionBody(caller) };
      },
      {
        params: Token,
        parse: [parse, "json" as const],
        body: documented(Redemption),
        detail: answering({
          tag,
          operationId: "redeemInvite",
          summary: "Accept an invitation",
          description:
            "Somebody without a way in sets a name, and a password or passkey. Everybody else gives the password or a passkey that they " +
            "have, or has a session, and keeps all. Answers like a sign-in.",
          answer: SessionBody,
          example: {
            personId: "5Y8kqvJfZk1q0TDgYxQ2Wd",
            role: "admin",
            expiresAt: "2026-12-21T09:30:00.000Z",
          },
          errors: [401, 403, 404, 413, 422, 429],
          open: true,
        }),
      },
    )
    .post(
      "/passkey-options",
      async ({ params: { token }, body: { name } }): Promise<{ data: CreationOptions | RequestOptions }> => {
        const { personId, ...invite } = await store.people.findInvite(token, clock.now());
        if (invite.organization !== null) assertNotByProviderOnly(services);
        if (isWithoutWay(invite)) {
          const person = { id: personId, email: invite.email, name: name?.trim() ?? invite.name };
          return { data: await optionsToRegister(services, { kind: "invite", person }) };
        }
        if (invite.methods.includes("passkey"))
          return { data: optionsToSignIn(services, { kind: "invite", personId }) };
        throw fault("noPasskey", {});
      },
      {
        params: Token,
        parse: [parseName, "json" as const],
        body: documented(PasskeyName),
        detail: answering({
          tag,
          operationId: "createInviteOptions",
          summary: "Begin to accept an invitation with a passkey",
          description:
            "Options to create a passkey (they have `user`), or to use one for somebody who has one. They hold for 5 minutes, once.",
          answer: InviteOptions,
          example: creationExample,
          errors: [403, 404, 413, 422],
          open: true,
        }),
      },
    );
}

/** Whether the person sets a way in, and does not use one. A link of the command line is for somebody who has lost theirs. */
function isWithoutWay({ organization, methods }: Pick<OpenInvite, "organization" | "methods">): boolean {
  return organization === null || methods.length === 0;
}

interface Accepting {
  token: string;
  invite: OpenInvite;
  body: Redemption;
}

async function redeem(services: Services, accepting: Accepting, request: Request) {
  const { store, clock, signIn } = services;
  const { token, invite, body } = accepting;
  const isNew = isWithoutWay(invite);
  // A link of the command line is the way in when the provider is away.
  if (invite.organization !== null && (isNew || methodOf(body) !== "session"))
    assertNotByProviderOnly(services);
  const way = isNew ? await newWay(services, accepting) : await proveIdentity(services, accepting, request);
  const given = { token, name: body.name?.trim(), address: services.addressOf(request), way };
  const redeemed = await store.people.redeemInvite(given, clock.now());
  if (invite.organization !== null) return { ...redeemed, method: methodOf(body) };
  signIn.forgive(invite);
  return { ...redeemed, method: "link" as const };
}

function methodOf({ passkey, password }: Redemption): SessionMethod {
  if (passkey) return "passkey";
  return password === undefined ? "session" : "password";
}

/** The password or passkey that somebody sets. @throws AppError `invalid` */
async function newWay(
  services: Services,
  { invite: { personId, email, organization, name: known }, body }: Accepting,
): Promise<NewWay> {
  const { name, password, passkey } = body;
  if ((organization !== null || known === null) && name === undefined)
    throw fault("required", { field: "name" });
  if (password !== undefined && passkey) throw invalid("password must be left out with a passkey");
  if (password !== undefined) return { passwordHash: await services.signIn.hashNew({ email, password }) };
  if (!passkey) throw fault("required", { field: "password" });
  if (!isRegistration(passkey)) throw invalid("passkey must be a new registration, not a sign-in");
  const credential = await acceptRegistration(services, passkey, { kind: "invite", personId });
  return { passwordHash: null, passkey: { credential, name: PASSKEY } };
}

function isRegistration(passkey: RegistrationJson | AssertionJson): passkey is RegistrationJson {
  return "attestationObject" in passkey.response;
}

/** Behavior 19.6: with a way in that the person has. @throws AppError `unauthorized`, `too_many`, `forbidden` */
async function proveIdentity(
  services: Services,
  { invite: { personId, email, organization, passwordHash }, body }: Accepting,
  request: Request,
): Promise<Proof> {
  const { password, passkey } = body;
  if (passkey) {
    if (isRegistration(passkey)) throw unauthorized();
    const proved = await provePasskey(services, passkey, { kind: "invite", personId, request });
    await useChallenge(services, proved);
    await notePasskeyUse(services, proved);
    return { by: "passkey", passkeyId: proved.passkey.id };
  }
  if (password !== undefined) {
    const place = `invitation to ${organization?.id}`;
    const given = {
      personId,
      email,
      password,
      hash: passwordHash,
      place,
      address: services.addressOf(request),
    };
    if (passwordHash !== null && (await services.signIn.confirm(given)))
      return { by: "password", passwordHash };
    const person = await services.store.people.findApplicant(email);
    if (person) services.signIn.noteFailure(person, "password");
    throw unauthorized();
  }
  const { actor, sessionId } = await authenticate(services.authenticator, request);
  if (actor.type !== "person" || actor.id !== personId || sessionId === undefined) throw unauthorized();
  return { by: "session", sessionId };
}

function inviteBody({ organization, email, role }: OpenInvite) {
  return { organization: { name: organization?.name ?? "" }, email, role };
}
