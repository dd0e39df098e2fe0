import { type FormEvent, useId, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { Dialog, DialogActions, DialogButton } from "../ui/dialog.tsx";
import {
  MAX_VIEW_NAME,
  type SavedView,
  searchOf,
  useSavedViews,
  withoutView,
  withView,
} from "./saved-views.ts";

/** Links to the saved views, and what the reader can do with the current one. Nothing without filters and views. */
export function ViewBar() {
  const [params] = useSearchParams();
  const [views, changeViews] = useSavedViews();
  const search = searchOf(params);
  const current = views?.find((view) => view.search === search);
  if (!views || (views.length === 0 && search === "")) return null;
  return (
    <nav className="view-bar" aria-label="Saved views">
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
        <DialogButton label="Save view" className="button-small">
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
          Delete view
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
  const save = (event: FormEvent) => {
    event.preventDefault();
    onSave(name.trim());
    onClose();
  };
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <form onSubmit={save}>
        <div className="field">
          <label htmlFor={id}>Name</label>
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
            This browser keeps the filters and the order. A view with the same name is replaced.
          </p>
        </div>
        <DialogActions onClose={onClose}>
          <button type="submit" className="button-primary">
            Save view
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
