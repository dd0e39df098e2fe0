import { useEffect, useState } from "react";

/** Filters and an order of the overview under a name. @property search the query of its address, as `searchOf` returns it */
export interface SavedView {
  name: string;
  search: string;
}

export const MAX_VIEW_NAME = 50;

/** Selections that are the same have the same text: parameters are sorted, and those without a value are left out. */
export function searchOf(params: URLSearchParams): string {
  const sorted = new URLSearchParams([...params].filter(([, value]) => value !== ""));
  sorted.sort();
  return sorted.toString();
}

/** @param text JSON from the storage of the browser, which anything may have written; what is no view is left out */
export function parseViews(text: string | null): SavedView[] {
  try {
    const parsed: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(parsed) ? parsed.filter(isView).map(({ name, search }) => ({ name, search })) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  const { name, search } = (value ?? {}) as Record<string, unknown>;
  return typeof name === "string" && name !== "" && typeof search === "string";
}

/** Adds a view, or replaces the one with the same name. By name. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...withoutView(views, view.name), view].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function withoutView(views: readonly SavedView[], name: string): SavedView[] {
  return views.filter((one) => one.name !== name);
}

const KEY = "stillup.views";

type ChangeViews = (change: (views: SavedView[]) => SavedView[]) => void;

/** The saved views of this browser, also those that another tab saves; null if the browser stores nothing. */
export function useSavedViews(): [SavedView[] | null, ChangeViews] {
  const [views, setViews] = useState(readViews);
  useEffect(() => {
    // The key is null after everything was deleted.
    const onStorage = ({ key }: StorageEvent) => (key === KEY || key === null) && setViews(readViews());
    addEventListener("storage", onStorage);
    return () => removeEventListener("storage", onStorage);
  }, []);
  const changeViews: ChangeViews = (change) => {
    writeViews(change(readViews() ?? []));
    setViews(readViews());
  };
  return [views, changeViews];
}

/** A browser that blocks the storage of sites throws when it is read. */
function readViews(): SavedView[] | null {
  try {
    return parseViews(localStorage.getItem(KEY));
  } catch {
    return null;
  }
}

/** A full storage keeps the views as they are. */
function writeViews(views: SavedView[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(views));
  } catch {}
}
