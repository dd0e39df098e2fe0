import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import type { NewPage as PageBody } from "../../../domain/pages/page-request.ts";
import { useHasRole } from "../app/session.tsx";
import { api, getData, type Page } from "../data/api.ts";
import { changedByPage, invalidate, queryKeys } from "../data/query-keys.ts";
import { readDraft } from "../form/drafts.ts";
import { Cancel } from "../form/edit-view.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { useDraftKey } from "../form/use-draft.tsx";
import { ManagedBy } from "../ui/card.tsx";
import { Failure } from "../ui/failure.tsx";
import { View } from "../ui/view.tsx";
import { useComponentMonitors } from "./component-monitors.ts";
import { LanguageFields } from "./language-fields.tsx";
import { LayoutFields } from "./layout/layout-fields.tsx";
import { componentEntries, type Layout, layoutOf } from "./layout/page-layout.ts";
import { LookFields } from "./look-fields.tsx";
import { HistoryFields, PageFields } from "./page-fields.tsx";
import { DeletePage, OpenPage } from "./page-list.tsx";
import { FormPreview, PagePreview } from "./page-preview.tsx";
import { PAGES, pageQuery } from "./page-queries.ts";
import { PageSnippets } from "./page-snippets.tsx";
import { logoFaults, logoIn, pageFaults, pageIn } from "./page-values.ts";

export function NewPage() {
  const mayWrite = useHasRole("admin");
  return (
    <View title="New page">
      {mayWrite ? <PageForm /> : <p>You need the role admin or owner for this.</p>}
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
  const { monitors, error } = useComponentMonitors(page.components.map(({ monitorId }) => monitorId));
  const { id, slug, title, visibility } = page;
  const aside = (
    <>
      {visibility !== "off" && <OpenPage slug={slug} title={title} />}
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
      {monitors && mayWrite && <PageForm stored={page} />}
      {monitors && !mayWrite && (
        <PagePreview
          title={title}
          description={page.description ?? ""}
          layout={layoutOf(page.components)}
          monitors={monitors}
        />
      )}
      {monitors && <PageSnippets page={page} monitors={monitors} />}
    </View>
  );
}

interface Props {
  /** The page to edit. */
  stored?: Page;
}

/** Creates a page, or edits one, with a preview beside it (behavior 15.91, 15.92). */
export function PageForm({ stored }: Props) {
  const [layout, latest, setLayout] = useLayout(stored);
  const { monitors, error } = useComponentMonitors(
    componentEntries(layout).map(({ monitorId }) => monitorId),
  );
  const [saved, setSaved] = useState(false);
  const save = useSavePage(stored);
  const onChange = (next: Layout) => {
    setSaved(false);
    setLayout(next);
  };
  const onSubmit = async (data: FormData) => {
    setSaved(false);
    // The form has validated them.
    const page = await save({ ...pageIn(data, latest.current), ...(await logoIn(data)) } as PageBody);
    setLayout(layoutOf(page.components));
    setSaved(true);
  };
  return (
    <Form
      className="page-editor"
      keepsDraft
      check={(data) => [...pageFaults(pageIn(data, latest.current), latest.current), ...logoFaults(data)]}
      onSubmit={onSubmit}
    >
      <div
        className="card page-editor-fields"
        // Only what the reader enters: a changed layout reports itself too.
        onInput={({ nativeEvent }) => nativeEvent.isTrusted && setSaved(false)}
      >
        {/* For the draft: the layout itself is not in the form. */}
        <input type="hidden" name="layout" value={JSON.stringify(layout)} />
        <PageFields stored={stored} />
        <Failure error={error} />
        {monitors && <LayoutFields monitors={monitors} layout={layout} onChange={onChange} />}
        <HistoryFields stored={stored} />
        <LanguageFields stored={stored} />
        <LookFields stored={stored} />
        <FormFailure />
        <div className="actions page-editor-save">
          <SubmitButton>{stored ? "Save" : "Create page"}</SubmitButton>
          {!stored && <Cancel to="/pages" />}
          <span role="status">{saved && "Saved."}</span>
        </div>
      </div>
      {monitors && <FormPreview layout={layout} monitors={monitors} />}
    </Form>
  );
}

/** The layout, and the same as a reference, because the form validates before its next rendering. */
function useLayout(stored: Page | undefined) {
  const key = useDraftKey();
  const [layout, setLayout] = useState<Layout>(() => {
    const [restored] = readDraft(key)?.fields.layout?.now ?? [];
    return restored ? JSON.parse(restored) : layoutOf(stored?.components ?? []);
  });
  const latest = useRef(layout);
  const change = (next: Layout) => {
    latest.current = next;
    setLayout(next);
  };
  return [layout, latest, change] as const;
}

function useSavePage(stored: Page | undefined) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  return async (values: PageBody): Promise<Page> => {
    const page = await getData(stored ? api.pages({ id: stored.id }).patch(values) : api.pages.post(values));
    queries.setQueryData(queryKeys.page(page.id), page);
    await invalidate(queries, changedByPage);
    if (!stored) navigate(`/pages/${page.id}`, { replace: true });
    return page;
  };
}
