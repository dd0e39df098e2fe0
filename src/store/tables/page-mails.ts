import type { PageMail } from "../../domain/pages/subscription.ts";
import type { pageTables } from "./pages.ts";
import type { Dialect } from "./sqlite-dialect.ts";

export function pageMailTables(t: Dialect, { pages }: Pick<ReturnType<typeof pageTables>, "pages">) {
  const pagePk = () =>
    t
      .integer()
      .notNull()
      .references(() => pages.pk, { onDelete: "cascade" });

  /** Who gets e-mails of a page. The row is deleted with the subscription. */
  const pageSubscribers = t.table(
    "page_subscribers",
    {
      pk: t.lastingKey(),
      pagePk: pagePk(),
      email: t.text().notNull(),
      /**
       * The token in the links of the messages. It is not a hash, because each message has the link to unsubscribe. It is valid only for
       * this subscription.
       */
      token: t.text().notNull().unique(),
      /** Null until the opt-in message is confirmed. */
      confirmedAt: t.time(),
      /** A day since 1970 (UTC), and how many messages were sent on that day. */
      sentDay: t.integer().notNull().default(0),
      sentCount: t.integer().notNull().default(0),
      writtenCount: t.integer().notNull().default(0),
      /** Locale of the request that subscribed; null if it was stored before pages had languages. */
      locale: t.text(),
      createdAt: t.time().notNull(),
    },
    (table) => [t.uniqueIndex("page_subscribers_email").on(table.pagePk, table.email)],
  );

  /** The opt-in messages of the last 24 hours, which an address gets only some of, also after its subscription is deleted. */
  const pageOptIns = t.table(
    "page_opt_ins",
    {
      pk: t.lastingKey(),
      /** SHA-256 of the address. */
      addressHash: t.bytes().notNull(),
      sentAt: t.time().notNull(),
    },
    (table) => [
      t.index("page_opt_ins_address").on(table.addressHash),
      t.index("page_opt_ins_age").on(table.sentAt),
    ],
  );

  /** The outages and windows of maintenances that the subscribers of a page were notified of, so that each is sent once. */
  const pageAnnouncements = t.table(
    "page_announcements",
    {
      pk: t.lastingKey(),
      pagePk: pagePk(),
      kind: t.text().$type<"outage" | "maintenance">().notNull(),
      /** The ID of the outage, or the number of the window in `maintenance_runs`; it may be deleted. */
      subject: t.text().notNull(),
      startedAt: t.time().notNull(),
      /** Null until its end is sent too. */
      endedAt: t.time(),
    },
    (table) => [t.uniqueIndex("page_announcements_subject").on(table.pagePk, table.kind, table.subject)],
  );

  /** The outbox of e-mails to subscribers: a row is deleted when its e-mail is sent or given up. */
  const pageMails = t.table(
    "page_mails",
    {
      /** Never reused. The order in which a subscriber gets them. */
      pk: t.lastingKey(),
      /** Part of the `Message-ID`, the same for every attempt. */
      id: t.text().notNull().unique(),
      subscriberPk: t
        .integer()
        .notNull()
        .references(() => pageSubscribers.pk, { onDelete: "cascade" }),
      mail: t.json().$type<PageMail>().notNull(),
      attempts: t.integer().notNull().default(0),
      nextAttemptAt: t.time().notNull(),
      createdAt: t.time().notNull(),
    },
    (table) => [
      t.index("page_mails_due").on(table.nextAttemptAt),
      t.index("page_mails_subscriber").on(table.subscriberPk),
    ],
  );

  return { pageSubscribers, pageOptIns, pageAnnouncements, pageMails };
}
