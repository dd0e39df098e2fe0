import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import type { NewPage as PageBody } from "../../../domain/pages/page-request.ts";
import { useHasRole } from "../app/session.tsx";
import { api, getData, type Page } from "../data/api.ts";
import { changedByPage, invalidate, queryKeys } from "../data/query-keys.ts";
import { Cancel } from "../form/edit-view.tsx";
import { exactText, Field, SelectField, TextField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { ZoneField } from "../form/monitor-picker.tsx";
import { Disclosure } from "../form/sections.tsx";
import { readDraft, useDraftKey } from "../form/use-draft.tsx";
import { languageOptions } from "../languages/language-names.ts";
import { fill, texts } from "../languages/texts.ts";
import { ManagedBy } from "../ui/card.tsx";
import { Failure } from "../ui/filters.tsx";
import { View } from "../ui/view.tsx";
import { LayoutFields } from "./layout/layout-fields.tsx";
import { componentEntries, type Layout, layoutOf } from "./layout/page-layout.ts";
import {
  HistoryFields,
  logoFaults,
  logoIn,
  PAGES,
  PageFields,
  pageFaults,
  pageIn,
  pageQuery,
  useComponentMonitors,
} from "./page-fields.tsx";
import { DeletePage, FormPreview, OpenPage, PagePreview } from "./page-list.tsx";
import { PageSnippets } from "./page-snippets.tsx";

export function NewPage() {
  const mayWrite = useHasRole("admin");
  return (
    <View title={texts.pages.editor.newTitle}>
      {mayWrite ? <PageForm /> : <p>{texts.form.roleNeeded}</p>}
    </View>
  );
}

export function PageEditor({ id }: { id: string }) {
  const { data, error } = useQuery(pageQuery(id));
  if (data) return <StoredPage page={data} />;
  return <View title={texts.pages.editor.title} error={error} back={PAGES} />;
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
        {texts.pages.actions.incidents}
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
          days={page.days}
          logo={logoUrlOf(page)}
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
function PageForm({ stored }: Props) {
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
          <SubmitButton>{stored ? texts.form.actions.save : texts.pages.editor.create}</SubmitButton>
          {!stored && <Cancel to="/pages" />}
          <span role="status">{saved && texts.pages.editor.saved}</span>
        </div>
      </div>
      {monitors && <FormPreview layout={layout} monitors={monitors} logo={logoUrlOf(stored)} />}
    </Form>
  );
}

/** Only a public page serves its logo without a password. */
function logoUrlOf(page: Page | undefined): string | undefined {
  return page?.visibility === "public" ? page.logo?.url : undefined;
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

/** The language of the page and the zone of its times (behavior 21.10). */
function LanguageFields({ stored }: { stored: Page | undefined }) {
  const words = texts.pages.language;
  return (
    <Disclosure summary={words.title} isOpen={false}>
      <SelectField
        name="language"
        label={words.label}
        value={stored?.language ?? "auto"}
        options={[{ value: "auto", label: words.ofReader }, ...languageOptions()]}
        hint={words.hint}
      />
      <ZoneField value={stored?.timezone ?? "UTC"} hint={words.zoneHint} />
    </Disclosure>
  );
}

/** A function, because the names take a browser a tenth of a second on a phone. */
/** The color and the logo of the page, and the sites that may embed it (behavior 17.28). */
function LookFields({ stored }: { stored: Page | undefined }) {
  const words = texts.pages.look;
  return (
    <Disclosure summary={words.title} isOpen={false}>
      <TextField
        name="accent"
        label={words.color}
        value={stored?.accent ?? ""}
        example="#2450c4"
        hint={words.colorHint}
      />
      {/* A saved file is no longer chosen. */}
      <LogoFields key={stored?.logo?.url} stored={stored} />
      <Field
        name="embedOrigins"
        label={words.embedOrigins}
        hint={fill(words.embedOriginsHint, { example: "https://www.example.com" })}
      >
        {(props) => (
          <textarea {...props} rows={2} defaultValue={stored?.embedOrigins.join("\n")} {...exactText} />
        )}
      </Field>
    </Disclosure>
  );
}

function LogoFields({ stored }: { stored: Page | undefined }) {
  return (
    <>
      <Field name="logo" label={texts.pages.look.logo} hint={texts.pages.look.logoHint}>
        {(props) => (
          <input {...props} type="file" accept="image/png,image/jpeg,image/webp,image/gif,image/svg+xml" />
        )}
      </Field>
      {stored?.logo && <StoredLogo page={stored} logo={stored.logo} />}
    </>
  );
}

function StoredLogo({ page, logo }: { page: Page; logo: NonNullable<Page["logo"]> }) {
  return (
    <div className="page-logo">
      {logoUrlOf(page) && <img src={logo.url} alt={texts.pages.look.logoImage} />}
      <label className="check">
        <input type="checkbox" name="removeLogo" />
        {texts.pages.look.removeLogo}
      </label>
    </div>
  );
}
