import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { useHasRole } from "../app/session.tsx";
import type { Page } from "../data/api.ts";
import { monitorsQuery } from "../data/shared-queries.ts";
import { Failure } from "../ui/failure.tsx";
import { ManagedBy } from "../ui/managed-by.tsx";
import { View } from "../ui/view/view.tsx";
import { DeletePage } from "./delete-page.tsx";
import { layoutOf } from "./layout/page-layout.ts";
import { PageForm } from "./page-form.tsx";
import { PagePreview } from "./page-preview.tsx";
import { PAGES, pageQuery } from "./page-queries.ts";
import { OpenPage } from "./page-row.tsx";
import { PageSnippets } from "./snippets/page-snippets.tsx";

export function NewPage() {
  const mayWrite = useHasRole("admin");
  const { data, error } = useQuery({ ...monitorsQuery, staleTime: 0 });
  return (
    <View title="New page">
      <Failure error={error} />
      {!mayWrite && <p>You need the role admin or owner for this.</p>}
      {mayWrite && data && <PageForm monitors={data.monitors} />}
    </View>
  );
}

export function PageEditor({ id }: { id: string }) {
  const { data, error } = useQuery(pageQuery(id));
  if (data) return <StoredPage page={data} />;
  return <View title="Public page" error={error} back={PAGES} />;
}

/** Its editor, or, for viewers, its preview. */
function StoredPage({ page }: { page: Page }) {
  const [, navigate] = useLocation();
  const mayWrite = useHasRole("admin");
  const { data, error } = useQuery({ ...monitorsQuery, staleTime: 0 });
  const { id, slug, title, visibility } = page;
  const aside = (
    <>
      {visibility === "public" && <OpenPage slug={slug} title={title} />}
      <Link className="button" href={`/pages/${id}/incidents`}>
        Incidents
      </Link>
      {mayWrite && <DeletePage page={page} onDeleted={() => navigate("/pages", { replace: true })} />}
    </>
  );
  return (
    <View title={title} aside={aside}>
      <ManagedBy reference={page.ref} />
      <Failure error={error} />
      {data && mayWrite && <PageForm monitors={data.monitors} stored={page} />}
      {data && !mayWrite && (
        <PagePreview
          title={title}
          description={page.description ?? ""}
          layout={layoutOf(page.components)}
          monitors={data.monitors}
        />
      )}
      <PageSnippets page={page} monitors={data?.monitors ?? []} />
    </View>
  );
}
