import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { RoleSchema } from "../../domain/accounts/api-key.ts";
import { PersonName } from "../../domain/schemas/format.ts";
import { closed, named, nullable } from "../../domain/schemas/schema.ts";
import { parse as parseValue } from "../../domain/schemas/validation.ts";
import { unauthorized } from "../../errors.ts";
import type { OpenInvite } from "../../store/store.ts";
import { assertNotForeign, SessionBody, sessionBody } from "../auth/session.ts";
import { answering } from "../http/openapi.ts";
import { documented, MAX_BODY, readJsonObject } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";
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
    password: Type.String({ maxLength: 4096, description: "A new one, or the password of the person." }),
  },
  { ...closed, examples: [{ name: "Ana", password: "a long enough password" }] },
);

/** Behavior 19.5 to 19.8: an invitation is public, because its token is the secret. Only a POST redeems it. */
export function inviteRoutes(services: Services) {
  const { store, clock, baseUrl } = services;
  const parse = async ({ request }: { request: Request }): Promise<Static<typeof Redemption>> => {
    assertNotForeign(request, baseUrl());
    return parseValue(Redemption, await readJsonObject(request, { largest: MAX_BODY.public }), "");
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
        const { personId, organizationId } = await redeem(services, { token, invite, body }, request);
        const { caller, cookie } = await beginSession(
          services,
          { personId, organizationId, method: invite.organization ? "password" : "link" },
          request,
        );
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
            "Somebody without a way in sets name and password. Everybody else gives their password, and keeps it. Answers like a " +
            "sign-in.",
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
    );
}

async function redeem(
  { store, clock, signIn, addressOf, oidc }: Services,
  { token, invite, body }: { token: string; invite: OpenInvite; body: Static<typeof Redemption> },
  request: Request,
): Promise<{ personId: string; organizationId: string }> {
  const { email, organization, passwordHash: stored, methods } = invite;
  const { password } = body;
  // A link of the command line is the way in when the provider is away.
  if (organization !== null) assertNotByProviderOnly({ oidc });
  const isNew = organization === null || methods.length === 0;
  let passwordHash: string | null = null;
  if (isNew) passwordHash = await signIn.hashNew({ email, password });
  else {
    const given = { email, password, hash: stored, address: addressOf(request) };
    if (!(await signIn.confirm(given))) throw unauthorized();
  }
  const redeemed = await store.people.redeemInvite(
    { token, name: body.name?.trim(), passwordHash },
    clock.now(),
  );
  if (organization === null) signIn.forgive(email);
  const organizationId = redeemed.organizationId ?? (await firstOrganization(store, email));
  return { personId: redeemed.personId, organizationId };
}

/** A link of the command line names no organization. */
async function firstOrganization({ people }: Services["store"], email: string): Promise<string> {
  const [first] = (await people.findApplicant(email))?.organizations ?? [];
  if (!first) throw unauthorized();
  return first.id;
}

function inviteBody({ organization, email, role }: OpenInvite) {
  return { organization: { name: organization?.name ?? "" }, email, role };
}
