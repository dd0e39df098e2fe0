import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import type { NewPage } from "../../../domain/pages/page-request.ts";
import { api, getData, type Page } from "../data/api.ts";
import { invalidate } from "../data/invalidate.ts";
import { changedByPage, queryKeys } from "../data/query-keys.ts";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import type { KnownMonitor } from "./layout/component-row.tsx";
import { LayoutFields } from "./layout/layout-fields.tsx";
import { type Layout, layoutOf } from "./layout/page-layout.ts";
import { pageFaults } from "./page-faults.ts";
import { HistoryFields, PageFields } from "./page-fields.tsx";
import { FormPreview } from "./page-preview.tsx";
import { pageIn } from "./page-values.ts";

interface Props {
  monitors: readonly KnownMonitor[];
  /** The page to edit. */
  stored?: Page;
}

/** Creates a page, or edits one, with a preview beside it (behavior 15.91, 15.92). */
export function PageForm({ monitors, stored }: Props) {
  const [layout, latest, setLayout] = useLayout(stored);
  const [saved, setSaved] = useState(false);
  const save = useSavePage(stored);
  const onChange = (next: Layout) => {
    setSaved(false);
    setLayout(next);
  };
  const onSubmit = async (data: FormData) => {
    setSaved(false);
    // The form has validated them.
    const page = await save(pageIn(data, latest.current) as NewPage);
    setLayout(layoutOf(page.components));
    setSaved(true);
  };
  return (
    <Form
      className="page-editor"
      check={(data) => pageFaults(pageIn(data, latest.current), latest.current)}
      onSubmit={onSubmit}
    >
      <div
        className="card page-editor-fields"
        // Only what the reader enters: a changed layout reports itself too.
        onInput={({ nativeEvent }) => nativeEvent.isTrusted && setSaved(false)}
      >
        <PageFields stored={stored} />
        <LayoutFields monitors={monitors} layout={layout} onChange={onChange} />
        <HistoryFields stored={stored} />
        <FormFailure />
        <div className="actions page-editor-save">
          <SubmitButton>{stored ? "Save" : "Create page"}</SubmitButton>
          {!stored && (
            <Link className="button" replace href="/pages">
              Cancel
            </Link>
          )}
          <span role="status">{saved && "Saved."}</span>
        </div>
      </div>
      <FormPreview layout={layout} monitors={monitors} />
    </Form>
  );
}

/** The layout, and the same as a reference, because the form validates before its next rendering. */
function useLayout(stored: Page | undefined) {
  const [layout, setLayout] = useState<Layout>(() => layoutOf(stored?.components ?? []));
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
  return async (values: NewPage): Promise<Page> => {
    const page = await getData(stored ? api.pages({ id: stored.id }).patch(values) : api.pages.post(values));
    queries.setQueryData(queryKeys.page(page.id), page);
    await invalidate(queries, changedByPage);
    if (!stored) navigate(`/pages/${page.id}`, { replace: true });
    return page;
  };
}
