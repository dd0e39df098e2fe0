import { AppError } from "../../errors.ts";
import type { Store } from "../store.ts";

/**
 * The ID of the organization that a command or a server works for.
 *
 * @param given by the flag; optional while there is exactly one organization
 * @throws AppError `not_found` for an unknown ID, `invalid` if it is not given and there is none or more than one
 */
export async function chosenOrganization(
  { organizations }: Pick<Store, "organizations">,
  { flag, given }: { flag: string; given: string | undefined },
): Promise<string> {
  const all = await organizations.list();
  if (given !== undefined) {
    if (all.some(({ id }) => id === given)) return given;
    throw new AppError("not_found", `there is no organization with the ID ${JSON.stringify(given)}`);
  }
  const [first] = all;
  if (first && all.length === 1) return first.id;
  const count = all.length || "no";
  throw new AppError(
    "invalid",
    `${flag} must be given unless there is exactly one organization: there are ${count}`,
  );
}
