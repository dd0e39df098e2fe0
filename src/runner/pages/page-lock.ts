import type { Clock } from "../../clock.ts";
import { DAY } from "../../domain/duration.ts";
import { clientNetwork } from "../../domain/network/client-address.ts";
import { isPagePassword, type PasswordHash, type SealPassword } from "../../domain/pages/page-password.ts";
import { tooMany } from "../../errors.ts";
import { assertFewWaiting, type Passwords } from "../people/passwords.ts";
import { createAttemptLimit } from "../people/sign-in-limit.ts";

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
