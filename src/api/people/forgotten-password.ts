import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { Email } from "../../domain/schemas/format.ts";
import { closed } from "../../domain/schemas/schema.ts";
import { parse as parseValue } from "../../domain/schemas/validation.ts";
import { notFound } from "../../errors.ts";
import { assertNotForeign } from "../auth/session-cookie.ts";
import { answering } from "../http/openapi.ts";
import { documented, MAX_BODY, readJsonObject } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";
import { assertNotByProviderOnly } from "./sign-in.ts";

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
      forgottenPasswords.request({ email, address: addressOf(request) });
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
