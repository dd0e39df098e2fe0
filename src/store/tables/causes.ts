import { sql } from "drizzle-orm";
import type { FactKind } from "../../domain/causes/causes.ts";
import type { accountTables } from "./accounts.ts";
import type { resultTables } from "./results.ts";
import type { Dialect } from "./sqlite-dialect.ts";

export function causeTables(
  t: Dialect,
  {
    organizations,
    outages,
  }: Pick<ReturnType<typeof accountTables>, "organizations"> &
    Pick<ReturnType<typeof resultTables>, "outages">,
) {
  /** Facts that failures share and that nothing refutes (behavior 22.21). */
  const causes = t.table(
    "causes",
    {
      /** Never reused, so that the number of a deleted one still works as a cursor. */
      pk: t.largeLastingKey(),
      id: t.text().notNull().unique(),
      organizationPk: t
        .integer()
        .notNull()
        .references(() => organizations.pk, { onDelete: "cascade" }),
      kind: t.text().$type<FactKind>().notNull(),
      value: t.text().notNull(),
      /** The value in the title, if that is another text, such as the name of a certificate. */
      label: t.text(),
      /** The last router on the path to all of its monitors, if they have one in common. */
      endsAfter: t.text(),
      /** Whether it is the only location of the organization. */
      isOnlyLocation: t.boolean().notNull(),
      startedAt: t.time().notNull(),
      /** Null while it is open. */
      endedAt: t.time(),
      /** When a healthy monitor showed that it is none; null otherwise. */
      refutedAt: t.time(),
    },
    (table) => [
      t.index("causes_page").on(...t.inOrder(table.organizationPk, table.pk)),
      t.index("causes_open").on(table.organizationPk).where(sql`ended_at IS NULL`),
    ],
  );

  /** The outages that a cause explains. Of the causes of one outage, at most one is not refuted. */
  const causeMembers = t.table(
    "cause_members",
    {
      causePk: t
        .large()
        .notNull()
        .references(() => causes.pk, { onDelete: "cascade" }),
      outagePk: t
        .large()
        .notNull()
        .references(() => outages.pk, { onDelete: "cascade" }),
      /** The monitor may be deleted: see `deletedMonitors`. */
      monitorPk: t.integer().notNull(),
    },
    (table) => [
      t.primaryKey({ columns: [table.causePk, table.outagePk] }),
      t.index("cause_members_outage").on(table.outagePk),
    ],
  );

  return { causes, causeMembers };
}
