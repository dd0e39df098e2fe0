import type { Clock } from "../../clock.ts";
import type { Method } from "../../domain/people/person.ts";
import type { Logger } from "../../log.ts";
import type { Applicant, FailedSignIn, Store } from "../../store/store.ts";
import { createRateLimit } from "../rate-limit.ts";

/** Writes failed sign-ins of known people to the audit log (behavior 19.42). */
export interface FailedSignIns {
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
