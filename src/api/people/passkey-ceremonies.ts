import { Elysia } from "elysia";
import { fault, tooManyFault } from "../../domain/faults/fault.ts";
import { clientNetwork } from "../../domain/network/client-address.ts";
import {
  type AssertionJson,
  type CreationOptions,
  creationOptions,
  type NewCredential,
  type PasskeyUse,
  type RegistrationJson,
  RequestOptions,
  requestOptions,
  verifyAssertion,
  verifyRegistration,
} from "../../domain/people/webauthn/ceremony.ts";
import {
  type ChallengeKind,
  challengeOf,
  type RelyingParty,
  relyingPartyOf,
} from "../../domain/people/webauthn/client-data.ts";
import { fromBase64Url } from "../../domain/people/webauthn/passkey-signature.ts";
import { AppError, notFound, unauthorized } from "../../errors.ts";
import { createRateLimit } from "../../runner/rate-limit.ts";
import type { FoundPasskey } from "../../store/store.ts";
import { failedAttempt } from "../auth/authentication.ts";
import { assertNotForeign } from "../auth/session-cookie.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import {
  assertNotByProviderOnly,
  beginSession,
  type ChoiceOfOrganization,
  choiceOf,
  type SignedIn,
} from "./sign-in.ts";

/** @throws AppError `not_found` where passkeys do not work (behavior 19.50) */
export function partyOf({ baseUrl }: Pick<Services, "baseUrl">): RelyingParty {
  const party = relyingPartyOf(baseUrl());
  if (!party) throw notFound();
  return party;
}

/** Options for a new passkey of a person. @throws AppError `not_found` */
export async function optionsToRegister(
  services: Services,
  { kind, person }: { kind: ChallengeKind; person: { id: string; email: string; name: string | null } },
): Promise<CreationOptions> {
  const party = partyOf(services);
  const known = await services.store.passkeys.listCredentials(person.id);
  const challenge = services.beginnings.challenge({ kind, personId: person.id });
  return creationOptions(party, { challenge, person, known });
}

/** Options for the use of a passkey. @property personId null if anybody may use theirs @throws AppError `not_found` */
export function optionsToSignIn(
  services: Services,
  use: { kind: ChallengeKind; personId: string | null },
): RequestOptions {
  const party = partyOf(services);
  return requestOptions(party, services.beginnings.challenge(use));
}

/** Verifies a new passkey of a person. @throws AppError `not_found`, `invalid` */
export async function acceptRegistration(
  services: Services,
  credential: RegistrationJson,
  { kind, personId }: { kind: ChallengeKind; personId: string },
): Promise<NewCredential> {
  const party = partyOf(services);
  const challenge = challengeOf(fromBase64Url(credential.response.clientDataJSON));
  const found = services.beginnings.findChallenge(challenge, { kind, personId });
  // Whoever answers it uses it up.
  const isFirst = found !== null && (await services.beginnings.use(challenge, found));
  if (!isFirst || !found.isForPerson) throw fault("passkeyTooLate", {});
  return verifyRegistration(credential, { challenge, party });
}

/** A passkey that somebody has proved to have. @property until when its challenge ends */
export interface ProvedPasskey {
  passkey: FoundPasskey;
  use: PasskeyUse;
  challenge: string;
  until: number;
}

/**
 * Verifies the use of a passkey. All that is wrong with it is the same 401 (behavior 19.55). Nothing is written: the caller uses the
 * challenge up (`useChallenge`).
 *
 * @property personId null if anybody may use theirs
 * @throws AppError `not_found`, `unauthorized`, `too_many`
 */
export async function provePasskey(
  services: Services,
  credential: AssertionJson,
  { kind, personId, request }: { kind: ChallengeKind; personId: string | null; request: Request },
): Promise<ProvedPasskey> {
  const party = partyOf(services);
  let passkey: FoundPasskey | undefined;
  try {
    const challenge = challengeOf(fromBase64Url(credential.response.clientDataJSON));
    passkey = await services.store.passkeys.find(fromBase64Url(credential.id));
    const answered = { kind, personId: passkey?.personId ?? null };
    const found = services.beginnings.findChallenge(challenge, answered);
    if (!found?.isForPerson || !passkey || (personId !== null && passkey.personId !== personId))
      throw unauthorized();
    const use = await verifyAssertion(credential, { challenge, party, stored: passkey });
    return { passkey, use, challenge, until: found.until };
  } catch (error) {
    if (!(error instanceof AppError) || (error.kind !== "invalid" && error.kind !== "unauthorized"))
      throw error;
    const person = passkey && (await services.store.people.findApplicant(passkey.email));
    if (person) services.signIn.noteFailure(person, "passkey");
    throw failedAttempt(services.authenticator, request);
  }
}

/**
 * Uses the challenge of a proof up, so that the same proof counts once.
 *
 * @property isKept whether the same person may use it once more
 * @throws AppError `unauthorized` if it was used before
 */
export async function useChallenge(
  { beginnings }: Services,
  { challenge, until, passkey: { personId } }: ProvedPasskey,
  { isKept }: { isKept: boolean } = { isKept: false },
): Promise<void> {
  const given = { until, by: personId, ...(isKept && { keptFor: personId }) };
  if (!(await beginnings.use(challenge, given))) throw unauthorized();
}

/** Notes that somebody got in with a passkey. */
export async function notePasskeyUse(
  { store, clock, log }: Services,
  { passkey: { id, personId }, use: { counter, isBackedUp, wentBack } }: ProvedPasskey,
): Promise<void> {
  if (wentBack)
    log.warn({ personId, passkeyId: id }, "the counter of a passkey went back: a copy of it may be in use");
  await store.passkeys.noteUse({ id, counter, isBackedUp }, clock.now());
}

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
      if (wait > 0) throw tooManyFault("tooManySignIns", wait);
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
