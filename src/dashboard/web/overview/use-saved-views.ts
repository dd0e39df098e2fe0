import { useEffect, useState } from "react";
import { parseViews, type SavedView } from "./saved-views.ts";

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
