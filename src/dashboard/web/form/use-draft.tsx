import { createContext, type RefObject, useContext, useEffect, useRef, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useSession } from "../app/session.tsx";
import { Time } from "../ui/time.tsx";
import { DraftControls } from "./draft-controls.ts";
import { type Draft, readDraft, writeDraft } from "./drafts.ts";

/** The draft that the form around a component restores. */
export const RestoredDraft = createContext<Draft | undefined>(undefined);

/** The values of a hidden field in the draft that is restored; undefined if it does not change them. */
export function useRestoredValues(name: string): string[] | undefined {
  return useContext(RestoredDraft)?.fields[name]?.now;
}

/** How many rows the draft that is restored has; undefined if it does not change them. */
export function useRestoredRows(name: string): number | undefined {
  const draft = useContext(RestoredDraft);
  return draft?.fields[name] && draft.rows[name];
}

/** Which draft belongs to the form of this address: another person or key does not see it. A copy of a monitor has a draft of its own. */
export function useDraftKey(): string {
  const [path] = useLocation();
  const [params] = useSearchParams();
  const session = useSession();
  return [session?.personId ?? session?.keyId, path, params.get("from")].filter(Boolean).join(" ");
}

/**
 * Keeps what is entered into a form until it is saved, also if the reader leaves it, and restores it.
 *
 * @param isKept whether the form has a draft
 * @returns `forget` deletes the draft; what is entered afterwards is a new one
 */
export function useDraft(form: RefObject<HTMLFormElement | null>, isKept: boolean) {
  const key = useDraftKey();
  const [restored] = useState(() => (isKept ? readDraft(key) : undefined));
  const controls = useRef<DraftControls>(null);
  useEffect(() => {
    const element = form.current;
    if (!isKept || !element) return undefined;
    controls.current = new DraftControls(restored);
    let isTouched = false;
    let isFilling = false;
    let written = contentOf(restored);
    const update = () => {
      if (isFilling || !controls.current) return;
      isFilling = true;
      controls.current.fill(element, isTouched);
      isFilling = false;
      const draft = controls.current.read(element, Date.now());
      if (contentOf(draft) !== written) writeDraft(key, draft);
      written = contentOf(draft);
    };
    const onInput = ({ isTrusted }: Event) => {
      isTouched ||= isTrusted;
      update();
    };
    const observer = new MutationObserver(update);
    observer.observe(element, { childList: true, subtree: true, attributeFilter: ["name"] });
    element.addEventListener("input", onInput);
    update();
    return () => {
      observer.disconnect();
      element.removeEventListener("input", onInput);
    };
  }, [form, key, isKept, restored]);
  const forget = () => {
    if (!isKept) return;
    controls.current = null;
    writeDraft(key, undefined);
    // After the saved values are rendered.
    requestAnimationFrame(() => {
      controls.current = new DraftControls(undefined);
      if (form.current) controls.current.fill(form.current, true);
    });
  };
  return { restored, forget };
}

/** Without its time. */
function contentOf(draft: Draft | undefined): string | undefined {
  return draft && JSON.stringify({ ...draft, at: 0 });
}

/** Says that the form is not as it is stored. To discard the draft, the page is loaded again: the form is as if nothing was entered. */
export function RestoredNotice({ draft, onDiscard }: { draft: Draft; onDiscard: () => void }) {
  const discard = () => {
    onDiscard();
    location.reload();
  };
  return (
    <p className="form-restored" role="status">
      <span>
        Restored what you typed at <Time at={new Date(draft.at).toISOString()} only="minute" />.
        {draft.lacksSecrets && " Enter the secrets again: they are not kept."}
      </span>
      <button type="button" className="button-small" onClick={discard}>
        Discard
      </button>
    </p>
  );
}
