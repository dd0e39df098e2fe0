import type { Clock } from "../../../clock.ts";
import { tooManyFault } from "../../../domain/faults/fault.ts";
import { clientNetwork } from "../../../domain/network/client-address.ts";
import { personIn } from "../../../domain/people/oidc-person.ts";
import { type OidcSettings, roleOf } from "../../../domain/people/oidc-roles.ts";
import { OIDC_ATTEMPT_LENGTH } from "../../../domain/people/person.ts";
import { providerName } from "../../../domain/people/provider-name.ts";
import { AppError, invalid } from "../../../errors.ts";
import type { Logger } from "../../../log.ts";
import { chosenOrganization } from "../../../store/accounts/chosen-organization.ts";
import { createToken } from "../../../store/ids.ts";
import type { Proof, Store } from "../../../store/store.ts";
import { createRateLimit } from "../../rate-limit.ts";
import type { Beginnings } from "../beginnings.ts";
import { type Claims, createProvider, type OidcAttempt } from "./provider.ts";

/** Sign-in by the provider of the settings (behavior 19.60 to 19.79). */
export interface Oidc {
  /** The name of the provider for people. */
  name: string;
  /** Whether people sign in by the provider only. */
  isOnly: boolean;
  /** Whether the provider decides the roles in an organization. */
  decidesRoles(organizationId: string): boolean;
  /** Checks the settings, and reads the provider. A provider that is away is logged. @throws AppError `invalid` for a wrong setting */
  start(): Promise<void>;
  /** @throws AppError `unavailable` if the provider can't be used, `too_many` */
  begin(given: BeginningSignIn): Promise<BegunSignIn>;
  /** @throws AppError `unavailable`, `too_many`; `forbidden` if nobody is signed in, with the reason, which is also logged */
  finish(given: ReturnedSignIn): Promise<FinishedSignIn>;
}

interface BeginningSignIn {
  redirectUri: string;
  /** The session to whose person the identity is linked; null for a sign-in. */
  sessionId: string | null;
  address: string;
}

/** @property url where the browser continues @property browser the value of its cookie: the attempt, sealed */
interface BegunSignIn {
  url: string;
  browser: string;
}

/** @property callback the URL to which the browser returned @property browser the value of its cookie */
interface ReturnedSignIn {
  callback: URL;
  browser: string | undefined;
  address: string;
}

/** The person who signs in; null if an identity was linked. */
type FinishedSignIn = { personId: string; organizationId: string; proof: Proof } | null;

/**
 * Attempts of one client that have not returned, and returns, of which each asks the provider (behavior 19.77). Many people may share
 * an address.
 */
const OPEN_LIMIT = { burst: 20, perSecond: 10 };
const RETURN_LIMIT = { burst: 100, perSecond: 10 };

/** The values in the cookie of an attempt. @property sessionId of the person to link; null for a sign-in */
interface SealedAttempt extends OidcAttempt {
  issuer: string;
  sessionId: string | null;
}

const UNUSABLE = "the provider for sign-in can't be used now";
const FAILED = "a sign-in by the provider failed";

export function createOidc(
  settings: OidcSettings,
  {
    store,
    clock,
    log,
    beginnings,
  }: { store: Store; clock: Clock; log: Logger; beginnings: Omit<Beginnings, "start"> },
): Oidc {
  const provider = createProvider(settings, clock);
  const issuer = new URL(settings.issuer).href;
  const open = createRateLimit({ ...OPEN_LIMIT, clock });
  const returned = createRateLimit({ ...RETURN_LIMIT, clock });
  const assertFew = (wait: number) => {
    if (wait > 0) throw tooManyFault("tooManySignIns", wait);
  };
  const ownOrganization = () =>
    chosenOrganization(store, { flag: "--oidc-org", given: settings.organizationId });

  async function checkOrganization(): Promise<void> {
    if (settings.roles === undefined && settings.organizationId === undefined) return;
    await ownOrganization().catch((error: AppError) => {
      throw error.kind === "not_found" ? invalid(`--oidc-org is wrong: ${error.message}`) : error;
    });
  }

  async function givenRole(claims: Claims) {
    if (!settings.roles) return null;
    const role = roleOf(claims, settings.roles);
    if (!role) throw refused(`the claim ${settings.roles.claim} has no group with a role`);
    const organizationId = await ownOrganization().catch((error: AppError) => {
      throw refused(error.message);
    });
    return { role, organizationId };
  }

  async function authorizationUrl(
    attempt: Parameters<typeof provider.authorizationUrl>[0],
    redirectUri: string,
  ) {
    try {
      return await provider.authorizationUrl(attempt, redirectUri);
    } catch (error) {
      const { message, cause } = error as AppError;
      log.warn({ issuer, reason: cause ?? message }, UNUSABLE);
      throw new AppError("unavailable", "the provider can't be used now: try again later", undefined, 5);
    }
  }

  async function finish({ callback, browser, address }: ReturnedSignIn): Promise<FinishedSignIn> {
    const [state, ...others] = callback.searchParams.getAll("state");
    if (state === undefined || others.length > 0) throw refused("the state is missing, or there are several");
    if (browser === undefined) throw refused("it began in another browser, or too long ago");
    const begun = beginnings.open<SealedAttempt>(browser);
    if (!begun || begun.values.issuer !== issuer || begun.values.state !== state)
      throw refused("it is unknown, too old, or began in another browser");
    if (!(await beginnings.use(state, begun))) throw refused("it was finished already");
    open.giveBack(clientNetwork(address));
    const attempt = begun.values;
    const claims = await provider.redeem(attempt, callback);
    const person = personIn(claims);
    if (!person) throw refused("the subject is empty or too long, or has control characters");
    const { sessionId } = attempt;
    const identity = { issuer, subject: person.subject };
    if (sessionId !== null) {
      await store.identities.link({ ...identity, sessionId, address }, clock.now());
      return null;
    }
    const proven = { ...person, ...identity, given: await givenRole(claims), address };
    await store.identities.assertMaySignIn(proven, clock.now());
    const { keptRole, ...found } = await store.identities.signIn(proven, clock.now());
    if (keptRole) {
      const roles = { role: proven.given?.role, keptRole };
      log.warn(
        { person: found.personId, ...roles },
        "a role of the provider does not count: the organization must keep an owner",
      );
    }
    return { ...found, proof: { by: "identity", ...identity } };
  }

  return {
    name: providerName(settings.issuer),
    isOnly: settings.isOnly,
    decidesRoles: (id) => settings.roles !== undefined && (settings.organizationId ?? id) === id,
    async start() {
      await checkOrganization();
      provider.discover().catch(({ message, cause }: AppError) => {
        log.warn({ issuer, reason: cause ?? message }, UNUSABLE);
      });
    },
    async begin({ redirectUri, sessionId, address }) {
      assertFew(open.take(clientNetwork(address)));
      const attempt = { state: createToken(), nonce: createToken(), codeVerifier: createToken() };
      const url = await authorizationUrl(attempt, redirectUri);
      const sealed: SealedAttempt = { ...attempt, issuer, sessionId };
      return { url, browser: beginnings.seal(sealed, clock.now() + OIDC_ATTEMPT_LENGTH) };
    },
    async finish(given) {
      // First, because each failure is a line in the log.
      assertFew(returned.take(clientNetwork(given.address)));
      try {
        return await finish(given);
      } catch (error) {
        if (error instanceof AppError)
          log.warn({ issuer, address: given.address, reason: error.cause ?? error.message }, FAILED);
        throw error;
      }
    },
  };
}

function refused(reason: string): AppError {
  return new AppError("forbidden", reason);
}
