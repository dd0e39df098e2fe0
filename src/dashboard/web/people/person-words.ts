import type { Person } from "../data/api.ts";
import { fill, texts } from "../languages/texts.ts";

/** The name of somebody in a sentence. */
export function nameOfPerson({ name, email }: Pick<Person, "name" | "email">): string {
  return name ?? email;
}

/**
 * The name of who did something. The audit log keeps it when the person is deleted.
 *
 * @param people undefined until they are known
 */
export function describeActor(
  { type, id, name }: { type: string; id: string | null; name: string },
  people: readonly Pick<Person, "id">[] | undefined,
): string {
  const isDeleted = type === "person" && people !== undefined && !people.some((one) => one.id === id);
  return isDeleted ? fill(texts.common.deletedPerson, { name }) : name;
}
