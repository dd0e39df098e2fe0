import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { Failure } from "./failure.tsx";

interface Props {
  title: string;
  aside?: ReactNode;
  /** Why the view cannot be shown, or not all of it. */
  error?: unknown;
  /** Where the reader can go after an error. */
  back?: { href: string; to: string };
  /** Undefined while the view is loading. */
  children?: ReactNode;
}

/** The frame of a view. The title is the heading, which gets the focus if a link led here, and the document's title. */
export function View({ title, aside, error, back, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const memory = useViewMemory();
  useTitle(title);
  useEffect(() => {
    if (memory.visited) heading.current?.focus({ preventScroll: true });
    memory.visited = true;
  }, [memory]);
  const isLoading = children === undefined && !error;
  return (
    <main id="main" aria-busy={isLoading}>
      <div className="view-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {aside && <div className="actions">{aside}</div>}
      </div>
      <Failure error={error} />
      {Boolean(error) && back && <Link href={back.href}>{`Back to the ${back.to}`}</Link>}
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
  /** Whether a view was shown already. */
  visited: boolean;
  /** Pixels: the height of the list of monitors when the reader left it. */
  listHeight: number;
}

const Memory = createContext<ViewMemory | null>(null);

export function ViewMemoryProvider({ children }: { children: ReactNode }) {
  const [memory] = useState<ViewMemory>(() => ({ visited: false, listHeight: 0 }));
  return <Memory value={memory}>{children}</Memory>;
}

export function useViewMemory(): ViewMemory {
  const memory = useContext(Memory);
  if (!memory) throw new Error("a view needs a ViewMemoryProvider around it");
  return memory;
}
