import { addSecrets } from "../../domain/evidence/secrets.ts";
import { Cookies } from "../http/cookies.ts";
import type { Answered, Sending } from "../http/exchange.ts";
import { type HttpConfig, isTrustedUrl, type Request } from "../http/request.ts";
import type { ProbeContext } from "../observe.ts";
import { AccessError } from "../probe-error.ts";
import { challengesIn } from "./challenges.ts";
import { bestDigest, digestAuthorization, whyNoDigest } from "./digest.ts";
import { TOKEN_TIMEOUT, tokens } from "./token-cache.ts";
import type { OAuthConfig } from "./token-request.ts";

/** @property send sends one request, without a sign-in of its own */
interface SigningIn extends Sending {
  cookies: Cookies;
  send(request: Request, sending: Sending): Promise<Answered>;
}

/** Sends a request, and signs in at the origin that gets the credentials of a config (behavior 26.40, 26.50). */
export function sendSignedIn(
  request: Request,
  { cookies = new Cookies(), ...others }: Sending & Pick<SigningIn, "send">,
): Promise<Answered> {
  const sending = { ...others, cookies };
  const { config } = sending;
  hide([], sending);
  if (!isTrustedUrl(request.url, config)) return sending.send(request, sending);
  const { digestAuth, oauth2 } = config;
  if (digestAuth) return sendWithDigest(request, digestAuth, sending);
  if (oauth2) return sendWithToken(request, { ...sending, config: config as OAuthConfig });
  return sending.send(request, sending);
}

/** By check: what the texts of no later answer may show, because a server may carry it on. */
const secretsOfChecks = new WeakMap<ProbeContext, string[]>();

/** Hides more secrets in the answer to a request, and the secrets of the check so far. */
function hide(secrets: string[], { config, context }: Pick<Sending, "config" | "context">): void {
  const all = [...(secretsOfChecks.get(context) ?? []), ...secrets];
  if (all.length === 0) return;
  secretsOfChecks.set(context, all);
  addSecrets(config, all);
}

/** How often a challenge is answered: again only if the nonce was too old. */
const MAX_PROOFS = 2;

const REFUSED_CREDENTIALS = "the server refuses the user or the password of config.digestAuth";
const ALWAYS_STALE = "the server calls each nonce of Digest too old";

async function sendWithDigest(
  request: Request,
  credentials: NonNullable<HttpConfig["digestAuth"]>,
  sending: SigningIn,
): Promise<Answered> {
  let answered = await sending.send(request, sending);
  for (let proofs = 0; answered.statusCode === 401; proofs++) {
    const challenges = challengesIn((await answered.reader().head()).headers);
    const challenge = bestDigest(challenges);
    if (!challenge) return { ...answered, remark: whyNoDigest(challenges) };
    if (proofs > 0 && !challenge.isStale) return { ...answered, remark: REFUSED_CREDENTIALS };
    if (proofs === MAX_PROOFS) return { ...answered, remark: ALWAYS_STALE };
    const { authorization, secrets } = digestAuthorization(challenge, credentials, request);
    hide(secrets, sending);
    answered = await sendAgain({ ...request, authorization }, answered, sending);
  }
  return answered;
}

/** At the same address and with the cookies of the answer, because another server may have other nonces. */
async function sendAgain(request: Request, answered: Answered, sending: SigningIn): Promise<Answered> {
  const { context, cookies } = sending;
  const { connection } = answered;
  await cookies.keep((await answered.reader().head()).headers, request.url);
  hide(cookies.secrets(), sending);
  connection.close();
  context.lifetime.assertOngoing();
  context.leaveAnswer();
  const again = { ...request, cookies: cookies.pairsFor(request.url) };
  return sending.send(again, { ...sending, address: connection.address });
}

/** The token of a check, which all of its requests use. */
interface CheckToken {
  token: string;
  /** Whether it was requested again after a 401. */
  isRenewed: boolean;
}

const tokensOfChecks = new WeakMap<ProbeContext, CheckToken>();

const REFUSED_TOKEN = "the server refuses the token of config.oauth2, also a new one";

/** @throws AccessError `token_failed` */
async function sendWithToken(
  request: Request,
  sending: SigningIn & { config: OAuthConfig },
): Promise<Answered> {
  const { context, send } = sending;
  const known = tokensOfChecks.get(context);
  const own = known ?? { token: await take(sending), isRenewed: false };
  tokensOfChecks.set(context, own);
  hide([own.token], sending);
  const answered = await send({ ...request, authorization: `Bearer ${own.token}` }, sending);
  if (answered.statusCode !== 401) return answered;
  const next = own.isRenewed ? own.token : await take(sending, own.token);
  own.isRenewed = true;
  if (next === own.token) return { ...answered, remark: REFUSED_TOKEN };
  own.token = next;
  hide([next], sending);
  const again = await sendAgain({ ...request, authorization: `Bearer ${next}` }, answered, sending);
  return again.statusCode === 401 ? { ...again, remark: REFUSED_TOKEN } : again;
}

/** The time until a token is there counts neither in the timeout of the check nor in its latency. */
async function take(
  { config, context }: { config: OAuthConfig; context: ProbeContext },
  refused?: string,
): Promise<string> {
  const found = tokens.token(config, context.network, refused);
  const token =
    typeof found === "string" ? found : await context.pause(() => withinRest(found, config, context));
  context.lifetime.assertOngoing();
  return token;
}

/** A claim of a check does not last longer, so that all tokens of a check have one limit. The request of the first one has it itself. */
async function withinRest(
  token: Promise<string>,
  { oauth2 }: OAuthConfig,
  context: ProbeContext,
): Promise<string> {
  if (context.paused === 0) return token;
  const { promise, reject } = Promise.withResolvers<never>();
  // As the request itself says it, whose limit may end in the same moment.
  const message = `no token from ${new URL(oauth2.tokenUrl).host}: no answer within ${TOKEN_TIMEOUT / 1000} s`;
  const expire = () => reject(new AccessError("token_failed", message));
  const timer = setTimeout(expire, Math.max(0, TOKEN_TIMEOUT - context.paused));
  return Promise.race([token, promise]).finally(() => clearTimeout(timer));
}
