import { sendMail } from "../../alerts/mail.ts";
import type { DeliverySettings } from "../../alerts/post.ts";
import type { Clock } from "../../clock.ts";
import { type DeliveryAttempt, nextAttemptAt } from "../../domain/alerts/delivery.ts";
import { readerOf, readerOfLocale } from "../../domain/pages/reader-locale.ts";
import { decideMail, type SentNotices } from "../../domain/pages/subscription.ts";
import { oneLine } from "../../domain/truncate.ts";
import type { Logger } from "../../log.ts";
import { type Localization, localizationOf } from "../../status-page/localization.ts";
import { pageMail } from "../../status-page/mails/page-mail.ts";
import type { Claimant, DueMail, MailOutcome, Store } from "../../store/store.ts";
import { createFaultLog, createLoop, createWorkClaim, type Loop } from "../loop.ts";
import { createRateLimit } from "../rate-limit.ts";

const SCAN_EVERY = 1000;

/** Concurrent attempts. */
const MAX_ATTEMPTS = 4;

/** E-mails that are listed at once. */
const BATCH = 40;

/** Only one node sends at a time: how long its claim lasts, in milliseconds. It is longer than an attempt. */
const LEASE = 30_000;

/** Milliseconds until the outcome of an attempt is stored again, if it could not be. */
const RECORD_AGAIN = 1000;

/** Sends the e-mails to subscribers of public pages: of each subscriber in order (behavior 15.83). */
export interface MailSender {
  start(): void;
  /** Sends before the next second, for example after a request for a subscription. */
  wake(): void;
  /** Starts no more attempts and waits for the running ones. @param timeout milliseconds */
  stop(timeout: number): Promise<void>;
}

export function createMailSender({
  store,
  clock,
  claimant,
  log,
  settings,
  urlOf,
  isOffline = () => false,
}: {
  store: Pick<Store, "pageMails" | "claims">;
  clock: Clock;
  claimant: () => Claimant;
  log: Logger;
  settings: DeliverySettings;
  /** The URL of the page of a slug. */
  urlOf: (slug: string) => string;
  /** Whether the network of this machine is offline: a repetition would use up one of the attempts (behavior 13.57). */
  isOffline?: () => boolean;
}): MailSender {
  const claim = createWorkClaim("page mails", { store, clock, claimant, lease: LEASE });
  const faults = createFaultLog(log, "e-mails to subscribers could not be sent");
  const loop: Loop = createLoop({
    clock,
    every: SCAN_EVERY,
    onTick: () => loop.wake(),
    task: sendAll,
    faults,
  });

  async function sendAll(): Promise<void> {
    while (!loop.isStopped()) {
      const due = await store.pageMails.listDue({ now: clock.now(), limit: BATCH });
      const wanted = due.filter(({ attempts }) => attempts === 0 || !isOffline());
      if (wanted.length === 0 || !(await claim.take())) return;
      const lanes = Array.from({ length: MAX_ATTEMPTS }, () => sendInTurn(wanted));
      // All end before the next list, which must not contain what is being sent.
      await Promise.allSettled(lanes);
      await Promise.all(lanes);
    }
  }

  /** @param waiting shared with others, who take from it too */
  async function sendInTurn(waiting: DueMail[]): Promise<void> {
    for (let next = waiting.shift(); next && !loop.isStopped(); next = waiting.shift()) {
      if (!(await claim.take())) return;
      const mail = await store.pageMails.find(next.pk);
      // Sent by another node, or unsubscribed.
      if (mail && mail.attempts === next.attempts) await record(await outcomeOf(mail));
    }
  }

  async function outcomeOf(mail: DueMail): Promise<MailOutcome> {
    const { pk, attempts } = mail;
    const decision = decideMail(mail, clock.now());
    if (!decision.send) return { pk, attempts, outcome: "dropped" };
    const attempt = await tryToSend(mail, decision.isLast);
    if (attempt.outcome === "delivered") return sent(mail, decision.counts);
    const next = nextAttemptAt(attempt, attempts + 1, clock.now());
    const fields = { mail: mail.id, attempt: attempts + 1, error: attempt.error };
    if (next !== null) {
      log.warn(fields, "an e-mail to a subscriber failed");
      return { pk, attempts, outcome: "retried", nextAttemptAt: next };
    }
    log.warn(fields, "an e-mail to a subscriber failed, and is not tried again");
    return { pk, attempts, outcome: "dropped" };
  }

  function sent({ pk, attempts, id, subscriber }: DueMail, counts: SentNotices | null): MailOutcome {
    log.debug({ mail: id, attempt: attempts + 1 }, "an e-mail to a subscriber was sent");
    return { pk, attempts, outcome: "sent", subscriberPk: subscriber.pk, counts };
  }

  /** A fault of this machine is a failed attempt too, so that it does not block the subscriber for ever. */
  async function tryToSend(mail: DueMail, isLast: boolean): Promise<DeliveryAttempt> {
    try {
      return await deliverPageMail({ ...mail, isLast, pageUrl: urlOf(mail.page.slug) }, settings);
    } catch (error) {
      log.error({ err: error, mail: mail.id }, "an e-mail to a subscriber could not be made");
      return { outcome: "failed", error: "an internal error of this server", final: false };
    }
  }

  /** A sent e-mail must not be sent again because the database was unreachable for a moment. */
  async function record(outcome: MailOutcome): Promise<void> {
    for (;;) {
      try {
        return await store.pageMails.record(outcome);
      } catch (error) {
        faults.failed(error);
        if (loop.isStopped()) return;
        await clock.sleep(RECORD_AGAIN);
      }
    }
  }

  return {
    start() {
      loop.start();
      loop.wake();
    },
    wake: loop.wake,
    stop: (timeout) => Promise.race([loop.stop(), clock.sleep(timeout)]),
  };
}

/** @property isLast whether it is the last message of the day @property pageUrl without a trailing slash */
type PageMailToSend = Pick<DueMail, "id" | "mail" | "createdAt" | "subscriber" | "page"> & {
  isLast: boolean;
  pageUrl: string;
};

/** Makes one attempt. Its `Message-ID` is the same on every attempt; one click unsubscribes (RFC 8058, behavior 15.82). */
async function deliverPageMail(
  { id, mail, createdAt, subscriber, page, isLast, pageUrl }: PageMailToSend,
  { smtp, resolveOwn, ...transport }: DeliverySettings,
): Promise<DeliveryAttempt> {
  if (!smtp) {
    return { outcome: "failed", error: "this server can't send e-mail: --smtp-url is not set", final: true };
  }
  const { token, email } = subscriber;
  const local = localizationFor(page, subscriber);
  const context = { pageTitle: page.title, pageUrl, token, isLast, local };
  const { unsubscribeUrl, ...content } = pageMail(mail, context);
  const message = {
    ...content,
    from: { name: oneLine(page.title), address: smtp.from },
    to: { name: "", address: email },
    messageId: `<page.${id}@${smtp.from.slice(smtp.from.indexOf("@") + 1)}>`,
    date: new Date(createdAt),
    headers: {
      "Auto-Submitted": "auto-generated",
      "List-Unsubscribe": `<${unsubscribeUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
  return sendMail(message, smtp, { ...transport, ...(resolveOwn && { resolve: resolveOwn }) });
}

/** Behavior 21.6. */
function localizationFor(
  { language, timezone }: DueMail["page"],
  { locale }: DueMail["subscriber"],
): Localization {
  const reader = language === "auto" ? readerOfLocale(locale) : readerOf(language, null);
  return localizationOf(reader, timezone);
}

const WATCH_EVERY = 1000;

/** How often a page announces something: what follows is one message a minute (behavior 15.86). */
const PACE = { burst: 4, perSecond: 1 / 60 };

/** Notifies the subscribers of public pages of outages and maintenances (behavior 15.78, 15.79). */
export type PageWatch = Pick<Loop, "start" | "stop">;

export function createPageWatch({
  store,
  clock,
  claimant,
  log,
  wakeMails,
}: {
  store: Pick<Store, "announcements" | "claims" | "changes">;
  clock: Clock;
  claimant: () => Claimant;
  log: Logger;
  wakeMails: () => void;
}): PageWatch {
  const claim = createWorkClaim("pages", { store, clock, claimant });
  const pace = createRateLimit({ ...PACE, clock });
  const loop = createLoop({
    clock,
    every: WATCH_EVERY,
    task: watch,
    faults: createFaultLog(log, "the public pages could not be watched"),
  });

  /** Each page in a transaction of its own, so that checks are recorded in between. */
  async function watch(): Promise<void> {
    for (const pk of await store.announcements.listPages(clock.now())) {
      if (loop.isStopped() || !(await claim.take())) return;
      if (pace.take(String(pk)) > 0) continue;
      if ((await store.announcements.announce(pk, clock.now())) > 0) wakeMails();
      await store.changes.turn();
    }
  }

  return loop;
}
