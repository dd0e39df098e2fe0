import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, getData } from "../data/api.ts";
import { useConnected } from "../data/live-updates.tsx";
import { queryKeys } from "../data/query-keys.ts";
import { countedTitle } from "./counted-title.ts";
import down from "./icon-down.svg";
import lost from "./icon-lost.svg";
import warning from "./icon-warning.svg";

/** Milliseconds. A hidden tab has no other way to learn of a change. */
const INTERVAL = 30_000;

/** The icon of the tab in trouble, and the number of monitors that are down before the title of each view. */
export function Attention() {
  const connected = useConnected();
  const { data, isError } = useQuery({
    queryKey: queryKeys.attention,
    queryFn: () => getData(api.attention.get()),
    refetchInterval: INTERVAL,
    refetchIntervalInBackground: true,
  });
  const count = data?.down ?? 0;
  const icon = !connected || isError ? lost : count > 0 ? down : data?.warning ? warning : undefined;
  useEffect(() => showIcon(icon), [icon]);
  useEffect(() => countInTitle(count), [count]);
  return null;
}

/** @param icon default: the icon of the document @returns restores the previous icon */
function showIcon(icon: string | undefined): (() => void) | undefined {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link || !icon) return undefined;
  const own = link.href;
  link.href = new URL(icon, import.meta.url).href;
  return () => {
    link.href = own;
  };
}

/** Each view sets its title. @returns a function that removes the count */
function countInTitle(count: number): () => void {
  const write = (number: number) => {
    const title = countedTitle(document.title, number);
    if (title !== document.title) document.title = title;
  };
  const observer = new MutationObserver(() => write(count));
  const title = document.querySelector("title");
  if (title) observer.observe(title, { childList: true });
  write(count);
  return () => {
    observer.disconnect();
    write(0);
  };
}
