import { numberOf, textOf } from "../form/form-values.ts";
import { componentsOf, type Layout } from "./layout/page-layout.ts";

/** The values in the form, as the API accepts them. A number that is empty is missing, so that the validation refuses it. */
export function pageIn(data: FormData, layout: Layout) {
  return {
    title: textOf(data, "title") ?? "",
    slug: textOf(data, "slug") ?? "",
    // An empty one replaces one that is stored.
    description: textOf(data, "description") ?? "",
    visibility: data.has("visibility") ? ("public" as const) : ("off" as const),
    days: numberOf(data, "days"),
    minOutage: numberOf(data, "minOutage"),
    showLatency: data.has("showLatency"),
    components: componentsOf(layout),
  };
}
