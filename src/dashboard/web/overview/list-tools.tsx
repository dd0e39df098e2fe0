import { type FormEvent, lazy, type MouseEvent, Suspense, useEffect, useId, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { useSession } from "../app/session.tsx";
import { changedByMonitor } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { texts, withTexts } from "../languages/texts.ts";
import { ConfirmButton, Dialog, DialogActions, DialogButton } from "../ui/dialog.tsx";
import { Failure, useAction } from "../ui/filters.tsx";
import { changeMany } from "../ui/undo.tsx";
import type { SelectMode } from "./bulk/select-mode.tsx";

interface Props {
  mode: SelectMode | null;
  /** False if the reader cannot select monitors. */
  onMode: false | ((mode: SelectMode | null) => void);
  mayPause: boolean;
}

/** Actions on many monitors. */
export function ListTools({ mode, onMode, mayPause }: Props) {
  return (
    <div className="list-tools">
      {onMode && <SelectButton mode={mode} onMode={onMode} />}
      {mayPause && <PauseAll />}
    </div>
  );
}

function PauseAll() {
  const change = useChange(...changedByMonitor);
  const pause = async () => {
    const body = { selector: { all: true as const }, change: { enabled: false } };
    await changeMany(change, body);
  };
  return (
    <ConfirmButton
      label={texts.overview.actions.pauseAll}
      title={texts.tools.list.pauseAll.title}
      onConfirm={pause}
      className="button-quiet button-small"
    >
      {texts.tools.list.pauseAll.text}
    </ConfirmButton>
  );
}

interface ButtonProps extends Pick<Props, "mode"> {
  onMode: (mode: SelectMode | null) => void;
}

function SelectButton({ mode, onMode }: ButtonProps) {
  const { error, run } = useAction();
  const toggle = ({ currentTarget: button }: MouseEvent<HTMLElement>) =>
    run(async () => {
      if (mode) return mode.end();
      const { selectMode } = await loadForms();
      onMode(selectMode.startSelecting(() => onMode(null), button));
    });
  return (
    <>
      <Failure error={error} />
      <button
        type="button"
        className="button-quiet button-small select-button"
        aria-pressed={mode !== null}
        onClick={toggle}
      >
        {texts.overview.actions.select}
      </button>
    </>
  );
}

const loadForms = () => withTexts(import("../app/form-views.ts"), "shared", "account", "forms", "faults");

/** The overview is shown without it if its script cannot be loaded. */
const UnwatchedLines = lazy(() =>
  loadForms().then(
    ({ unwatched }) => ({ default: unwatched.UnwatchedLines }),
    () => ({ default: () => null }),
  ),
);

/** Links to the things that nobody watches (behavior 28.101), and to the saved views. */
export function ViewBar() {
  return (
    <>
      {useSession()?.discovery && (
        <Suspense>
          <UnwatchedLines />
        </Suspense>
      )}
      <SavedViews />
    </>
  );
}

/** Links to the saved views, and what the reader can do with the current one. Nothing without filters and views. */
function SavedViews() {
  const [params] = useSearchParams();
  const [views, changeViews] = useSavedViews();
  const search = searchOf(params);
  const current = views?.find((view) => view.search === search);
  if (!views || (views.length === 0 && search === "")) return null;
  return (
    <nav className="view-bar" aria-label={texts.tools.views.label}>
      {views.length > 0 && (
        <ul>
          {views.map((view) => (
            <li key={view.name}>
              <ViewLink view={view} isCurrent={view === current} />
            </li>
          ))}
        </ul>
      )}
      {!current && search !== "" && (
        <DialogButton label={texts.tools.views.save} className="button-small">
          {(onClose) => (
            <NameView
              onSave={(name) => changeViews((all) => withView(all, { name, search }))}
              onClose={onClose}
            />
          )}
        </DialogButton>
      )}
      {current && (
        <button
          type="button"
          className="button-small button-danger-quiet"
          onClick={() => changeViews((all) => withoutView(all, current.name))}
        >
          {texts.tools.views.delete}
        </button>
      )}
    </nav>
  );
}

/** The current view leads to the list without filters. */
function ViewLink({ view: { name, search }, isCurrent }: { view: SavedView; isCurrent: boolean }) {
  return (
    <Link
      href={isCurrent ? "/" : `/?${search}`}
      className="view-bar-link"
      aria-current={isCurrent ? "true" : undefined}
    >
      {name}
    </Link>
  );
}

/** Without the parts of other forms, which would enlarge the first script of the page. */
function NameView({ onSave, onClose }: { onSave: (name: string) => void; onClose: () => void }) {
  const id = useId();
  const [name, setName] = useState("");
  const words = texts.tools.views.dialog;
  const save = (event: FormEvent) => {
    event.preventDefault();
    onSave(name.trim());
    onClose();
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form onSubmit={save}>
        <div className="field">
          <label htmlFor={id}>{words.name}</label>
          <input
            id={id}
            required
            pattern=".*\S.*"
            maxLength={MAX_VIEW_NAME}
            autoComplete="off"
            aria-describedby={`${id}-hint`}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <p className="text-hint" id={`${id}-hint`}>
            {words.hint}
          </p>
        </div>
        <DialogActions onClose={onClose}>
          <button type="submit" className="button-primary">
            {words.save}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Filters and an order of the overview under a name. @property search the query of its address, as `searchOf` returns it */
interface SavedView {
  name: string;
  search: string;
}

const MAX_VIEW_NAME = 50;

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
function useSavedViews(): [SavedView[] | null, ChangeViews] {
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
