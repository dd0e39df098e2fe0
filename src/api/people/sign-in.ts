import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Caller } from "../../domain/accounts/api-key.ts";
import { fault } from "../../domain/faults/fault.ts";
import { acceptedLanguage } from "../../domain/pages/reader-locale.ts";
import { METHODS, type Method, type SessionMethod } from "../../domain/people/person.ts";
import { Email } from "../../domain/schemas/format.ts";
import { closed } from "../../domain/schemas/schema.ts";
import { parse as parseValue } from "../../domain/schemas/validation.ts";
import { notFound } from "../../errors.ts";
import { createPersonToken } from "../../store/ids.ts";
import type { Proof } from "../../store/store.ts";
import { assertNotForeign, isSecure, sessionCookie } from "../auth/session-cookie.ts";
import { answering } from "../http/openapi.ts";
import { documented, MAX_BODY, readJsonObject } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";

/** A session that began, and the cookie for it. */
export interface SignedIn {
  caller: Caller;
  cookie: string;
}

/** The answer to somebody who is in several organizations and named none. */
export interface ChoiceOfOrganization {
  error: string;
  organizations: { id: string; name: string }[];
}

/** Somebody who has proved who they are. */
interface ProvedPerson {
  personId: string;
  organizationId: string;
  method: SessionMethod;
  proof: Proof;
}

/** Begins a session of a person. @throws AppError `unauthorized` if they are not active in the organization, or not proved any more */
export async function beginSession(
  { store, clock, authenticator, baseUrl, addressOf }: Services,
  person: ProvedPerson,
  request: Request,
): Promise<SignedIn> {
  const token = createPersonToken();
  const now = clock.now();
  const client = { address: addressOf(request), userAgent: userAgentOf(request) };
  const given = { ...person, token, ...client };
  const caller = await store.personSessions.create(given, now);
  authenticator.forget();
  const expiresAt = caller.expiresAt ?? now;
  const place = { secure: isSecure(request, baseUrl()), baseUrl: baseUrl() };
  return { caller, cookie: sessionCookie(token, { expiresAt, now, ...place }) };
}

const MAX_USER_AGENT = 300;

function userAgentOf({ headers }: Request): string {
  return (headers.get("user-agent") ?? "").slice(0, MAX_USER_AGENT);
}

/** The ways to sign in that this server offers. A passkey and an identity need more, which the person sees when they add one. */
export function usableMethods({ oidc }: Pick<Services, "oidc">): readonly Method[] {
  if (!oidc) return ["password", "passkey"];
  return oidc.isOnly ? ["oidc"] : METHODS;
}

/** Behavior 19.75. @throws AppError `forbidden` if people sign in by the provider only */
export function assertNotByProviderOnly({ oidc }: Pick<Services, "oidc">): void {
  if (oidc?.isOnly) throw fault("passwordsOff", {}, { kind: "forbidden" });
}

/** Behavior 19.20. @throws AppError `unauthorized`, `too_many`, `forbidden` */
export async function signInByPassword(
  services: Services,
  { email, password, organizationId }: { email: string; password: string; organizationId?: string },
  request: Request,
): Promise<SignedIn | ChoiceOfOrganization> {
  assertNotByProviderOnly(services);
  const address = services.addressOf(request);
  const judged = await services.signIn.judge({ email, password, address });
  const { personId, passwordHash, organizations } = judged;
  const choice = choiceOf(organizations, organizationId);
  if ("organizations" in choice) return choice;
  const proof = { by: "password", passwordHash } as const;
  return beginSession(services, { personId, ...choice, method: "password", proof }, request);
}

/** The organization of a session, which somebody in several ones must choose (behavior 19.20). */
export function choiceOf(
  organizations: readonly { id: string; name: string }[],
  chosen: string | undefined,
): { organizationId: string } | ChoiceOfOrganization {
  const [only, ...others] = organizations;
  const organizationId = chosen ?? (others.length === 0 ? only?.id : undefined);
  if (organizationId !== undefined) return { organizationId };
  return {
    error: "organizationId must be one of these: you are in several organizations",
    organizations: organizations.map(({ id, name }) => ({ id, name })),
  };
}

const Forgotten = Type.Object({ email: Email }, { ...closed, examples: [{ email: "ana@example.com" }] });
type Forgotten = Static<typeof Forgotten>;

const RequestedBody = Type.Object({ requested: Type.Boolean() }, closed);

/** Whether people can have a link for a new password sent to them. */
export function sendsLinks({ delivery, oidc }: Pick<Services, "delivery" | "oidc">): boolean {
  return delivery.smtp !== undefined && !oidc?.isOnly;
}

/** Behavior 19.17, below `/api/v1/session`: somebody who forgot the password. */
export function forgottenPasswordRoutes(services: Services) {
  const { addressOf, baseUrl, delivery, forgottenPasswords } = services;
  const parse = async ({ request }: { request: Request }): Promise<Forgotten> => {
    assertNotByProviderOnly(services);
    if (!delivery.smtp) throw notFound();
    assertNotForeign(request, baseUrl());
    return parseValue(Forgotten, await readJsonObject(request, { largest: MAX_BODY.public }), "");
  };
  return new Elysia({ normalize: false }).post(
    "/link",
    ({ body: { email }, request }) => {
      const language = acceptedLanguage(request.headers.get("accept-language"));
      forgottenPasswords.request({ email, language, address: addressOf(request) });
      return { data: { requested: true } };
    },
    {
      parse: [parse, "json" as const],
      body: documented(Forgotten),
      detail: answering({
        tag: "Session",
        operationId: "requestLink",
        summary: "Ask for a link to set a new password",
        description:
          "It is sent by e-mail to somebody who signs in with a password, and works once, within an hour. The answer is the same for " +
          "every address. Without a mail server it is a 404.",
        answer: RequestedBody,
        example: { requested: true },
        errors: [403, 404, 413, 422, 429],
        open: true,
      }),
    },
  );
}
