import { useEffect, useState } from "react";
import { Link } from "wouter";
import { Palette } from "../palette/palette.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Attention } from "./attention.tsx";
import { menu, PRIMARY, useSession, useSignOut } from "./session.tsx";
import { ThemePicker } from "./theme-picker.tsx";

const isMac = /Mac|iP/.test(navigator.platform);

/** The search that Ctrl+K opens. Also counts in the title and the icon of the tab. */
export function Search() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(isMac ? event.metaKey : event.ctrlKey)) return;
      event.preventDefault();
      // Another dialog may have values that are not saved.
      if (!document.querySelector("dialog[open]")) setOpen(true);
    };
    addEventListener("keydown", open);
    return () => removeEventListener("keydown", open);
  }, []);
  return (
    <>
      <Attention />
      <button
        type="button"
        className="button-quiet header-search"
        aria-keyshortcuts={isMac ? "Meta+K" : "Control+K"}
        onClick={() => setOpen(true)}
      >
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M11 11l3.6 3.6M12.4 7a5.4 5.4 0 1 1-10.8 0 5.4 5.4 0 0 1 10.8 0z" />
        </svg>
        Search <kbd>{isMac ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      {isOpen && <Palette onClose={() => setOpen(false)} />}
    </>
  );
}

/** On a phone: the views that have no place at the bottom. */
export function More({ isCurrent }: { isCurrent: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const session = useSession();
  const signOut = useSignOut();
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        className="header-more"
        aria-haspopup="dialog"
        aria-current={isCurrent ? "page" : undefined}
        onClick={() => setOpen(true)}
      >
        More
      </button>
      {isOpen && (
        <Dialog title="More" onClose={close}>
          <ul className="more-views">
            {menu.slice(PRIMARY).map(([path, name]) => (
              <li key={path}>
                <Link href={path} onClick={close}>
                  {name}
                </Link>
              </li>
            ))}
            <li>
              <a href="/wall">Wall</a>
            </li>
            {session?.personId && (
              <li>
                <Link href="/profile" onClick={close}>
                  Profile
                </Link>
              </li>
            )}
          </ul>
          <ThemePicker />
          <div className="actions actions-end">
            <button type="button" onClick={signOut}>
              Sign out ({session?.role})
            </button>
            <button type="button" onClick={close}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
