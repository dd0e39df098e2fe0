import { type InviteMail, sendInviteMail, sendPasswordMail } from "../../alerts/account-mails.ts";
import type { DeliverySettings } from "../../alerts/post.ts";
import type { Clock } from "../../clock.ts";
import { lacksDescriptors } from "../../descriptors.ts";
import { DAY } from "../../domain/duration.ts";
import { tooManyFault } from "../../domain/faults/fault.ts";
import { clientNetwork } from "../../domain/network/client-address.ts";
import type { Language } from "../../domain/pages/reader-locale.ts";
import { emailKey, inviteEnd } from "../../domain/people/person.ts";
import type { Logger } from "../../log.ts";
import { createPersonToken } from "../../store/ids.ts";
import type { Store } from "../../store/store.ts";
import { createRateLimit } from "../rate-limit.ts";

/**
 * The queue of all e-mails with links for people: invitations, and links for a new password. They are sent one at a time, so that a
 * mail server that hangs holds one connection, however many mails wait.
 */
interface LinkMails {
  /**
   * Sends a mail in its turn. The senders take turns, so that many mails of one sender do not delay the mails of others.
   *
   * @param sender an organization, or one name for all forgotten passwords
   * @returns false if too many mails of the sender wait: then it is not sent
   */
  add(sender: string, send: () => Promise<void>): boolean;
  /** Waits for the mail that is being sent. Mails that wait are dropped. */
  stop(): Promise<void>;
}

/** Milliseconds from the first mail to the work for all: the load of a look-up must not reveal whose request caused it (behavior 19.17). */
const DELAY = 1000;

/** Mails of one sender that wait. */
const MAX_WAITING = 1000;

/** Milliseconds until the next look for free descriptors. */
const LOOK_AGAIN_AFTER = 1000;

export function createLinkMails({
  clock,
  log,
  isShort = lacksDescriptors,
}: {
  clock: Clock;
  log: Logger;
  isShort?: () => boolean;
}): LinkMails {
  /** By sender, the next one first. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let isSending = false;
  let isStopped = false;
  let current = Promise.resolve();

  function next(): (() => Promise<void>) | undefined {
    const [first] = waiting;
    if (!first || isStopped) return undefined;
    const [sender, [send, ...others]] = first;
    waiting.delete(sender);
    if (others.length > 0) waiting.set(sender, others);
    return send;
  }

  async function sendAll(): Promise<void> {
    for (let send = next(); send; send = next()) {
      // A mail needs a connection, and checks and clients come first.
      while (isShort() && !isStopped) await clock.sleep(LOOK_AGAIN_AFTER);
      await send().catch((err) => log.error({ err }, "an e-mail with a link could not be sent"));
    }
    isSending = false;
  }

  return {
    add(sender, send) {
      const own = waiting.get(sender) ?? [];
      if (own.length >= MAX_WAITING) return false;
      waiting.set(sender, [...own, send]);
      if (!isSending) {
        isSending = true;
        clock.after(DELAY, () => {
          current = sendAll();
        });
      }
      return true;
    },
    async stop() {
      isStopped = true;
      waiting.clear();
      await current;
    },
  };
}

/** Sends invitations by e-mail (behavior 19.3). */
export interface InviteMails {
  /** In the background: the answer to whoever invites has the URL too. Without a mail server, and above the limit, nothing is sent. */
  send(
    invite: Omit<InviteMail, "organization" | "expiresAt" | "language"> & { organizationId: string },
  ): void;
}

/** Invitations of an organization for one address. */
const OF_ADDRESS = { burst: 3, perSecond: (3 * 1000) / DAY };

export function createInviteMails({
  store,
  clock,
  log,
  delivery,
  mails,
}: {
  store: Pick<Store, "organizations">;
  clock: Clock;
  log: Logger;
  delivery: DeliverySettings;
  mails: LinkMails;
}): InviteMails {
  const limit = createRateLimit({ ...OF_ADDRESS, clock });
  return {
    send({ organizationId, ...invite }) {
      const { to } = invite;
      if (!delivery.smtp) return;
      if (limit.take(`${organizationId} ${emailKey(to)}`) > 0) {
        log.info(
          { organizationId },
          "an invitation was not sent by e-mail: three a day for one address were",
        );
        return;
      }
      const expiresAt = inviteEnd("invite", clock.now());
      const isAdded = mails.add(organizationId, async () => {
        const { name, language } = await store.organizations.findSettings(organizationId);
        const mail = { ...invite, organization: name, language, expiresAt };
        const sent = await sendInviteMail(mail, delivery, clock.now());
        if (sent.outcome === "failed")
          log.warn({ error: sent.error }, "an invitation could not be sent by e-mail");
      });
      if (!isAdded) log.warn({ organizationId }, "an invitation was not sent by e-mail: too many wait");
    },
  };
}

/** Sends links to people who forgot their password (behavior 19.17). */
export interface ForgottenPasswords {
  /** Returns before anything is looked up, so that its time is the same for every address. @throws AppError `too_many` */
  request(given: ForgottenPassword & { address: string }): void;
}

/** @property language that the browser asks for; null if it asks for no language that we have */
interface ForgottenPassword {
  email: string;
  language: Language | null;
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

  async function send({ email, language: asked }: ForgottenPassword): Promise<void> {
    const token = createPersonToken();
    const person = await store.people.createLinkFor({ email, token }, clock.now());
    if (!person) return;
    const language = person.language ?? asked ?? person.organizationLanguage;
    const mail = { to: person.email, url: `${baseUrl()}/invite/${token}`, language };
    const sent = await sendPasswordMail(mail, delivery, clock.now());
    const { id } = person;
    if (sent.outcome === "failed")
      log.warn({ person: id, error: sent.error }, "a link for a new password could not be sent");
    else log.info({ person: id }, "a link for a new password was sent");
  }

  return {
    request({ address, ...given }) {
      const { email } = given;
      const wait = ofClient.take(clientNetwork(address)) || ofEmail.take(emailKey(email));
      if (wait > 0) throw tooManyFault("tooManyPasswordRequests", wait);
      mails.add(SENDER, () => send(given));
    },
  };
}
