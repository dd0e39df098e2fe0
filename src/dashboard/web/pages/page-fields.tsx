import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { imageType, MAX_LOGO, MAX_SLUG_LENGTH } from "../../../domain/pages/page-look.ts";
import { NewPage } from "../../../domain/pages/page-request.ts";
import { faults, type SaidFault } from "../../../domain/schemas/validation.ts";
import { base } from "../app/base.ts";
import { api, getData, type MonitorSummary, type Page } from "../data/api.ts";
import { monitorStatesQuery } from "../data/monitor-lists.ts";
import { queryKeys } from "../data/query-keys.ts";
import { numberOf, textOf } from "../form/field-errors.ts";
import { exactText, Field, SecretField, TextField } from "../form/fields.tsx";
import { pageFault } from "../form/page-fault.ts";
import { Disclosure } from "../form/sections.tsx";
import { texts } from "../languages/texts.ts";
import { componentsOf, isGroup, type Layout } from "./layout/page-layout.ts";

interface Props {
  stored: Page | undefined;
}

/** The title, the address and who sees the page. */
export function PageFields({ stored }: Props) {
  const [slug, setSlug] = useState(stored?.slug ?? "");
  // Until the reader edits the address of a new page, it follows the title.
  const [follows, setFollows] = useState(stored === undefined);
  const words = texts.pages.fields;
  return (
    <>
      <Field name="title" label={words.title}>
        {(props) => (
          <input
            {...props}
            defaultValue={stored?.title}
            onInput={({ currentTarget }) => follows && setSlug(slugOf(currentTarget.value))}
            autoComplete="off"
          />
        )}
      </Field>
      <Field name="slug" label={words.address} hint={words.addressHint}>
        {(props) => (
          <span className="page-slug" dir="ltr">
            <span aria-hidden="true">{pathOf("")}</span>
            <input
              {...props}
              value={slug}
              onInput={({ currentTarget }) => {
                setFollows(false);
                setSlug(currentTarget.value);
              }}
              {...exactText}
            />
          </span>
        )}
      </Field>
      <Field name="description" label={words.description} hint={words.descriptionHint}>
        {(props) => <textarea {...props} rows={2} defaultValue={stored?.description ?? ""} />}
      </Field>
      <div className="field">
        <label className="check">
          <input
            type="checkbox"
            name="visibility"
            value="public"
            defaultChecked={stored && stored.visibility !== "off"}
            aria-describedby="visibility-hint"
          />
          {words.public}
        </label>
        <p className="text-hint" id="visibility-hint">
          {words.publicHint}
        </p>
      </div>
      <SecretField
        // Once it is saved, the field has what keeps it.
        key={stored?.visibility}
        name="password"
        label={words.password}
        value={stored?.password ?? ""}
        hint={words.passwordHint}
      />
    </>
  );
}

/** How much history the page shows. */
export function HistoryFields({ stored }: Props) {
  const words = texts.pages.history;
  return (
    <Disclosure summary={words.title} isOpen={false}>
      <div className="field-halves">
        <TextField
          name="days"
          label={words.days}
          value={stored?.days ?? 90}
          kind="numeric"
          hint={words.daysHint}
        />
        <TextField
          name="minOutage"
          label={words.minOutage}
          value={stored?.minOutage ?? 120}
          kind="numeric"
          hint={words.minOutageHint}
        />
      </div>
      <label className="check">
        <input type="checkbox" name="showLatency" defaultChecked={stored?.showLatency} />
        {words.showLatency}
      </label>
    </Disclosure>
  );
}

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
export function logoFaults(data: FormData): SaidFault[] {
  const file = data.get("logo");
  const isLarge = file instanceof File && file.size > MAX_LOGO;
  return isLarge ? [pageFault("largeLogo", "logo", {})] : [];
}

/** All faults of the values in the form. @param layout what the components of the values are from */
export function pageFaults(values: ReturnType<typeof pageIn>, layout: Layout): SaidFault[] {
  const { days, minOutage } = values;
  return [
    ...(days === undefined ? [pageFault("required", "days", {})] : []),
    ...(minOutage === undefined ? [pageFault("required", "minOutage", {})] : []),
    ...faults(NewPage, values, "").filter(({ field }) => !isRepeated(field, layout)),
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
function isRepeated(field: string, layout: Layout): boolean {
  const [, at] = /^components\.(\d+)\.group$/.exec(field) ?? [];
  return at !== undefined && ![...groupPositions(layout).values()].includes(Number(at));
}

/** Groups of one name are one group on the page. */
function repeatedGroups(layout: Layout): SaidFault[] {
  const positions = groupPositions(layout);
  const groups = layout.filter(isGroup).filter(({ key, name }) => positions.has(key) && name.trim() !== "");
  return groups
    .filter(({ name }, at) => groups.findIndex((one) => one.name.trim() === name.trim()) < at)
    .map(({ key }) => pageFault("groupTwice", `components.${positions.get(key)}.group`, {}));
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

/** The monitors of the components of a page. */
export interface ComponentMonitors {
  byId: ReadonlyMap<string, MonitorSummary>;
  nameOf: (id: string) => string;
}

/** @param ids of the monitors @returns undefined until they are known; the monitor of a new component is known a moment later */
export function useComponentMonitors(ids: readonly string[]) {
  const { data, isPlaceholderData, error } = useQuery(monitorStatesQuery(ids));
  const monitors = useMemo<ComponentMonitors | undefined>(() => {
    if (!data) return undefined;
    const byId = new Map(data.map((one) => [one.id, one]));
    const otherwise = isPlaceholderData ? "…" : texts.pages.deletedMonitor;
    return { byId, nameOf: (id) => byId.get(id)?.name ?? otherwise };
  }, [data, isPlaceholderData]);
  return { monitors, error };
}

export const pagesQuery = queryOptions({
  queryKey: queryKeys.pages,
  queryFn: () => getData(api.pages.get()),
});

export function pageQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.page(id),
    queryFn: () => getData(api.pages({ id }).get()),
  });
}

/**
 * The URL of a public page, which may have a host of its own. Only the page itself says it.
 *
 * @param slug of a page that is public
 */
export function pageUrlQuery(slug: string) {
  return queryOptions({
    queryKey: queryKeys.pageUrl(slug),
    queryFn: async (): Promise<string> => {
      const response = await fetch(`${pathOf(slug)}/api/v2/status.json`, { credentials: "omit" });
      return (await response.json()).page.url;
    },
    // Another node shows a page that became public within a second.
    retry: 3,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The way back to all pages. */
export const PAGES = { href: "/pages", to: "publicPages" } as const;

/** The path of a public page on this server. */
export function pathOf(slug: string): string {
  return `${base}/status/${encodeURIComponent(slug)}`;
}
