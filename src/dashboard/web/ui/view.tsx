import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { GUIDE } from "../../paths.ts";
import { base } from "../app/base.ts";
import { texts } from "../languages/texts.ts";
import { Failure } from "./filters.tsx";

/** Where a link leads. */
export interface Back {
  href: string;
  to: keyof typeof texts.ui.backTo;
}

interface Props {
  title: string;
  /** The heading, if it has more than the title. */
  heading?: ReactNode;
  aside?: ReactNode;
  /** Why the view cannot be shown, or not all of it. */
  error?: unknown;
  /** Where the reader can go after an error. */
  back?: Back;
  /** Undefined while the view is loading. */
  children?: ReactNode;
}

/**
 * The frame of a view. The title is the document's title, and the heading, which gets the focus if a link led here. If a view with
 * the same address replaces it, such as one that has loaded, the reader may have moved the focus, and keeps it.
 */
export function View({ title, heading: shown = title, aside, error, back, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const memory = useViewMemory();
  const [path] = useLocation();
  useTitle(title);
  useEffect(() => {
    const element = heading.current;
    const isLedHere = memory.path !== undefined && memory.path !== path;
    if (isLedHere || memory.hadFocus) element?.focus({ preventScroll: true });
    memory.path = path;
    return () => {
      memory.hadFocus = document.activeElement === element;
    };
  }, [memory, path]);
  const isLoading = children === undefined && !error;
  const guide = GUIDE.find(([prefix]) => path.startsWith(prefix))?.[1];
  return (
    <main id="main" aria-busy={isLoading}>
      <div className="view-head">
        <h1 ref={heading} tabIndex={-1}>
          {shown}
        </h1>
        {guide && (
          <a className="view-guide" href={`${base}/guide/${guide}`} target="_blank" rel="noopener">
            {texts.ui.guide}
          </a>
        )}
        {aside && <div className="actions">{aside}</div>}
      </div>
      <Failure error={error} />
      {Boolean(error) && back && <Link href={back.href}>{texts.ui.backTo[back.to]}</Link>}
      {isLoading ? <div className="skeleton" /> : children}
    </main>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · stillup`;
  }, [title]);
}

export function Badge({ children }: { children: ReactNode }) {
  return <span className="badge">{children}</span>;
}

/** The state that stays while views change. */
interface ViewMemory {
  /** The address of the last view; undefined before the first one. */
  path: string | undefined;
  /** Whether the heading of the last view had the focus when it was left. */
  hadFocus: boolean;
  /** Pixels: the height of the list of monitors when the reader left it. */
  listHeight: number;
}

const Memory = createContext<ViewMemory | null>(null);

export function ViewMemoryProvider({ children }: { children: ReactNode }) {
  const [memory] = useState<ViewMemory>(() => ({ path: undefined, hadFocus: false, listHeight: 0 }));
  return <Memory value={memory}>{children}</Memory>;
}

export function useViewMemory(): ViewMemory {
  const memory = useContext(Memory);
  if (!memory) throw new Error("a view needs a ViewMemoryProvider around it");
  return memory;
}
