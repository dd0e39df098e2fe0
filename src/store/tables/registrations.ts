import type { RegistrationFacts } from "../../domain/registration/registration.ts";
import type { Dialect } from "./sqlite-dialect.ts";

export function registrationTables(t: Dialect) {
  /** The answers of registries about domains: all monitors and organizations share them. See `StoredRegistration`. */
  const registrations = t.table(
    "registrations",
    {
      domain: t.text().primaryKey(),
      registry: t.text().notNull(),
      facts: t.json().$type<RegistrationFacts>(),
      answeredAt: t.time(),
      failingSince: t.time(),
      notFound: t.integer().notNull(),
      notFoundAt: t.time(),
      hasNoDate: t.boolean().notNull(),
      nextAt: t.time().notNull(),
      pausedUntil: t.time(),
    },
    (table) => [
      t.index("registrations_registry").on(table.registry),
      t.index("registrations_next").on(table.nextAt),
    ],
  );

  return { registrations };
}
