import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "wouter";

/** An entry of a menu: an action, or a link to a view. */
export type MenuItem = { label: ReactNode; className?: string } & (
  | { onSelect: () => void }
  | { href: string }
);

interface Props {
  label: ReactNode;
  /** Replaces the label for screen readers. */
  name?: string;
  className?: string;
  items: readonly MenuItem[];
}

/** A button with a menu below it; on a phone, the menu is at the bottom of the screen. */
export function Menu({ label, name, className = "", items }: Props) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    itemsIn(root.current)[0]?.focus();
    const onPress = ({ target }: Event) => root.current?.contains(target as Node) || setOpen(false);
    addEventListener("pointerdown", onPress);
    return () => removeEventListener("pointerdown", onPress);
  }, [isOpen]);
  // The focus is back before a dialog opens, which returns it to where it was.
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    if (event.key === "Tab") setOpen(false);
    if (event.key === "Escape") close();
    const next = nextItem(itemsIn(root.current), event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu in it gets the keys
    <div className="menu" ref={root} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        className={`menu-button ${className}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={name}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        <div className="menu-items" role="menu">
          {items.map((item, at) =>
            "href" in item ? (
              <Link key={at} role="menuitem" href={item.href} onClick={close}>
                {item.label}
              </Link>
            ) : (
              <button
                key={at}
                type="button"
                role="menuitem"
                className={item.className}
                onClick={() => {
                  close();
                  item.onSelect();
                }}
              >
                {item.label}
              </button>
            ),
          )}
        </div>
      )}
    </div>
  );
}

function itemsIn(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
}

function nextItem(items: HTMLElement[], key: string): HTMLElement | undefined {
  const at = items.indexOf(document.activeElement as HTMLElement);
  if (key === "ArrowDown") return items[(at + 1) % items.length];
  if (key === "ArrowUp") return items.at(at - 1);
  if (key === "Home") return items[0];
  return key === "End" ? items.at(-1) : undefined;
}
