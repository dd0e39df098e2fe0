import { checkedValues } from "../form/form-values.ts";
import { tagsIn } from "../form/tag-values.ts";

/** What a monitor has to do with others. @property dependsOn IDs */
export interface Relations {
  tags: string[];
  dependsOn: string[];
}

/** The values of the form. Nothing if it does not offer them, because the other monitors are not known yet. */
export function relationsOf(data: FormData): Partial<Relations> {
  if (!data.has("tags")) return {};
  return { tags: tagsIn(data.get("tags")), dependsOn: checkedValues(data, "dependsOn") };
}
