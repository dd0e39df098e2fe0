import type { Clock } from "../../clock.ts";
import { clientNetwork } from "../../domain/network/client-address.ts";
import { assertPassword, comparedPassword } from "../../domain/people/password.ts";
import { emailKey } from "../../domain/people/person.ts";
import { tooMany, unauthorized } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { Applicant, Store } from "../../store/store.ts";
import { createAttemptLimit } from "./attempt-limit.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { createFailedSignIns, type FailedSignIns } from "./failed-sign-ins.ts";
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

export function createSignIn(parts: { store: Pick<Store, "people">; clock: Clock; log: Logger }): SignIn {
  const { store, clock } = parts;
  const failures = createFailedSignIns(parts);
  const passwords = createPasswords(clock);
  const limit = createAttemptLimit(clock);
  const keysOf = (email: string, address: string) => [
    `email ${emailKey(email)}`,
    `address ${clientNetwork(address)}`,
  ];

  function begin(keys: readonly string[]): void {
    const wait = limit.begin(keys);
    if (wait > 0) throw tooMany("failed sign-ins", wait);
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
