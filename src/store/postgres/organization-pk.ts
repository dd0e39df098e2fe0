import { notFound } from "../../errors.ts";
import type { Sql } from "../tx.ts";

/** The internal number of an organization. @throws AppError `not_found` */
export async function organizationPk({ query }: Sql, id: string): Promise<number> {
  const [row] = await query<{ pk: number }>("SELECT pk FROM organizations WHERE id = $1", [id]);
  if (!row) throw notFound();
  return row.pk;
}
