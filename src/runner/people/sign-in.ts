import type { Clock } from "../../clock.ts";
import { tooManyFault } from "../../domain/faults/fault.ts";
import { clientNetwork } from "../../domain/network/client-address.ts";
import { assertPassword, comparedPassword, type HashCost } from "../../domain/people/password.ts";
import { emailKey, type Method } from "../../domain/people/person.ts";
import { unauthorized } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { Applicant, FailedSignIn, Store } from "../../store/store.ts";
import { createRateLimit } from "../rate-limit.ts";
import list from "./common-passwords.bin" with { type: "file" };
import { createPasswords, type Passwords } from "./passwords.ts";

/** Judges the passwords of people. */
export interface SignIn {
  /** The hash of a new password. @throws AppError `invalid` for one that is refused (behavior 19.10) */
  hashNew(given: { email: string; password: string }): Promise<string>;
  /**
   * The person with this address and password. The answer and its time are the same whether or not the person exists.
   *
   * @throws AppError `too_many` after too many failures, and while too many others wait; `unauthorized`
   */
  judge(given: { email: string; password: string; address: string }): Promise<JudgedApplicant>;
  /**
   * Whether a known person has this password. What is limited are the failures at one place, so that failed sign-ins by strangers
   * don't keep the person out; but each failure counts as a failed sign-in too.
   *
   * @throws AppError `too_many`
   */
  confirm(given: Confirmation): Promise<boolean>;
  /** For the passwords of pages. */
  passwords: Pick<Passwords, "hash" | "verify">;
  /** Forgets the failures of a person. */
  forgive(person: { personId: string; email: string }): void;
  /** Notes a failed sign-in for the audit log. `judge` does it by itself. */
  noteFailure: FailedSignIns["note"];
  stop(): Promise<void>;
}

/** @property passwordHash of the password that was judged: by the time of the session the person may have another one */
interface JudgedApplicant extends Applicant {
  passwordHash: string;
}

/** @property place which only people reach who are signed in, or have an invitation */
interface Confirmation {
  personId: string;
  email: string;
  password: string;
  hash: string | null;
  place: string;
  address: string;
}

/** @property hashCost of passwords; by default `HASH_COST` */
interface SignInParts {
  store: Pick<Store, "people">;
  clock: Clock;
  log: Logger;
  hashCost?: HashCost | undefined;
}

export function createSignIn(parts: SignInParts): SignIn {
  const { store, clock, hashCost } = parts;
  const failures = createFailedSignIns(parts);
  const passwords = createPasswords(clock, hashCost && { cost: hashCost });
  const limit = createAttemptLimit(clock);
  const keysOf = (email: string, address: string) => [
    `email ${emailKey(email)}`,
    `address ${clientNetwork(address)}`,
  ];

  function begin(keys: readonly string[]): void {
    const wait = limit.begin(keys);
    if (wait > 0) throw tooManyFault("tooManyFailedSignIns", wait);
  }

  /** A password that could not be judged is no failure. */
  async function verify(keys: readonly string[], password: string, hash: string | null): Promise<boolean> {
    try {
      return await passwords.verify(password, hash);
    } catch (error) {
      limit.takeBack(keys);
      throw error;
    }
  }

  return {
    async hashNew({ email, password }) {
      const isCommon = await isCommonPassword(comparedPassword(password));
      assertPassword(password, { email, isCommon });
      return passwords.hash(password);
    },
    async judge({ email, password, address }) {
      const keys = keysOf(email, address);
      begin(keys);
      const applicant = await store.people.findApplicant(email);
      const passwordHash = applicant?.passwordHash ?? null;
      const isRight = await verify(keys, password, passwordHash);
      if (!isRight || !applicant || passwordHash === null || applicant.organizations.length === 0) {
        if (applicant) failures.note(applicant, "password");
        throw unauthorized();
      }
      limit.takeBack(keys);
      return { ...applicant, passwordHash };
    },
    async confirm({ personId, email, password, hash, place, address }) {
      const own = [`person ${personId} ${place}`];
      begin(own);
      const isRight = await verify(own, password, hash);
      if (isRight) limit.takeBack(own);
      else limit.count(keysOf(email, address));
      return isRight;
    },
    passwords,
    forgive({ personId, email }) {
      limit.forget(`email ${emailKey(email)}`);
      limit.forget(`person ${personId} own session`);
    },
    noteFailure: failures.note,
    async stop() {
      passwords.stop();
      await failures.stop();
    },
  };
}

/** Writes failed sign-ins of known people to the audit log (behavior 19.42). */
interface FailedSignIns {
  note(person: Pick<Applicant, "personId" | "organizations">, method: Method): void;
  /** Writes those that are not written yet. */
  stop(): Promise<void>;
}

/** Entries of an organization: at once, and then 96 a day, so that guesses can't fill the disk. */
const LIMIT = { burst: 100, perSecond: 1 / 900 };

/** Milliseconds. They are written together, and later: the time of an answer must not reveal whether somebody exists (behavior 19.22). */
const DELAY = 1000;

export function createFailedSignIns({
  store,
  clock,
  log,
}: {
  store: Pick<Store, "people">;
  clock: Clock;
  log: Logger;
}): FailedSignIns {
  const limit = createRateLimit({ ...LIMIT, clock });
  let waiting: FailedSignIn[] = [];
  let written = Promise.resolve();

  async function write(): Promise<void> {
    const failures = waiting;
    waiting = [];
    if (failures.length === 0) return;
    await store.people
      .recordFailures(failures)
      .catch((err) => log.error({ err }, "failed sign-ins could not be written to the audit log"));
  }

  return {
    note({ personId, organizations }, method) {
      const at = clock.now();
      const admitted = organizations.filter(({ id }) => limit.take(id) === 0);
      if (admitted.length === 0) return;
      if (waiting.length === 0)
        clock.after(DELAY, () => {
          written = write();
        });
      waiting.push(...admitted.map(({ id }) => ({ personId, organizationId: id, method, at })));
    },
    async stop() {
      await written;
      await write();
    },
  };
}

/** The length of a hash: another password has the same with a probability of one in 20 million. */
export const HASH_BYTES = 5;

const FEWEST = 12;

export function isLongEnough(password: string): boolean {
  return [...password].length >= FEWEST;
}

/** @param password in lower case */
export function hashOf(password: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(password).digest().subarray(0, HASH_BYTES);
}

let loaded: Promise<Buffer> | undefined;

/**
 * Whether a password is one of the most common of at least 12 characters: the 43,940 of the million most common in the leaks that
 * Mark Burnett collected (`scripts/common-passwords.ts`), or one of the kinds of which that list has only a part. The list is read when
 * it is first needed.
 *
 * @param password in lower case
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  if (isLongEnough(password) && isObvious(password)) return true;
  loaded ??= Bun.file(list)
    .arrayBuffer()
    .then((bytes) => Buffer.from(bytes));
  const hashes = await loaded;
  const wanted = hashOf(password);
  let [from, to] = [0, hashes.length / HASH_BYTES];
  while (from < to) {
    const middle = (from + to) >> 1;
    const at = middle * HASH_BYTES;
    const order = Buffer.compare(hashes.subarray(at, at + HASH_BYTES), wanted);
    if (order === 0) return true;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return false;
}

/** Words with which common passwords begin, in lower case. */
const WORDS = new Set(
  `abc abcd abcdef access account admin administrator adidas andrew angel anthony apple arsenal ashley asdf asdfg asdfgh asdfghjkl
  austin autumn banana barcelona baseball basketball batman bailey benjamin biteme blink butterfly buster carlos changeit changeme charlie
  cheese chelsea chocolate chris christian computer cookie corvette daniel david default demo dragon eagle family ferrari flower football
  forever freedom friday friends fuckyou ginger george google guest hannah harley hello helloworld hockey hunter iloveyou internet jack jackson
  james jasmine jennifer jessica jesus jordan joshua justin killer kitty letmein liverpool login london love loveme lovely maggie
  manchester master matrix matthew merlin michael michelle mickey monday monkey monster mustang mother music myspace naruto nicole nothing
  october orange pass passw passwd password passwords passwort passe motdepasse contrasena contrasenha senha parola heslo haslo salasana losenord
  wachtwoord pepper peanut pokemon princess purple qazwsx qazwsxedc qwer qwert qwerty qwertyui qwertyuiop azerty azertyuiop qwertz qwertzuiop
  rainbow ranger robert root samsung samantha secret secure security server shadow silver soccer sophie spiderman spring starwars steelers
  stillup summer sunday sunshine superman superstar system taylor temp temporary test tester testing thomas thunder tigger trustno trustnoone
  user welcome whatever william winter yankees zxcvbn zxcvbnm`.split(/\s+/),
);

const MAX_OBVIOUS = 32;

/** Characters that people write in place of letters. */
const LETTERS: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/**
 * Behavior 19.10: kinds of passwords of which lists have only a part. Up to 32 characters of which fewer than four differ, or a common word, also
 * several times and with letters as digits, with nothing around it but digits, signs and spaces.
 *
 * @param password in lower case
 */
function isObvious(password: string): boolean {
  if (password.length <= MAX_OBVIOUS && new Set(password).size < 4) return true;
  return [password, [...password].map((sign) => LETTERS[sign] ?? sign).join("")].some((text) => {
    // Digits and signs at the ends may be part of the word, or not.
    const [core = ""] = /\p{L}(?:.*\p{L})?/u.exec(text) ?? [];
    const [bare = ""] = /\p{L}(?:.*\p{L})?/u.exec(password) ?? [];
    const start = Math.max(0, password.indexOf(bare));
    const inner = text.slice(start, start + bare.length);
    return [core, inner].some((word) => WORDS.has(word) || isRepeated(word));
  });
}

/** Whether a text is one of the words several times. */
function isRepeated(text: string): boolean {
  const [, word = ""] = /^(\p{L}{3,}?)\1+$/u.exec(text) ?? [];
  return WORDS.has(word);
}

/** Limits failed sign-ins: at most some in any period, for each of several keys (behavior 19.21). */
interface AttemptLimit {
  /**
   * Counts an attempt before it is judged, so that many at once count too.
   *
   * @returns 0, or after how many seconds the next one is accepted; then it is not counted
   */
  begin(keys: readonly string[]): number;
  /** Counts a failure that was judged already, also above the limit. */
  count(keys: readonly string[]): void;
  /** The attempt was no failure after all. */
  takeBack(keys: readonly string[]): void;
  forget(key: string): void;
}

const MOST = 10;
const PERIOD = 15 * 60 * 1000;

/**
 * Above this number of keys, a key is dropped: the least recently used key if it counts no more, else a key with the fewest attempts. Many
 * new keys can't push out a key that somebody guesses at.
 */
const MAX_KEYS = 10_000;

export function createAttemptLimit(clock: Pick<Clock, "monotonic">): AttemptLimit {
  /** The times of attempts, the oldest first. */
  const times = new Map<string, number[]>();

  function recentOf(key: string, now: number): number[] {
    return (times.get(key) ?? []).filter((at) => at > now - PERIOD);
  }

  /** The keys with one attempt, with two, and so on, the least recently used first. */
  const byCount = Array.from({ length: MOST }, () => new Set<string>());

  /** @param used the key that was used now, which stays */
  function drop(used: string, now: number): void {
    const [oldest = used] = times.keys();
    const isOver = recentOf(oldest, now).length === 0;
    const others = byCount.values().flatMap((keys) => keys.values().filter((key) => key !== used));
    forget(isOver ? oldest : (others.next().value ?? oldest));
  }

  function forget(key: string): void {
    times.delete(key);
    for (const keys of byCount) keys.delete(key);
  }

  function save(key: string, recent: number[], now: number): void {
    // A key moves to the end when it is used.
    times.delete(key);
    if (recent.length > 0) times.set(key, recent);
    for (const keys of byCount) keys.delete(key);
    if (recent.length > 0) byCount[recent.length - 1]?.add(key);
    if (times.size > MAX_KEYS) drop(key, now);
  }

  return {
    begin(keys) {
      const now = clock.monotonic();
      const waits = keys.map((key) => {
        const recent = recentOf(key, now);
        const [oldest = now] = recent;
        return recent.length < MOST ? 0 : oldest + PERIOD - now;
      });
      const wait = Math.max(...waits);
      if (wait > 0) return Math.ceil(wait / 1000);
      for (const key of keys) save(key, [...recentOf(key, now), now], now);
      return 0;
    },
    count(keys) {
      const now = clock.monotonic();
      for (const key of keys) save(key, [...recentOf(key, now), now].slice(-MOST), now);
    },
    takeBack(keys) {
      const now = clock.monotonic();
      for (const key of keys) save(key, recentOf(key, now).slice(0, -1), now);
    },
    forget,
  };
}
