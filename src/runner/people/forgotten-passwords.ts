import type { DeliverySettings } from "../../alerts/delivery-settings.ts";
import { sendPasswordMail } from "../../alerts/password-mail.ts";
import type { Clock } from "../../clock.ts";
import { clientNetwork } from "../../domain/network/client-address.ts";
import { emailKey } from "../../domain/people/person.ts";
import { tooMany } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import { createPersonToken } from "../../store/ids.ts";
import type { Store } from "../../store/store.ts";
import { createRateLimit } from "../rate-limit.ts";

/** Sends links to people who forgot their password (behavior 19.17). */
export interface ForgottenPasswords {
  /** Returns before anything is looked up, so that its time is the same for every address. @throws AppError `too_many` */
  request(given: { email: string; address: string }): void;
  /** Waits for the mails that are being sent. Requests that wait are dropped: people ask again. */
  stop(): Promise<void>;
}

const HOUR = 60 * 60;

/** Requests of one client: many people may share an address. */
const OF_CLIENT = { burst: 20, perSecond: 20 / HOUR };

/** Requests for one e-mail address, known or not. */
const OF_EMAIL = { burst: 3, perSecond: 3 / HOUR };

/** Milliseconds from the first request to the look-up of all: the load of a look-up must not reveal whose request caused it. */
const DELAY = 1000;

/** Requests that wait. Above this number, the others are dropped. */
const MAX_WAITING = 1000;

export function createForgottenPasswords({
  store,
  clock,
  log,
  delivery,
  baseUrl,
}: {
  store: Pick<Store, "people">;
  clock: Clock;
  log: Logger;
  delivery: DeliverySettings;
  baseUrl: () => string;
}): ForgottenPasswords {
  const ofClient = createRateLimit({ ...OF_CLIENT, clock });
  const ofEmail = createRateLimit({ ...OF_EMAIL, clock });
  let waiting: string[] = [];
  let isSending = false;
  let isStopped = false;
  let current = Promise.resolve();

  async function sendAll(): Promise<void> {
    for (let email = waiting.shift(); email !== undefined && !isStopped; email = waiting.shift())
      await send(email).catch((err) => log.error({ err }, "a link for a new password could not be sent"));
    isSending = false;
  }

  async function send(email: string): Promise<void> {
    const token = createPersonToken();
    const person = await store.people.createLinkFor({ email, token }, clock.now());
    if (!person) return;
    const mail = { to: person.email, url: `${baseUrl()}/invite/${token}` };
    const sent = await sendPasswordMail(mail, delivery, clock.now());
    const { id } = person;
    if (sent.outcome === "failed")
      log.warn({ person: id, error: sent.error }, "a link for a new password could not be sent");
    else log.info({ person: id }, "a link for a new password was sent");
  }

  return {
    request({ email, address }) {
      const wait = ofClient.take(clientNetwork(address)) || ofEmail.take(emailKey(email));
      if (wait > 0) throw tooMany("requests for a new password", wait);
      if (waiting.length >= MAX_WAITING) return;
      waiting.push(email);
      if (isSending) return;
      isSending = true;
      clock.after(DELAY, () => {
        current = sendAll();
      });
    },
    async stop() {
      isStopped = true;
      waiting = [];
      await current;
    },
  };
}
