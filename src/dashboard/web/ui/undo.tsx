import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { api } from "../data/api.ts";
import { changeHidden, type useChange } from "../data/use-change.ts";
import { formatCount, formatNumber } from "./numbers.ts";

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
}

interface ManyChanged {
  text: string;
  /** The entries of the audit log about the changes. */
  auditIds: string[] | undefined;
  change: ReturnType<typeof useChange>;
}

/** Offers to give each of some monitors its own old values again, as far as nobody has changed the monitor since. */
export function offerUndoOfMany({ text, auditIds: ids = [], change }: ManyChanged): void {
  if (ids.length === 0) return;
  const undo = async () => {
    const { undone, refusedCount, refused } = await change(api.audit.undo.bulk.post({ ids }));
    if (refusedCount === 0) return undefined;
    const [first] = refused;
    return `Undone for ${formatCount(undone, "monitor")}, not for ${formatNumber(refusedCount)}: ${first?.error}.`;
  };
  offerUndo({ text, undo });
}

interface LateDeletion {
  ids: readonly string[];
  /** The change, as a sentence. */
  text: string;
  /** Sends the request, and fetches again what it changes. */
  send: () => Promise<unknown>;
}

/** Hides some things, and deletes them when the reader can no longer undo that, or leaves the page. */
export function deleteLate({ ids, text, send }: LateDeletion): void {
  const showAgain = () => changeHidden((before) => before.difference(new Set(ids)));
  changeHidden((before) => before.union(new Set(ids)));
  offerUndo({ text, undo: showAgain, commit: () => send().finally(showAgain) });
}

/** Milliseconds for which an offer is shown. */
const SHOWN_FOR = 10_000;
/** For which the outcome is shown. */
const OUTCOME_FOR = 4000;

interface Shown {
  text: string;
  /** Absent after the button was pressed. */
  offer?: Undoable;
  isFailure?: boolean;
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
function commit(): void {
  const offer = shown?.offer;
  if (!offer) return;
  show(null);
  offer.commit?.().catch((error: Error) => show({ text: error.message, isFailure: true }));
}

async function takeBack(): Promise<void> {
  const offer = shown?.offer;
  if (!offer) return;
  show({ text: "Undoing…" });
  try {
    const said = await offer.undo();
    show({ text: typeof said === "string" ? said : "Undone." });
  } catch (error) {
    show({ text: (error as Error).message, isFailure: true });
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
      aria-label="Last change"
      data-shown={now !== null || undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p role="status" className={now?.isFailure ? "failure" : undefined}>
        {now?.text}
      </p>
      {now?.offer && (
        <button type="button" aria-keyshortcuts="Control+Z" onClick={takeBack}>
          Undo
        </button>
      )}
      {now && (
        <button
          type="button"
          className="button-quiet"
          aria-label="Dismiss"
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
      left.current = { of: now, milliseconds: now?.offer ? SHOWN_FOR : OUTCOME_FOR };
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
