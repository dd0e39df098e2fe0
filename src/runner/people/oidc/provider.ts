import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from "openid-client";
import { type BoundedAnswer, fetchBounded } from "../../../bounded-fetch.ts";
import type { Clock } from "../../../clock.ts";
import { lacksDescriptorsForThread } from "../../../descriptors.ts";
import { hasClaim, type OidcSettings } from "../../../domain/people/oidc-roles.ts";
import { AppError } from "../../../errors.ts";

export type Claims = Record<string, unknown>;

/** The values that prove that a provider answers this attempt. */
export interface OidcAttempt {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The provider of the settings. All methods throw what `providerFault` returns. */
export interface Provider {
  /** Reads what the provider says about itself. */
  discover(): Promise<void>;
  /** Where the browser signs in. */
  authorizationUrl(attempt: OidcAttempt, redirectUri: string): Promise<string>;
  /** Exchanges the code for claims that are proven. @param callback the URL to which the browser returned */
  redeem(attempt: OidcAttempt, callback: URL): Promise<Claims>;
}

/** Signatures with the key of the provider. `none` and HMAC are not among them. */
const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];

/** Seconds by which the clocks of the provider and this server may differ. */
const CLOCK_TOLERANCE = 90;

/** How long what the provider says about itself counts; milliseconds. */
const METADATA_LENGTH = 60 * 60 * 1000;

/** Returns that are redeemed at the same time, each with a connection: above that number, others are refused. */
const MAX_REDEEMING = 50;

/** Loaded at the first use, because it would delay each start. */
const library = () => import("openid-client");

export function createProvider(settings: OidcSettings, clock: Clock): Provider {
  const issuer = new URL(settings.issuer);
  const isPlain = issuer.protocol === "http:";
  const requestsOfStep = createProviderRequests(clock);
  let redeeming = 0;
  let known: { metadata: ServerMetadata; until: number } | undefined;

  async function discover({ fetch }: ProviderRequests): Promise<ServerMetadata> {
    const { discovery, customFetch, allowInsecureRequests } = await library();
    const execute = isPlain ? [allowInsecureRequests] : [];
    const options = { [customFetch]: fetch, execute };
    const found = await discovery(issuer, settings.clientId, undefined, undefined, options);
    // Without its methods, which can't be cloned.
    const metadata: ServerMetadata = JSON.parse(JSON.stringify(found.serverMetadata()));
    // The library accepts others for some hosts: there, any organization may be the issuer.
    if (new URL(metadata.issuer).href !== issuer.href)
      throw new TypeError(`the provider calls itself ${metadata.issuer}: --oidc-issuer must be the same`);
    return metadata;
  }

  /** Created for each step: the keys of the provider are fetched again, and a withdrawn key is rejected. */
  async function configure(requests: ProviderRequests): Promise<Configuration> {
    const oidc = await library();
    if (!known || known.until <= clock.monotonic()) {
      known = undefined;
      const metadata = await discover(requests);
      known = { metadata, until: clock.monotonic() + METADATA_LENGTH };
    }
    const { clientId, clientSecret } = settings;
    const metadata = { ...known.metadata, id_token_signing_alg_values_supported: ALGORITHMS };
    const client = { [oidc.clockTolerance]: CLOCK_TOLERANCE };
    const proof = clientProof(metadata, clientSecret, oidc);
    const configuration = new oidc.Configuration(metadata, clientId, client, proof);
    configuration[oidc.customFetch] = requests.fetch;
    // Otherwise it trusts the connection, and does not check the signature.
    oidc.enableNonRepudiationChecks(configuration);
    if (isPlain) oidc.allowInsecureRequests(configuration);
    return configuration;
  }

  async function step<Result>(work: (configuration: Configuration) => Promise<Result>): Promise<Result> {
    using requests = requestsOfStep();
    try {
      return await work(await configure(requests));
    } catch (error) {
      // Its addresses may have changed. What a browser brings back proves nothing of that, nor does a code that the provider refuses.
      if (requests.count() > 0 && !isRefusal(error)) known = undefined;
      throw providerFault(error);
    }
  }

  return {
    discover: () => step(async () => {}),
    authorizationUrl: ({ state, nonce, codeVerifier }, redirectUri) =>
      step(async (configuration) => {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
        const challenge = await calculatePKCECodeChallenge(codeVerifier);
        return buildAuthorizationUrl(configuration, {
          ...{ redirect_uri: redirectUri, scope: settings.scopes, state, nonce },
          ...{ code_challenge: challenge, code_challenge_method: "S256" },
        }).href;
      }),
    async redeem({ state, nonce, codeVerifier }, callback) {
      if (redeeming >= MAX_REDEEMING) throw busy();
      redeeming++;
      return step(async (configuration) => {
        const { authorizationCodeGrant, fetchUserInfo } = await library();
        const tokens = await authorizationCodeGrant(configuration, callback, {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier },
          idTokenExpected: true,
        });
        const claims: Claims = { ...tokens.claims() };
        const isComplete =
          claims.email !== undefined && (!settings.roles || hasClaim(claims, settings.roles.claim));
        if (isComplete || !configuration.serverMetadata().userinfo_endpoint) return claims;
        const more = await fetchUserInfo(configuration, tokens.access_token, String(claims.sub));
        return joined(claims, more);
      }).finally(() => redeeming--);
    },
  };
}

/** Some providers have claims only in their second answer. Whether an address is verified is said where the address is. */
function joined(claims: Claims, more: Claims): Claims {
  const { email, email_verified } = claims.email === undefined ? more : claims;
  return { ...more, ...claims, email, email_verified };
}

/**
 * How stillup proves to be the client. Basic is what every provider has to know. Its values are escaped less than the library does
 * it: some providers do not decode them, and the usual secrets stay as they are.
 */
function clientProof(
  { token_endpoint_auth_methods_supported: methods }: ServerMetadata,
  secret: string | undefined,
  { ClientSecretPost, None }: Awaited<ReturnType<typeof library>>,
): ClientAuth {
  if (secret === undefined) return None();
  const isBasic = methods === undefined || methods.includes("client_secret_basic");
  if (!isBasic) return ClientSecretPost(secret);
  return (_server, { client_id }, _body, headers) => {
    const pair = `${encodeURIComponent(client_id)}:${encodeURIComponent(secret)}`;
    headers.set("authorization", `Basic ${btoa(pair)}`);
  };
}

/** Seconds after which another try is worth it. */
const AWAY_FOR = 5;

/** @returns AppError `unavailable` if the provider is away; `forbidden`, with the reason for the log, if its answer proves nothing */
function providerFault(error: unknown): AppError {
  const away = causesOf(error).find((cause) => cause instanceof ProviderAway);
  const fault = away
    ? new AppError("unavailable", "the provider can't be reached now: try again later", undefined, AWAY_FOR)
    : new AppError("forbidden", reasonOf(error));
  fault.cause = away?.message;
  return fault;
}

/** Whether the provider has answered, in the form of OAuth, that it refuses. */
function isRefusal(error: unknown): boolean {
  return causesOf(error).some((cause) => (cause as { code?: unknown }).code === "OAUTH_RESPONSE_BODY_ERROR");
}

/** Too many sign-ins return at the same time. */
function busy(): AppError {
  return new AppError("unavailable", "too many sign-ins end now: try again later", undefined, AWAY_FOR);
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** Names only: causes of the library have tokens. `error` is a word of the provider. */
function reasonOf(given: unknown): string {
  const [error] = causesOf(given);
  if (!error) return "unknown";
  const { error: word, code } = error as { error?: unknown; code?: unknown };
  const details = causesOf(given).map(({ cause }) => (cause as { claim?: unknown } | undefined)?.claim);
  const parts = [error.message, word, code, ...details].filter((part) => typeof part === "string");
  return [...new Set(parts)].map((part) => part.slice(0, 200)).join(", ");
}

/** The provider does not answer, not in time, or with too much. */
class ProviderAway extends Error {
  override readonly name = "ProviderAway";
}

/** The requests of one step of a sign-in, which share a time limit (behavior 19.63). */
interface ProviderRequests extends Disposable {
  fetch: CustomFetch;
  /** How many the step made. */
  count(): number;
}

/** Milliseconds for all requests of a step: it must answer within 10 seconds. */
const PATIENCE = 9000;

/** Bytes of an answer (behavior 19.63): metadata, keys and tokens have some thousands. */
const MAX_ANSWER = 1024 * 1024;

/** Creates the requests of steps. What everybody may read is asked once at a time, however many steps wait for it. */
export function createProviderRequests(clock: Pick<Clock, "after">): () => ProviderRequests {
  const running = new Map<string, Promise<BoundedAnswer>>();

  function patience(): { signal: AbortSignal; cancel: () => void } {
    const abort = new AbortController();
    const away = new ProviderAway(`no answer within ${PATIENCE / 1000} s`);
    return { signal: abort.signal, cancel: clock.after(PATIENCE, () => abort.abort(away)) };
  }

  async function shared(url: string, init: RequestInit): Promise<BoundedAnswer> {
    const { signal, cancel } = patience();
    try {
      return await fetchBounded(url, { ...init, signal }, MAX_ANSWER);
    } finally {
      cancel();
      running.delete(url);
    }
  }

  return () => {
    const { signal, cancel } = patience();
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    late.catch(() => {});
    let count = 0;

    function answerOf(url: string, init: RequestInit): Promise<BoundedAnswer> {
      const isPublic = init.method === "GET" && !new Headers(init.headers).has("authorization");
      if (!isPublic) return fetchBounded(url, { ...init, signal }, MAX_ANSWER);
      const answer = running.get(url) ?? shared(url, init);
      running.set(url, answer);
      answer.catch(() => {});
      return Promise.race([answer, late]);
    }

    return {
      count: () => count,
      async fetch(url, { body = null, signal: _, ...options }) {
        count++;
        try {
          if (lacksDescriptorsForThread()) throw new Error("too few file descriptors are free");
          // The tests of the page know other types of bodies.
          const { status, headers, body: content } = await answerOf(url, { ...options, body } as RequestInit);
          if (status >= 500) throw new Error(`it answered ${status}`);
          return new Response(content.byteLength === 0 ? null : content, { status, headers });
        } catch (error) {
          throw new ProviderAway(`${new URL(url).host}: ${(error as Error).message}`, { cause: error });
        }
      },
      [Symbol.dispose]: cancel,
    };
  };
}
