import { Elysia } from "elysia";
import { clientNetwork } from "../../domain/network/client-address.ts";
import type { AssertionJson } from "../../domain/people/webauthn/credential.ts";
import { RequestOptions } from "../../domain/people/webauthn/options.ts";
import { tooMany, unauthorized } from "../../errors.ts";
import { createRateLimit } from "../../runner/rate-limit.ts";
import { assertNotForeign } from "../auth/session-cookie.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { notePasskeyUse, optionsToSignIn, provePasskey, useChallenge } from "./passkey-ceremonies.ts";
import {
  assertNotByProviderOnly,
  beginSession,
  type ChoiceOfOrganization,
  choiceOf,
  type SignedIn,
} from "./sign-in.ts";

/** Sign-ins that one client may begin: a page begins one each time it is opened. */
const LIMIT = { burst: 100, perSecond: 1 };

const requestExample = {
  challenge: "Zm9yIGFuIGV4YW1wbGUsIG5vdCByYW5kb20gYXQgYWxs",
  timeout: 300_000,
  rpId: "stillup.example.com",
  allowCredentials: [],
  userVerification: "required",
};

/** Below `/api/v1/session`: how a sign-in with a passkey begins. */
export function passkeyOptionRoutes(services: Services) {
  const { clock, addressOf, baseUrl } = services;
  const limit = createRateLimit({ ...LIMIT, clock });
  return new Elysia({ normalize: false }).post(
    "/passkey-options",
    ({ request }) => {
      assertNotForeign(request, baseUrl());
      const wait = limit.take(clientNetwork(addressOf(request)));
      if (wait > 0) throw tooMany("sign-ins", wait);
      assertNotByProviderOnly(services);
      return { data: optionsToSignIn(services, { kind: "sign_in", personId: null }) };
    },
    {
      detail: answering({
        tag: "Session",
        operationId: "createSignInOptions",
        summary: "Begin a sign-in with a passkey",
        description:
          "The options of `navigator.credentials.get()`, as `PublicKeyCredential.parseRequestOptionsFromJSON()` takes them. They hold " +
          "for 5 minutes, once. On an IP address, and over plain HTTP elsewhere than on localhost, it is a 404.",
        answer: RequestOptions,
        example: requestExample,
        errors: [403, 404, 429],
        open: true,
      }),
    },
  );
}

/** Behavior 19.54. @throws AppError `not_found`, `unauthorized`, `too_many` */
export async function signInByPasskey(
  services: Services,
  { passkey: credential, organizationId }: { passkey: AssertionJson; organizationId?: string },
  request: Request,
): Promise<SignedIn | ChoiceOfOrganization> {
  const { store } = services;
  assertNotByProviderOnly(services);
  const proved = await provePasskey(services, credential, { kind: "sign_in", personId: null, request });
  const { personId, email } = proved.passkey;
  const organizations = (await store.people.findApplicant(email))?.organizations ?? [];
  if (organizations.length === 0) throw unauthorized();
  const choice = choiceOf(organizations, organizationId);
  if ("organizations" in choice) {
    // The person sends the same answer again, with an organization. Nobody else can use the challenge now.
    await useChallenge(services, proved, { isKept: true });
    return choice;
  }
  await useChallenge(services, proved);
  const proof = { by: "passkey", passkeyId: proved.passkey.id } as const;
  const signedIn = await beginSession(services, { personId, ...choice, method: "passkey", proof }, request);
  await notePasskeyUse(services, proved);
  return signedIn;
}
