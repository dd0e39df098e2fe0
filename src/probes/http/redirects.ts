import { Lifetime } from "../lifetime.ts";
import type { ProbeContext } from "../observe.ts";
import { HostError, ProbeError } from "../probe-error.ts";
import type { CheckConfig } from "../probe-thread.ts";
import { type Answered, send } from "./exchange.ts";
import { firstRequest, type Request } from "./request.ts";
import type { Head } from "./response-parser.ts";

type Config = CheckConfig<"HTTP">;

/** Sends a request and follows its redirects, each on a new connection. @throws ProbeError `too_many_redirects`, `bad_redirect` */
export async function follow(config: Config, most: number, context: ProbeContext): Promise<Answered> {
  const { lifetime } = context;
  let request = firstRequest(config);
  for (let followed = 0; ; followed++) {
    lifetime.assertOngoing();
    context.isRedirected = followed > 0;
    // Each connection is closed before the next one opens.
    const hop = new Lifetime();
    lifetime.add(hop);
    context.lifetime = hop;
    try {
      const answered = await send(request, config, context);
      if (!isRedirect(answered.statusCode)) return answered;
      request = redirected(request, await answered.reader().head());
      if (followed === most) throw tooManyRedirects(most, answered);
    } catch (error) {
      // A redirect names its host, and no text of a server may appear in a result.
      throw followed > 0 && error instanceof HostError ? error.about("the host of a redirect") : error;
    }
    hop.close();
  }
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
