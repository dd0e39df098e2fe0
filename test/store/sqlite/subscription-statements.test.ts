import { expect, test } from "bun:test";
import { createOrganization } from "../../../src/store/accounts/organizations.ts";
import { listDueMails } from "../../../src/store/pages/due-mails.ts";
import { createPage } from "../../../src/store/pages/pages.ts";
import { confirmSubscription, requestSubscription } from "../../../src/store/pages/subscribers.ts";
import { openEngine } from "../../../src/store/sqlite/driver.ts";
import type { Tx } from "../../../src/store/tx.ts";
import { tempDir } from "../../support/temp-dir.ts";

const NOW = Date.UTC(2027, 5, 1);

/** A transaction that notes the kinds of statements, in order. */
function noting(tx: Tx, statements: string[]): Tx {
  const db = new Proxy(tx.db, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...given: unknown[]) => {
        statements.push(String(name));
        return Reflect.apply(method, target, given);
      };
    },
  });
  return { ...tx, db };
}

test("behavior 15.72: a request runs the same statements for an address that is new, known, confirmed or over its limit", async () => {
  using dir = tempDir();
  const engine = openEngine(dir.path);
  const request = async (email: string) => {
    const statements: string[] = [];
    await engine.write((tx) =>
      requestSubscription({ ...noting(tx, statements), now: NOW }, { slug: "shop", email, locale: "en" }),
    );
    return statements;
  };
  await engine.write(async (given) => {
    const tx = { ...given, now: NOW };
    const values = { name: "A", plan: "enterprise", subscription: "active" } as const;
    const { id } = await createOrganization(tx, values);
    await createPage(tx, id, { slug: "shop", title: "Shop", visibility: "public" });
  });
  const [fresh, known] = [await request("a@example.com"), await request("a@example.com")];
  await request("a@example.com");
  const over = await request("a@example.com");
  await request("b@example.com");
  await engine.write(async (tx) => {
    const due = await listDueMails(tx, { now: NOW, limit: 100 });
    const token = due.find(({ subscriber }) => subscriber.email === "b@example.com")?.subscriber.token ?? "";
    await confirmSubscription({ ...tx, now: NOW }, token);
  });
  const confirmed = await request("b@example.com");
  expect(fresh.length).toBeGreaterThan(3);
  for (const other of [known, over, confirmed]) expect(other).toEqual(fresh);
  await engine.close();
});
