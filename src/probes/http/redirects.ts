import { firstUrlOf } from "../../domain/monitors/kinds/http-target.ts";
import { Lifetime } from "../lifetime.ts";
import type { ProbeContext } from "../observe.ts";
import { HostError, ProbeError } from "../probe-error.ts";
import type { CheckConfig } from "../probe-thread.ts";
import { Cookies } from "./cookies.ts";
import { type Answered, send } from "./exchange.ts";
import { firstRequest, type Request } from "./request.ts";
import type { Head } from "./response-parser.ts";

type Config = CheckConfig<"HTTP">;

/** Sends the request of a config, and follows its redirects with one set of cookies. @throws ProbeError `too_many_redirects`, `bad_redirect` */
export function answerTo(config: Config, context: ProbeContext, cookies?: Cookies): Promise<Answered> {
  const { redirects = 0 } = config;
  const request = firstRequest(config, cookies?.pairsFor(new URL(firstUrlOf(config))));
  return redirects === 0
    ? send(request, { config, context, cookies })
    : follow(request, { config, most: redirects, cookies: cookies ?? new Cookies() }, context);
}

/** @property most how many redirects are followed, each on a new connection */
interface Following {
  config: Config;
  most: number;
  cookies: Cookies;
}

async function follow(
  first: Request,
  { config, most, cookies }: Following,
  context: ProbeContext,
): Promise<Answered> {
  const { lifetime } = context;
  let request = first;
  for (let followed = 0; ; followed++) {
    lifetime.assertOngoing();
    context.isRedirected = followed > 0;
    // Each connection is closed before the next one opens.
    const hop = new Lifetime();
    lifetime.add(hop);
    context.lifetime = hop;
    try {
      const answered = await send(request, { config: hiding(config, cookies), context, cookies });
      if (!isRedirect(answered.statusCode)) return answered;
      const head = await answered.reader().head();
      const next = redirected(request, head);
      if (followed === most) throw tooManyRedirects(most, answered);
      await cookies.keep(head.headers, request.url);
      request = { ...next, cookies: cookies.pairsFor(next.url) };
    } catch (error) {
      // A redirect names its host, and no text of a server may appear in a result.
      throw followed > 0 && error instanceof HostError ? error.about("the host of a redirect") : error;
    }
    hop.close();
  }
}

/** The config of a request, with the cookies that its answer may repeat. */
function hiding(config: Config, cookies: Cookies): Config {
  const secrets = cookies.secrets();
  return secrets.length === 0 ? config : { ...config, taken: [...(config.taken ?? []), ...secrets] };
}

function tooManyRedirects(most: number, { statusCode }: Answered): ProbeError {
  const times = most === 1 ? "once" : `${most} times`;
  return new ProbeError("too_many_redirects", `the server redirects more than ${times}`, { statusCode });
}

const FOLLOWED = new Set([301, 302, 303, 307, 308]);

function isRedirect(statusCode: number): boolean {
  return FOLLOWED.has(statusCode);
}

/**
 * The request that a redirect leads to (RFC 9110, 15.4).
 *
 * @throws ProbeError `bad_redirect`; its message has no text of the server
 */
function redirected({ url, method, hasBody }: Request, { statusCode, headers }: Head): Request {
  const locations = headers.filter(([name]) => name.toLowerCase() === "location");
  const [location, ...others] = new Set(locations.map(([, value]) => value));
  if (!location) throw badRedirect("has no Location", statusCode);
  if (others.length > 0) throw badRedirect("has two Locations", statusCode);
  // A header has one character for each byte, and servers write UTF-8.
  const next = URL.parse(Buffer.from(location, "latin1").toString(), url.href);
  if (!next) throw badRedirect("has a Location that is not a URL", statusCode);
  if (!/^https?:$/.test(next.protocol)) {
    throw badRedirect("leads to a URL that is neither http nor https", statusCode);
  }
  if (next.port === "0") throw badRedirect("leads to port 0", statusCode);
  return isGetNow(method, statusCode)
    ? { url: next, method: "GET", hasBody: false }
    : { url: next, method, hasBody };
}

function isGetNow(method: string, statusCode: number): boolean {
  return statusCode === 303 ? method !== "HEAD" : method === "POST" && statusCode < 303;
}

function badRedirect(what: string, statusCode: number): ProbeError {
  return new ProbeError("bad_redirect", `the redirect ${what}`, { statusCode });
}
