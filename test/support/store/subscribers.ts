import type { Sealed } from "../../../src/domain/pages/page-password.ts";
import type { NewPage } from "../../../src/domain/pages/page-request.ts";
import type { DueMail, Store } from "../../../src/store/store.ts";

/** An organization that can create pages. */
interface Owner {
  store: Store;
  organizationId: string;
}

let pages = 0;

/** Creates a public page with these monitors as components. */
export function createPublicPage(
  { store, organizationId }: Owner,
  { monitorIds = [], ...values }: { monitorIds?: string[] } & Partial<Sealed<NewPage>>,
  now: number,
) {
  const components = monitorIds.map((monitorId) => ({ monitorId }));
  const page = {
    slug: `subscribed-${++pages}`,
    title: "Status of A",
    visibility: "public",
    components,
  } as const;
  return store.pages.create(organizationId, { ...page, ...values }, now);
}

/** The e-mails that are due, of each subscriber the oldest. */
export function dueMails(store: Store, now: number): Promise<DueMail[]> {
  return store.pageMails.listDue({ now, limit: 10_000 });
}

/** Subscribes and confirms. @returns the token of the links */
export async function subscribe(
  store: Store,
  slug: string,
  email: string,
  now: number,
  locale = "en",
): Promise<string> {
  await store.subscriptions.request({ slug, email, locale }, now);
  const mails = await dueMails(store, now);
  const optIn = mails.find(({ subscriber, page }) => subscriber.email === email && page.slug === slug);
  if (optIn?.mail.kind !== "optIn") throw new Error(`no opt-in message for ${email}`);
  await store.subscriptions.confirm(optIn.subscriber.token, now);
  await send(store, optIn);
  return optIn.subscriber.token;
}

/** Removes a mail from the outbox, as if it was sent. */
export async function send(store: Store, { pk, attempts, subscriber }: DueMail): Promise<void> {
  await store.pageMails.record({ pk, attempts, outcome: "sent", subscriberPk: subscriber.pk, counts: null });
}

/** Empties the outbox. @returns the address and the content of each mail, in the order in which they would be sent */
export async function takeMails(store: Store, now: number): Promise<{ to: string; mail: DueMail["mail"] }[]> {
  const taken: { to: string; mail: DueMail["mail"] }[] = [];
  for (let due = await dueMails(store, now); due.length > 0; due = await dueMails(store, now)) {
    for (const one of due) {
      taken.push({ to: one.subscriber.email, mail: one.mail });
      await send(store, one);
    }
  }
  return taken;
}
