import type { Person } from "../data/api.ts";
import { texts } from "../languages/texts.ts";

/** The name of a person by ID, as far as people are known. */
export function nameById(
  id: string | null,
  people: readonly Pick<Person, "id" | "name" | "email">[] = [],
): string {
  if (id === null) return texts.onCall.nobody;
  const found = people.find((one) => one.id === id);
  return found ? (found.name ?? found.email) : texts.onCall.deleted;
}
