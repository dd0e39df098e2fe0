import { imageType } from "../../../domain/pages/image-type.ts";
import { MAX_SLUG_LENGTH } from "../../../domain/pages/page-address.ts";
import { MAX_LOGO } from "../../../domain/pages/page-logo.ts";
import { NewPage } from "../../../domain/pages/page-request.ts";
import { faults } from "../../../domain/schemas/validation.ts";
import { numberOf, textOf } from "../form/form-values.ts";
import { componentsOf, isGroup, type Layout } from "./layout/page-layout.ts";

/** The values in the form, as the API accepts them. A number that is empty is missing, so that the validation refuses it. */
export function pageIn(data: FormData, layout: Layout) {
  const password = data.has("visibility") ? String(data.get("password") ?? "") : "";
  return {
    title: textOf(data, "title") ?? "",
    slug: textOf(data, "slug") ?? "",
    // An empty one replaces one that is stored.
    description: textOf(data, "description") ?? "",
    visibility: data.has("visibility") ? (password ? "password" : "public") : "off",
    ...(password && { password }),
    days: numberOf(data, "days"),
    minOutage: numberOf(data, "minOutage"),
    showLatency: data.has("showLatency"),
    accent: textOf(data, "accent") ?? null,
    // An empty zone is the default, as it is in a request without one.
    ...{ language: textOf(data, "language") ?? "auto", timezone: textOf(data, "timezone") ?? "UTC" },
    embedOrigins: (textOf(data, "embedOrigins") ?? "").split(/\s+/).filter(Boolean),
    ...(data.has("removeLogo") && { logo: null }),
    components: componentsOf(layout),
  };
}

/** The chosen logo as a data URL; no field without one, so that the stored one stays. */
export async function logoIn(data: FormData): Promise<{ logo?: string }> {
  const file = data.get("logo");
  if (!(file instanceof File) || file.size === 0) return {};
  // A browser knows only the ending of the name.
  const type = imageType(new Uint8Array(await file.arrayBuffer())) ?? file.type;
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve({ logo: String(reader.result) });
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file.slice(0, file.size, type));
  });
}

/** The error of a chosen logo that can be found without reading it. */
export function logoFaults(data: FormData): string[] {
  const file = data.get("logo");
  const isLarge = file instanceof File && file.size > MAX_LOGO;
  return isLarge ? ["logo must be at most 64 KiB"] : [];
}

/** All errors of the values in the form, as sentences of the API. @param layout what the components of the values are from */
export function pageFaults(values: ReturnType<typeof pageIn>, layout: Layout): string[] {
  const { days, minOutage } = values;
  return [
    ...(days === undefined ? ["days is required"] : []),
    ...(minOutage === undefined ? ["minOutage is required"] : []),
    ...faults(NewPage, values, "")
      .filter((sentence) => !isRepeated(sentence, layout))
      // An empty field is null.
      .map((sentence) => sentence.replace(/ or null$/, "")),
    ...repeatedGroups(layout),
  ];
}

/** The positions of the first components of all groups in the list of components. */
export function groupPositions(layout: Layout): Map<string, number> {
  const positions = new Map<string, number>();
  let at = 0;
  for (const entry of layout) {
    if (isGroup(entry) && entry.components.length > 0) positions.set(entry.key, at);
    at += isGroup(entry) ? entry.components.length : 1;
  }
  return positions;
}

/** Whether a sentence is about the name of a group, and not at its first component, where its field is. */
function isRepeated(sentence: string, layout: Layout): boolean {
  const [, at] = /^components\.(\d+)\.group /.exec(sentence) ?? [];
  return at !== undefined && ![...groupPositions(layout).values()].includes(Number(at));
}

/** Groups of one name are one group on the page. */
function repeatedGroups(layout: Layout): string[] {
  const positions = groupPositions(layout);
  const groups = layout.filter(isGroup).filter(({ key, name }) => positions.has(key) && name.trim() !== "");
  return groups
    .filter(({ name }, at) => groups.findIndex((one) => one.name.trim() === name.trim()) < at)
    .map(({ key }) => `components.${positions.get(key)}.group must differ from the names of other groups`);
}

/** A slug for a title, for example `cafe-status` for `Café Status`. Empty if no letter of the title can be in a slug. */
export function slugOf(title: string): string {
  return title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-+|-+$/g, "");
}
