import { useQuery } from "@tanstack/react-query";
import { ListView } from "../ui/list/list.tsx";
import { pagesQuery } from "./page-queries.ts";
import { PageRow } from "./page-row.tsx";

/** The public pages of the organization (behavior 15.90). */
export function Pages() {
  const { data, error } = useQuery(pagesQuery);
  return (
    <ListView
      title="Public pages"
      lead="A public page shows your customers the status of the monitors that you choose, without their targets."
      label="Public pages"
      items={data}
      error={error}
      none="No public pages yet."
      row={(page) => <PageRow key={page.id} page={page} />}
      create={{ role: "admin", label: "New page", href: "/pages/new" }}
    />
  );
}
