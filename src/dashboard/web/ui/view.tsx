import { type ReactNode, useEffect, useRef } from "react";

let arrived = false;

/** One view: its name in the title and in the first heading, which gets the focus when one comes here by a link. */
export function View({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true });
    arrived = true;
  }, []);
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
