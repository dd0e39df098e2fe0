import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { FIRST_NAME } from "../../../domain/accounts/organization.ts";
import type { Session } from "../data/api.ts";
import { apiKeysQuery, meQuery, organizationQuery } from "../data/query-keys.ts";
import { texts } from "../languages/texts.ts";
import { Palette } from "../palette/palette.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Attention } from "./attention.tsx";
import { currentView, Icon, MenuLink, menu, menuViews } from "./menu.tsx";
import { useSession, useSignOut } from "./session.tsx";
import { ThemePicker } from "./theme-picker.tsx";

const isMac = /Mac|iP/.test(navigator.platform);

/** The search that Ctrl+K opens, and the list of shortcuts. Also counts in the title and the icon of the tab. */
export function Search() {
  const [open, setOpen] = useState<"search" | "shortcuts">();
  const close = () => setOpen(undefined);
  useShortcuts(setOpen);
  return (
    <>
      <Attention />
      <button
        type="button"
        className="button-quiet"
        aria-keyshortcuts={isMac ? "Meta+K" : "Control+K"}
        onClick={() => setOpen("search")}
      >
        <Icon of="/search" />
        <span>{texts.tools.search}</span> <kbd>{isMac ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      <button
        type="button"
        className="button-quiet shell-help"
        title={texts.tools.shortcuts.title}
        aria-label={texts.tools.shortcuts.title}
        aria-keyshortcuts="?"
        onClick={() => setOpen("shortcuts")}
      >
        ?
      </button>
      {open === "search" && <Palette onClose={close} />}
      {open === "shortcuts" && <Shortcuts onClose={close} />}
    </>
  );
}

/** The second key of a shortcut that leads to a view, after G. */
const goTo = new Map([
  ["o", "/"],
  ["u", "/outages"],
  ["m", "/maintenances"],
  ["e", "/events"],
  ["p", "/pages"],
  ["r", "/reports"],
  ["c", "/channels"],
  ["s", "/settings"],
]);

/** Milliseconds in which the second key of a shortcut follows the first one. */
const SECOND_KEY = 1500;

function useShortcuts(open: (what: "search" | "shortcuts") => void): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      // Another dialog may have values that are not saved.
      if (document.querySelector("dialog[open]")) return;
      const key = event.key.toLowerCase();
      const isCommand = isMac ? event.metaKey : event.ctrlKey;
      if (key === "k" && isCommand) {
        event.preventDefault();
        return open("search");
      }
      const isTyped = (event.target as Element).matches?.("input, select, textarea, [contenteditable]");
      if (isTyped || event.metaKey || event.ctrlKey || event.altKey) return;
      const path = event.timeStamp - startedAt < SECOND_KEY ? goTo.get(key) : undefined;
      startedAt = key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (key === "?") open("shortcuts");
      else if (path) navigate(path);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [open, navigate]);
}

function Shortcuts({ onClose }: { onClose: () => void }) {
  const names = new Map(menuViews.map(({ path, name }) => [path, texts.app.menu.views[name]]));
  const text = texts.tools.shortcuts;
  const shortcuts: [keys: string[], what: string][] = [
    [[isMac ? "⌘" : "Ctrl", "K"], text.search],
    [["?"], text.list],
    ...[...goTo].map(([key, path]): [string[], string] => [
      ["G", key.toUpperCase()],
      names.get(path) ?? path,
    ]),
    [["Esc"], text.close],
  ];
  return (
    <Dialog title={text.title} onClose={onClose}>
      <dl className="shortcuts">
        {shortcuts.map(([keys, what]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-hint">{text.hint}</p>
    </Dialog>
  );
}

/** Who is signed in, and where: a person with the organization, or a key with its role. */
function useReader({ personId, keyId, role }: Session) {
  const me = useQuery({ ...meQuery, enabled: personId !== undefined }).data;
  const keys = useQuery({ ...apiKeysQuery, enabled: keyId !== undefined }).data;
  const { name: organization } = useQuery(organizationQuery).data ?? { name: "" };
  const place = organization === FIRST_NAME ? "" : organization;
  if (personId !== undefined)
    return { name: me && (me.name ?? me.email), place: place || texts.common.role[role] };
  const key = keys?.find(({ id }) => id === keyId);
  return { name: key?.name, place: [texts.tools.keys[role], place].filter(Boolean).join(" · ") };
}

/** The first letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s.@_-]+/u)
    .filter(Boolean);
  const last = words.length > 1 ? words.at(-1) : "";
  return [words[0], last]
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
}

/** Name and organization of the reader, a link to the profile of a person, and the end of the session. */
export function Account({ session }: { session: Session }) {
  const [location] = useLocation();
  const signOut = useSignOut();
  return (
    <>
      {session.personId === undefined ? (
        <div className="account">
          <Reader session={session} />
        </div>
      ) : (
        <Link href="/profile" className="account" aria-current={location === "/profile" ? "page" : undefined}>
          <Reader session={session} />
          <span className="visually-hidden">, {texts.tools.profile}</span>
        </Link>
      )}
      <button
        type="button"
        className="button-quiet"
        title={texts.tools.signOut}
        aria-label={texts.tools.signOut}
        onClick={signOut}
      >
        <Icon of="/sign-out" />
      </button>
    </>
  );
}

function Reader({ session }: { session: Session }) {
  const { name, place } = useReader(session);
  return (
    <>
      <span className="avatar" aria-hidden="true">
        {initialsOf(name ?? "")}
      </span>
      <span className="account-name">
        <bdi>{name}</bdi>
        <span>{place}</span>
      </span>
    </>
  );
}

/** On a phone: all views, the profile, and the end of the session. @property isCurrent whether the view in use has no place below */
export function More({ isCurrent }: { isCurrent: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [location] = useLocation();
  const session = useSession();
  const signOut = useSignOut();
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        className="shell-more"
        aria-haspopup="dialog"
        aria-current={isCurrent ? "page" : undefined}
        onClick={() => setOpen(true)}
      >
        <Icon of="/more" />
        {texts.tools.more}
      </button>
      {isOpen && session && (
        <Dialog title={texts.tools.more} onClose={close}>
          <div className="more-views">
            {menu.map(({ group, views }) => (
              <section key={group} aria-label={texts.app.menu.groups[group]}>
                <h3>{texts.app.menu.groups[group]}</h3>
                <ul>
                  {views.map((view) => (
                    <li key={view.path}>
                      <MenuLink view={view} isCurrent={view.path === currentView(location)} onClick={close} />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </div>
          <ThemePicker />
          <div className="account">
            <Reader session={session} />
          </div>
          <DialogActions close={null} onClose={close}>
            {session.personId && (
              <Link className="button" href="/profile" onClick={close}>
                {texts.tools.profile}
              </Link>
            )}
            <button type="button" onClick={signOut}>
              {texts.tools.signOut}
            </button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
