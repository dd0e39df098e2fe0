import type { Clock } from "../../clock.ts";
import { isSlug } from "../../domain/pages/page-address.ts";
import type { PublicPage } from "../../domain/pages/public-page.ts";
import { StorageFault } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { Store } from "../../store/store.ts";
import { createFaultLog } from "../fault-log.ts";
import { type CachedPage, createPageCache } from "./page-cache.ts";
import { createPageReader } from "./page-reader.ts";

/** The public pages, as everybody sees them. Without requests it does nothing, and it never writes (behavior 15.32 to 15.35). */
export interface PublicPages {
  /**
   * While nothing changes, it returns the identical object, so that what is rendered from it can be kept in a `WeakMap`. It knows
   * each write that was acknowledged half a second ago. If the database does not answer, it returns the last known page.
   *
   * @returns null if no page with this slug is public
   * @throws StorageFault if the page is not known, and the database does not answer within 5 seconds
   */
  find(slug: string): Promise<PublicPage | null>;
}

/** For how long an answer is returned without asking the database, in milliseconds. */
const CONFIRMED_FOR = 500;

/** How long requests wait for the database if there is a last known page to return, in milliseconds. */
const TIMEOUT = 1000;

/** The same for the first requests of a page: its whole history is read, which a busy machine may need seconds for. */
const FIRST_TIMEOUT = 5000;

export function createPublicPages({
  store,
  clock,
  log,
}: {
  store: Pick<Store, "pages" | "changes">;
  clock: Pick<Clock, "now" | "monotonic" | "after">;
  log: Logger;
}): PublicPages {
  const reader = createPageReader({ store, clock });
  const pages = createPageCache();
  const refreshes = createFaultLog(log, "public pages can't be read: the last known ones are shown");

  async function refresh(slug: string, kept: CachedPage): Promise<void> {
    // Commits after this moment may be missing.
    const askedAt = clock.monotonic();
    try {
      kept.read = await reader.read(slug, kept.read);
      kept.confirmedAt = askedAt;
      pages.keep(slug, kept);
      refreshes.succeeded();
    } catch (error) {
      refreshes.failed(error);
      throw error;
    } finally {
      kept.refresh = undefined;
    }
  }

  /** All requests wait for the same refresh. After it took too long, no request waits for it. */
  function awaitRefresh(slug: string, kept: CachedPage): Promise<void> {
    const ms = kept.read === undefined ? FIRST_TIMEOUT : TIMEOUT;
    kept.refresh ??= withTimeout(() => refresh(slug, kept), { clock, ms });
    return kept.refresh;
  }

  async function askDatabase(slug: string): Promise<PublicPage | null> {
    const kept = pages.find(slug) ?? { read: undefined, confirmedAt: -CONFIRMED_FOR, refresh: undefined };
    pages.keep(slug, kept);
    try {
      await awaitRefresh(slug, kept);
    } catch (error) {
      if (!kept.read) throw error instanceof StorageFault ? error : new StorageFault(error);
    }
    return kept.read?.page ?? null;
  }

  return {
    async find(slug) {
      const kept = pages.find(slug);
      if (kept?.read !== undefined && clock.monotonic() - kept.confirmedAt < CONFIRMED_FOR)
        return kept.read?.page ?? null;
      return isSlug(slug) ? askDatabase(slug) : null;
    },
  };
}

/** @throws StorageFault if the work, which goes on, takes too long */
function withTimeout(
  work: () => Promise<void>,
  { clock, ms }: { clock: Pick<Clock, "after">; ms: number },
): Promise<void> {
  const late = Promise.withResolvers<never>();
  const cancel = clock.after(ms, () =>
    late.reject(new StorageFault(new Error(`the database did not answer within ${ms} ms`))),
  );
  const working = work().finally(cancel);
  // A refresh that no request waits for may fail later.
  working.catch(() => {});
  return Promise.race([working, late.promise]);
}
