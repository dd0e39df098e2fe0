import { LONGEST_SLUG } from "../../../domain/schemas/slug.ts";

/** A slug for a title, for example `cafe-status` for `Café Status`. Empty if no letter of the title can be in a slug. */
export function slugOf(title: string): string {
  return title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST_SLUG)
    .replace(/^-+|-+$/g, "");
}
