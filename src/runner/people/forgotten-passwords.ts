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
import type { LinkMails } from "./link-mails.ts";

/** Sends links to people who forgot their password (behavior 19.17). */
export interface ForgottenPasswords {
  /** Returns before anything is looked up, so that its time is the same for every address. @throws AppError `too_many` */
  request(given: { email: string; address: string }): void;
}

const HOUR = 60 * 60;

/** Requests of one client: many people may share an address. */
const OF_CLIENT = { burst: 20, perSecond: 20 / HOUR };

/** Requests for one e-mail address, known or not. */
const OF_EMAIL = { burst: 3, perSecond: 3 / HOUR };

/** The sender of all these mails: see `LinkMails`. */
const SENDER = "forgotten passwords";

export function createForgottenPasswords({
  store,
  clock,
  log,
  delivery,
  baseUrl,
  mails,
}: {
  store: Pick<Store, "people">;
  clock: Clock;
  log: Logger;
  delivery: DeliverySettings;
  baseUrl: () => string;
  mails: Pick<LinkMails, "add">;
}): ForgottenPasswords {
  const ofClient = createRateLimit({ ...OF_CLIENT, clock });
  const ofEmail = createRateLimit({ ...OF_EMAIL, clock });

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
      mails.add(SENDER, () => send(email));
    },
  };
}
