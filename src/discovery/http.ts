import type { BoundedAnswer } from "../bounded-fetch.ts";
import { type Source, SourceFault } from "../domain/discovery/found.ts";
import { parseGroups, readGroups } from "../domain/discovery/targets.ts";
import { type Bounds, beginRead, get, jsonOf, type Read } from "./bounded-answer.ts";

/** As Prometheus asks: some services answer nothing else. */
const HEADERS = { accept: "application/json", "x-prometheus-refresh-interval-seconds": "30" };

/** A service in the format `http_sd` of Prometheus (behavior 28.55). @param url may have a user and a password */
export function createHttpSource(url: string, { bounds }: { bounds: Bounds }): Source {
  return {
    name: "http",
    async read(signal) {
      const answer = await follow(new URL(url), beginRead(signal, bounds));
      if (answer.status !== 200) throw new SourceFault(`it answered with ${answer.status}`);
      return readGroups("http", parseAnswer(jsonOf(answer)));
    },
    watch: () => ({ stop() {} }),
  };
}

function parseAnswer(value: unknown) {
  try {
    return parseGroups(value);
  } catch (error) {
    throw error instanceof SourceFault ? new SourceFault(`the answer: ${error.message}`) : error;
  }
}

const MAX_REDIRECTS = 5;

/** Another origin would get what the URL holds of secrets: its redirects are not followed. */
async function follow(url: URL, read: Read): Promise<BoundedAnswer> {
  let at = url;
  for (let count = 0; ; count++) {
    const answer = await get(at.href, read, { headers: HEADERS });
    const location = answer.status >= 300 && answer.status < 400 && answer.headers.get("location");
    if (!location) return answer;
    const next = URL.parse(location, at.href);
    if (next?.origin !== url.origin)
      throw new SourceFault("it redirects to another server: the settings must have the URL of the answer");
    if (count === MAX_REDIRECTS) throw new SourceFault(`it redirects more than ${MAX_REDIRECTS} times`);
    [next.username, next.password] = [url.username, url.password];
    at = next;
  }
}
