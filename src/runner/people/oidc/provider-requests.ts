import type { CustomFetch } from "openid-client";
import { type BoundedAnswer, fetchBounded } from "../../../bounded-fetch.ts";
import type { Clock } from "../../../clock.ts";
import { lacksDescriptorsForThread } from "../../../descriptors.ts";

/** The provider does not answer, not in time, or with too much. */
export class ProviderAway extends Error {
  override readonly name = "ProviderAway";
}

/** The requests of one step of a sign-in, which share a time limit (behavior 19.63). */
export interface ProviderRequests extends Disposable {
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
