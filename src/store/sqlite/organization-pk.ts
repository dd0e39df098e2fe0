import { notFound } from "../../errors.ts";
import type { Database } from "./open.ts";

/** The internal number of an organization, for synchronous queries. @throws AppError `not_found` */
export function organizationPk(db: Database, id: string): number {
  const row = db.$client.query<{ pk: number }, [string]>("SELECT pk FROM organizations WHERE id = ?").get(id);
  if (!row) throw notFound();
  return row.pk;
}
