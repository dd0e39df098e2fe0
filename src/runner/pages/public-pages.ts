import type { Clock } from "../../clock.ts";
import { DAY } from "../../domain/duration.ts";
import { clientNetwork } from "../../domain/network/client-address.ts";
import { isSlug } from "../../domain/pages/page-look.ts";
import { isPagePassword, type PasswordHash, type SealPassword } from "../../domain/pages/page-password.ts";
import type { PublicPage } from "../../domain/pages/public-page.ts";
import { type PublicMonth, type ShownPage, showMonth, showPage } from "../../domain/pages/show-page.ts";
import { StorageFault, tooMany } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { Store } from "../../store/store.ts";
import { createFaultLog } from "../loop.ts";
import { assertFewWaiting, type Passwords } from "../people/passwords.ts";
import { createAttemptLimit } from "../people/sign-in.ts";
import { type KeptHistory, readSettledHistory } from "./settled-history.ts";

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
  /**
   * The incidents and windows of a month, read once for each version of a page.
   *
   * @param page as `find` returned it @throws StorageFault if the database does not answer
   */
  findMonth(page: PublicPage, month: { since: number; until: number }): Promise<PublicMonth>;
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

  const months = new WeakMap<PublicPage, Map<number, Promise<PublicMonth>>>();

  return {
    findMonth(page, month) {
      const known = months.get(page) ?? new Map<number, Promise<PublicMonth>>();
      months.set(page, known);
      const reading = known.get(month.since) ?? reader.readMonth(page, month);
      known.set(month.since, reading);
      reading.catch(() => known.delete(month.since));
      return reading;
    },
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

/** The cached page with one slug. */
export interface CachedPage {
  /** Null if there is no public page; undefined until the first answer of the database. */
  read: ReadPage | null | undefined;
  /** When the database was last asked with success, by the monotonic clock. */
  confirmedAt: number;
  /** Rejects if the database does not answer in time. Undefined while it is not asked. */
  refresh: Promise<void> | undefined;
}

/** The pages that are kept in memory; those that were refreshed last stay. */
interface PageCache {
  find(slug: string): CachedPage | undefined;
  /** Adds it, or makes it the last one that was refreshed. */
  keep(slug: string, kept: CachedPage): void;
}

const MAX_PAGES = 1000;

/** Slugs without a public page. They need little memory, but anybody may ask for any. */
const MAX_UNKNOWN = 10_000;

export function createPageCache(): PageCache {
  const pages = new Map<string, CachedPage>();
  const unknown = new Map<string, CachedPage>();
  return {
    find: (slug) => pages.get(slug) ?? unknown.get(slug),
    keep(slug, kept) {
      pages.delete(slug);
      unknown.delete(slug);
      if (kept.read) add(pages, slug, { kept, most: MAX_PAGES });
      else add(unknown, slug, { kept, most: MAX_UNKNOWN });
    },
  };
}

function add(
  all: Map<string, CachedPage>,
  slug: string,
  { kept, most }: { kept: CachedPage; most: number },
): void {
  all.set(slug, kept);
  // A `Map` keeps the order of the additions.
  for (const oldest of all.keys()) {
    if (all.size <= most) return;
    all.delete(oldest);
  }
}

/** @property readAt milliseconds since 1970 */
interface ReadPage extends ShownPage {
  marker: string;
  history: KeptHistory;
  readAt: number;
}

interface PageReader {
  /**
   * Reads a page, or only its marker if the known page is still right. A page that is equal to the known page is the same object.
   *
   * @returns null if no page with this slug is public
   */
  read(slug: string, known: ReadPage | null | undefined): Promise<ReadPage | null>;
  readMonth(page: PublicPage, month: { since: number; until: number }): Promise<PublicMonth>;
}

/** Pages are read one at a time, so that others do not wait for many at once. */
function createPageReader({
  store,
  clock,
}: {
  store: Pick<Store, "pages" | "changes">;
  clock: Pick<Clock, "now" | "monotonic">;
}): PageReader {
  const lookup = createMarkerLookup({ store, clock });
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  }

  async function readAll(
    slug: string,
    known: ReadPage | null | undefined,
  ): Promise<Omit<ReadPage, "marker"> | null> {
    const now = clock.now();
    const facts = await store.pages.readFacts(slug, now);
    if (!facts) return null;
    const history = await readSettledHistory(store, facts, { known: known?.history, now });
    const { page, validUntil } = showPage(facts, history, now);
    const isEqual = known && Bun.deepEquals(known.page, page, true);
    return { page: isEqual ? known.page : page, validUntil, history, readAt: now };
  }

  return {
    async read(slug, known) {
      const marker = await lookup.find(slug);
      if (marker === undefined) return null;
      if (known?.marker === marker && isValid(known, clock.now())) return known;
      const read = await inTurn(() => readAll(slug, known));
      return read && { ...read, marker };
    },
    readMonth: (page, { since, until }) =>
      inTurn(async () => {
        const now = clock.now();
        const facts = await store.pages.readMonth(page.slug, { since, until }, now);
        return facts ? showMonth(facts, { since, until }, now) : { incidents: [], maintenances: [] };
      }),
  };
}

/** The clock may have been set back. */
function isValid({ readAt, validUntil }: ReadPage, now: number): boolean {
  return readAt <= now && now < validUntil;
}

/** Looks for the markers of pages: one query at a time, which looks for all slugs that wait. */
interface MarkerLookup {
  /** @returns undefined if no page with this slug is public */
  find(slug: string): Promise<string | undefined>;
}

type Lookup = PromiseWithResolvers<string | undefined>;

const MAX_AT_ONCE = 200;

/** After an error the database is not asked for this time, in milliseconds. */
const REST_AFTER_ERROR = 200;

function createMarkerLookup({
  store,
  clock,
}: {
  store: Pick<Store, "pages">;
  clock: Pick<Clock, "monotonic">;
}): MarkerLookup {
  const waiting = new Map<string, Lookup>();
  let isLooking = false;
  let failure: { error: unknown; until: number } | undefined;

  async function look(): Promise<void> {
    isLooking = true;
    while (waiting.size > 0) await answer(takeSome());
    isLooking = false;
  }

  function takeSome(): Map<string, Lookup> {
    const some = new Map([...waiting].slice(0, MAX_AT_ONCE));
    for (const slug of some.keys()) waiting.delete(slug);
    return some;
  }

  async function answer(asked: Map<string, Lookup>): Promise<void> {
    try {
      if (failure && clock.monotonic() < failure.until) throw failure.error;
      const markers = await store.pages.findMarkers([...asked.keys()]);
      for (const [slug, { resolve }] of asked) resolve(markers.get(slug));
    } catch (error) {
      if (failure?.error !== error) failure = { error, until: clock.monotonic() + REST_AFTER_ERROR };
      for (const { reject } of asked.values()) reject(error);
    }
  }

  return {
    find(slug) {
      const one = waiting.get(slug) ?? Promise.withResolvers<string | undefined>();
      waiting.set(slug, one);
      if (!isLooking) void look();
      return one.promise;
    },
  };
}

/** A page that needs a password. */
export interface LockedPage {
  id: string;
  passwordHash: PasswordHash;
}

/** Judges the passwords of public pages and their cookies (behavior 21.34 to 21.40). */
export interface PageLock {
  /** Hashes a new password on the threads for passwords. */
  seal: SealPassword;
  /**
   * Whether a password is right.
   *
   * @throws AppError `too_many` after too many wrong ones from this address, for any pages, and while too many others wait
   */
  judge(page: LockedPage, given: { password: string; address: string }): Promise<boolean>;
  /** A pass for a page, which is valid at all nodes until it ends or the password changes. */
  issue(page: LockedPage): string;
  /** Whether a pass is for this page, and valid. */
  accepts(page: LockedPage, pass: string): boolean;
}

/** How long a pass is valid, in milliseconds. */
export const PASS_LENGTH = 30 * DAY;

/** The queue of all hashes: no network has this name. */
const HASHES = "hashes";

/** Right passwords of Basic authentication, which comes with each request. */
const MAX_REMEMBERED = 1000;

export function createPageLock({
  clock,
  passwords,
}: {
  clock: Pick<Clock, "now" | "monotonic">;
  passwords: Pick<Passwords, "hash" | "verify">;
}): PageLock {
  const limit = createAttemptLimit(clock);
  /** The passwords that are being judged, so that many requests at once from many addresses cost one hash. */
  const judging = new Map<string, Promise<boolean>>();
  const remembered = new Set<string>();
  /** The end of the latest work of each network, and of the latest hash. */
  const last = new Map<string, Promise<unknown>>();

  function remember(key: string): void {
    remembered.add(key);
    const [first] = remembered;
    if (remembered.size > MAX_REMEMBERED && first !== undefined) remembered.delete(first);
  }

  async function verify(key: string, password: string, hash: PasswordHash): Promise<boolean> {
    // One at a time, so that guesses from many addresses do not delay sign-ins, which share the threads.
    const known = judging.get(key);
    if (!known) assertFewWaiting(judging.size);
    const running = known ?? inTurn(HASHES, () => passwords.verify(password, hash));
    judging.set(key, running);
    const isRight = await running.finally(() => judging.delete(key));
    if (isRight) remember(key);
    return isRight;
  }

  /** Begins work when the previous work of its queue has ended. */
  function inTurn(queue: string, work: () => Promise<boolean>): Promise<boolean> {
    const next = (last.get(queue) ?? Promise.resolve()).then(work);
    const settled = next.catch(() => {});
    last.set(queue, settled);
    void settled.then(() => last.get(queue) === settled && last.delete(queue));
    return next;
  }

  return {
    async seal(password, stored) {
      if (stored !== null && (await passwords.verify(password, stored))) return stored;
      return (await passwords.hash(password)) as PasswordHash;
    },
    judge({ passwordHash }, { password, address }) {
      const network = clientNetwork(address);
      // In turn, so that no password counts as wrong while it is judged.
      return inTurn(network, async () => {
        const wait = limit.begin([network]);
        if (wait > 0) throw tooMany("wrong passwords", wait);
        const key = digest(passwordHash, password);
        let isWrong = false;
        try {
          const isRight =
            remembered.has(key) || (isPagePassword(password) && (await verify(key, password, passwordHash)));
          isWrong = !isRight;
          return isRight;
        } finally {
          // After a fault of this server too.
          if (!isWrong) limit.takeBack([network]);
        }
      });
    },
    issue(page) {
      const end = String(clock.now() + PASS_LENGTH);
      return `${end}.${signature(page, end)}`;
    },
    accepts(page, pass) {
      const [end = "", sent = ""] = pass.split(".");
      if (!/^\d{1,16}$/.test(end) || Number(end) <= clock.now()) return false;
      const [given, right] = [Buffer.from(sent), Buffer.from(signature(page, end))];
      return given.length === right.length && crypto.timingSafeEqual(given, right);
    },
  };
}

/** The hash is the key: its salt is known to the servers only, and another password has another one. */
function signature({ id, passwordHash }: LockedPage, end: string): string {
  return hmac(passwordHash, `pass ${id} ${end}`);
}

function digest(hash: PasswordHash, password: string): string {
  return hmac(hash, `password ${password}`);
}

function hmac(key: string, text: string): string {
  return new Bun.CryptoHasher("sha256", key).update(text).digest("base64url");
}
