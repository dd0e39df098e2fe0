import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useHasRole } from "../app/session.tsx";
import { Failure } from "../ui/failure.tsx";
import { View } from "../ui/view/view.tsx";
import { pagesQuery } from "./page-queries.ts";
import { PageRow } from "./page-row.tsx";

/** The public pages of the organization (behavior 15.90). */
export function Pages() {
  const { data, error } = useQuery(pagesQuery);
  const mayWrite = useHasRole("admin");
  const create = mayWrite && (
    <Link className="button button-primary" href="/pages/new">
      New page
    </Link>
  );
  return (
    <View title="Public pages" aside={create}>
      <p className="text-lead">
        A public page shows your customers the status of the monitors that you choose, without their targets.
      </p>
      <Failure error={error} />
      {data?.length === 0 && <p className="view-empty">No public pages yet.</p>}
      <ul className="list" aria-label="Public pages">
        {data?.map((page) => (
          <PageRow key={page.id} page={page} />
        ))}
      </ul>
    </View>
  );
}
