import { sql } from "drizzle-orm";
import type { Layer } from "../../domain/on-call/rotation.ts";
import type { accountTables } from "./accounts.ts";
import type { alertingTables } from "./alerts.ts";
import type { peopleTables } from "./people.ts";
import type { Dialect } from "./sqlite-dialect.ts";

/** Who is on call (behavior 23.20). In bindings and deliveries, a row of `alert_channels` represents a schedule. */
export function scheduleTables(
  t: Dialect,
  { organizations }: Pick<ReturnType<typeof accountTables>, "organizations">,
) {
  const schedules = t.table(
    "schedules",
    {
      pk: t.key(),
      id: t.text().notNull().unique(),
      organizationPk: t
        .integer()
        .notNull()
        .references(() => organizations.pk, { onDelete: "cascade" }),
      name: t.text().notNull(),
      timezone: t.text().notNull(),
      /** Names people by ID. A person who is taken out of the organization leaves them. */
      layers: t.json().$type<Layer[]>().notNull(),
      /** The name under which a configuration file knows it; null if none does. */
      ref: t.text(),
      /** The SHA-256 of the token of its calendar; null without one. */
      calendarHash: t.bytes(),
      createdAt: t.time().notNull(),
      updatedAt: t.time().notNull(),
    },
    (table) => [
      t.index("schedules_organization").on(table.organizationPk),
      t.uniqueIndex("schedules_ref").on(table.organizationPk, table.ref).where(sql`ref IS NOT NULL`),
      t.uniqueIndex("schedules_calendar").on(table.calendarHash).where(sql`calendar_hash IS NOT NULL`),
    ],
  );
  return { schedules };
}

export function onCallTables(
  t: Dialect,
  {
    schedules,
    people,
    alertChannels,
  }: Pick<ReturnType<typeof scheduleTables>, "schedules"> &
    Pick<ReturnType<typeof peopleTables>, "people"> &
    Pick<ReturnType<typeof alertingTables>, "alertChannels">,
) {
  const personPk = () =>
    t
      .integer()
      .notNull()
      .references(() => people.pk, { onDelete: "cascade" });

  const scheduleOverrides = t.table(
    "schedule_overrides",
    {
      pk: t.key(),
      id: t.text().notNull().unique(),
      schedulePk: t
        .integer()
        .notNull()
        .references(() => schedules.pk, { onDelete: "cascade" }),
      personPk: personPk(),
      startsAt: t.time().notNull(),
      endsAt: t.time().notNull(),
      createdAt: t.time().notNull(),
    },
    (table) => [
      t.index("schedule_overrides_schedule").on(table.schedulePk),
      t.index("schedule_overrides_person").on(table.personPk),
    ],
  );

  /** The channels of a person, who gets there what a schedule sends (behavior 23.34). */
  const personChannels = t.table(
    "person_channels",
    {
      personPk: personPk(),
      channelPk: t
        .integer()
        .notNull()
        .references(() => alertChannels.pk, { onDelete: "cascade" }),
    },
    (table) => [
      t.primaryKey({ columns: [table.personPk, table.channelPk] }),
      t.index("person_channels_channel").on(table.channelPk),
    ],
  );

  return { scheduleOverrides, personChannels };
}
