import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { monitorsQuery } from "../data/shared-queries.ts";
import { pageQuery } from "../pages/page-queries.ts";
import { componentNames } from "./incident-words.ts";

/** A page with the names of its components; undefined until both are known. */
export function usePage(id: string) {
  const page = useQuery(pageQuery(id));
  const monitors = useQuery(monitorsQuery);
  const names = useMemo(
    () => page.data && monitors.data && componentNames(page.data, monitors.data.monitors),
    [page.data, monitors.data],
  );
  return { page: page.data, names, error: page.error ?? monitors.error };
}

/** The way back to the incidents of a page. */
export function incidentsOf(pageId: string) {
  return { href: `/pages/${pageId}/incidents`, to: "incidents" };
}
