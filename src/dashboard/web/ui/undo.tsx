import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { beforeSignOut } from "../app/session.tsx";
import { api } from "../data/api.ts";
import { changeHidden, type useChange } from "../data/use-change.ts";
import { fill, plural, texts } from "../languages/texts.ts";
import { describeError } from "./filters.tsx";

/*
 * A change may be undone for ten seconds: `offerUndo` shows a toast with a button. It is the last part of the document, waits while
 * it has the focus or the pointer, and Ctrl+Z presses its button. The next offer ends the one before.
 */

/** @property text the change, as a sentence */
export interface Undoable {
  text: string;
  /** Takes it back. @returns a sentence, if more is to be said than “Undone.” */
  undo: () => Promise<unknown> | unknown;
  /** Does what waits for the end of the ten seconds, also when the page is left: its request must outlive the page. */
  commit?: () => Promise<unknown>;
  /** Comes before the reason if `commit` fails. */
  failed?: string;
}

type Change = ReturnType<typeof useChange>;
type BulkRequest = Parameters<typeof api.monitors.bulk.post>[0];

/**
 * Changes many monitors, and offers to give each its own old values again, as far as nobody has changed the monitor since.
 *
 * @param change fetches again what the request changes @returns the answer
 */
export async function changeMany(change: Change, body: BulkRequest) {
  const done = await change(api.monitors.bulk.post(body, { query: { undo: "true" } }));
  const { changedCount, auditIds: ids = [] } = done;
  if (ids.length === 0) return done;
  const undo = async () => {
    const { undone, refusedCount, refused } = await change(api.audit.undo.bulk.post({ ids }));
    if (refusedCount === 0) return undefined;
    const [first] = refused;
    return plural(texts.ui.lastChange.undoneInPart, undone, {
      refused: refusedCount,
      error: first?.error ?? "",
    });
  };
  offerUndo({ text: plural(texts.ui.lastChange.changed, changedCount), undo });
  return done;
}

interface LateDeletion {
  ids: readonly string[];
  /** Says that they will be deleted, for example `The channel “Night” will be deleted.` */
  pending: string;
  /** Begins the message of a failure, for example `The channel “Night” could not be deleted`. */
  failed: string;
  /** Sends the request, and fetches again what it changes. */
  send: () => Promise<unknown>;
}

/**
 * Hides some things, and deletes them when the reader can no longer undo that, or leaves the page. They are shown again if they
 * cannot be deleted. What gives access is deleted at once instead: behavior 16.391.
 */
export function deleteLate({ ids, pending, failed, send }: LateDeletion): void {
  const showAgain = () => changeHidden((before) => before.difference(new Set(ids)));
  changeHidden((before) => before.union(new Set(ids)));
  const commit = () => send().finally(showAgain);
  offerUndo({
    text: pending,
    undo: showAgain,
    commit,
    failed,
  });
}

/** Milliseconds for which an offer is shown. */
const SHOWN_FOR = 10_000;
/** For which an outcome is shown, except a failure. */
const OUTCOME_FOR = 4000;

interface Shown {
  text: string;
  /** Absent after the button was pressed. */
  offer?: Undoable;
  /** Why an earlier change failed: it is shown together with the offer after it. */
  failure?: string;
}

let shown: Shown | null = null;
let isStarted = false;
const listeners = new Set<() => void>();

/** Shows that something was done, and offers to undo it. */
export function offerUndo(offer: Undoable): void {
  commit();
  show({ text: offer.text, offer });
}

/** Says what was done, without an offer. */
export function say(text: string): void {
  commit();
  show({ text });
}

function show(next: Shown | null): void {
  shown = next;
  if (next && !isStarted) void start();
  for (const listener of listeners) listener();
}

/** The region is in the document before its first text, so that screen readers announce this one too. */
async function start(): Promise<void> {
  isStarted = true;
  addEventListener("pagehide", commit);
  beforeSignOut.push(commit);
  addEventListener("keydown", (event: KeyboardEvent) => {
    const isField = (event.target as Element).closest("input, textarea, select, [contenteditable]");
    if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || isField) return;
    if (!shown?.offer || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    void takeBack();
  });
  const { createRoot } = await import("react-dom/client");
  createRoot(document.body.appendChild(document.createElement("div"))).render(<Toast />);
}

/** Ends the offer: what waited for it is done. */
async function commit(): Promise<void> {
  const offer = shown?.offer;
  if (!offer) return;
  show(null);
  await offer.commit?.().catch((error) => {
    const values = { failed: offer.failed ?? "", error: describeError(error) };
    fail(fill(texts.ui.lastChange.failed, values));
  });
}

/** Shows a failure, together with an offer that came after it. */
function fail(failure: string): void {
  show({ ...(shown?.offer ? shown : { text: "" }), failure });
}

async function takeBack(): Promise<void> {
  const offer = shown?.offer;
  if (!offer) return;
  show({ text: texts.ui.lastChange.undoing });
  try {
    const said = await offer.undo();
    if (!shown?.offer) show({ text: typeof said === "string" ? said : texts.ui.lastChange.undone });
  } catch (error) {
    fail(fill(texts.ui.lastChange.notUndone, { error: describeError(error) }));
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function Toast() {
  const now = useSyncExternalStore(subscribe, () => shown);
  const [isHeld, setHeld] = useState(false);
  useTimeout(now, isHeld);
  return (
    <section
      className="undo-toast"
      aria-label={texts.ui.lastChange.label}
      data-shown={now !== null || undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div role="status">
        {now?.text && <p>{now.text}</p>}
        {now?.failure && <p className="failure">{now.failure}</p>}
      </div>
      {now?.offer && (
        <button type="button" aria-keyshortcuts="Control+Z" onClick={takeBack}>
          {texts.ui.lastChange.undo}
        </button>
      )}
      {now && (
        <button
          type="button"
          className="button-quiet"
          aria-label={texts.ui.lastChange.dismiss}
          onClick={() => (now.offer ? commit() : show(null))}
        >
          ✕
        </button>
      )}
    </section>
  );
}

/** Ends what is shown after its time, without the time in which the reader holds it. */
function useTimeout(now: Shown | null, isHeld: boolean): void {
  const left = useRef<{ of: Shown | null; milliseconds: number }>({ of: null, milliseconds: 0 });
  useEffect(() => {
    if (left.current.of !== now)
      left.current = { of: now, milliseconds: now?.offer || now?.failure ? SHOWN_FOR : OUTCOME_FOR };
    if (!now || isHeld) return undefined;
    const { current } = left;
    const startedAt = performance.now();
    const timer = setTimeout(() => (now.offer ? commit() : show(null)), current.milliseconds);
    return () => {
      clearTimeout(timer);
      current.milliseconds -= performance.now() - startedAt;
    };
  }, [now, isHeld]);
}
