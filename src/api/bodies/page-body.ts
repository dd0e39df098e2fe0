import { Type } from "@sinclair/typebox";
import { PAGE_VISIBILITIES, type Page } from "../../domain/pages/page.ts";
import { StoredRef } from "../../domain/schemas/ref.ts";
import { described, named, nullable, oneOf } from "../../domain/schemas/schema.ts";

const ComponentBody = Type.Object(
  {
    id: Type.String({ description: "Public, in contrast to the ID of the monitor." }),
    monitorId: Type.String(),
    name: described(nullable(Type.String()), "`null`: the name of the monitor."),
    group: nullable(Type.String()),
  },
  named("PageComponent"),
);

/** Behavior 15.1. */
export const PageBody = Type.Object(
  {
    id: Type.String(),
    slug: Type.String({ description: "The page is at `/status/` and this." }),
    title: Type.String(),
    description: nullable(Type.String()),
    visibility: oneOf(PAGE_VISIBILITIES),
    days: Type.Integer({ description: "Days of history, today included." }),
    minOutage: Type.Integer({ description: "Seconds. Outages that are not longer are not incidents." }),
    showLatency: Type.Boolean(),
    components: Type.Array(ComponentBody),
    ref: StoredRef,
  },
  named("Page"),
);

/** The fields of a response. */
export function pageBody({ id, slug, title, description, visibility, ...page }: Page) {
  const { days, minOutage, showLatency, components, ref } = page;
  return { id, slug, title, description, visibility, days, minOutage, showLatency, components, ref };
}

export const example = {
  id: "Wq3hTzL9sXc1VbNm5KpYrE",
  slug: "shop",
  title: "Shop",
  description: "Orders and payments.",
  visibility: "public",
  days: 90,
  minOutage: 120,
  showLatency: false,
  components: [
    { id: "b9Jm2TqVZkX0cW4yR7sLpA", monitorId: "gwMk6bQBonMDcGzUMCvgWu", name: "Shop front", group: null },
    { id: "U7eKxN3oGd5ZqYbT1mWvRs", monitorId: "Xs4TqJ0bLr9WcYk2PzVnHe", name: null, group: "Payments" },
  ],
  ref: null,
};
