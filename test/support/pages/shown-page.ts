import { type ShownPage, showPage } from "../../../src/domain/pages/show-page.ts";
import { readSettledHistory } from "../../../src/runner/pages/settled-history.ts";
import type { Store } from "../../../src/store/store.ts";

/** A public page as the database has it now, without what a server keeps of it. @throws Error if it is not public */
export async function shownPage(store: Store, slug: string, now: number): Promise<ShownPage> {
  const facts = await store.pages.readFacts(slug, now);
  if (!facts) throw new Error(`no public page has the slug ${slug}`);
  return showPage(facts, await readSettledHistory(store, facts, { known: undefined, now }), now);
}
