import type { CustomFetch } from "openid-client";
import type { Clock } from "../../../clock.ts";
import { lacksDescriptorsForThread } from "../../../descriptors.ts";

/** The provider does not answer, or not in time. */
export class ProviderAway extends Error {
  override readonly name = "ProviderAway";
}

/** The requests of one step of a sign-in, which share a time limit (behavior 19.63). */
export interface ProviderRequests extends Disposable {
  fetch: CustomFetch;
}

/** Milliseconds for all requests of a step: it must answer within 10 seconds. */
const PATIENCE = 9000;

export function createProviderRequests(clock: Pick<Clock, "after">): ProviderRequests {
  const abort = new AbortController();
  const cancel = clock.after(PATIENCE, () =>
    abort.abort(new ProviderAway(`no answer within ${PATIENCE / 1000} s`)),
  );
  return {
    async fetch(url, { body = null, signal: _, ...options }) {
      try {
        if (lacksDescriptorsForThread()) throw new Error("too few file descriptors are free");
        // The tests of the page know other types of bodies.
        const response = await fetch(url, { ...options, body, signal: abort.signal } as RequestInit);
        // Read here, because the limit is for the whole body.
        const content = await response.arrayBuffer();
        const { status, headers } = response;
        if (status >= 500) throw new Error(`it answered ${status}`);
        return new Response(content.byteLength === 0 ? null : content, { status, headers });
      } catch (error) {
        throw new ProviderAway(`${new URL(url).host}: ${(error as Error).message}`, { cause: error });
      }
    },
    [Symbol.dispose]: cancel,
  };
}
