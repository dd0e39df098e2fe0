import { type ReactNode, useEffect, useRef } from "react";
import { useViewMemory } from "./view-memory.tsx";

/** The frame of a view. The title is the heading, which gets the focus if a link led here, and the document's title. */
export function View({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const memory = useViewMemory();
  useTitle(title);
  useEffect(() => {
    if (memory.visited) heading.current?.focus({ preventScroll: true });
    memory.visited = true;
  }, [memory]);
  return (
    <main id="main">
      <div className="view-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {aside && <div className="actions">{aside}</div>}
      </div>
      {children}
    </main>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · stillup`;
  }, [title]);
}
