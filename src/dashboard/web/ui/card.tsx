import type { ReactNode } from "react";
import { rich } from "../languages/rich.tsx";
import { texts } from "../languages/texts.ts";

export function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Warns that the next apply of a configuration file replaces changes of this page; nothing without a ref. */
export function ManagedBy({ reference }: { reference: string | null | undefined }) {
  if (!reference) return null;
  return <p className="text-muted">{rich(texts.ui.managedBy, { reference: <code>{reference}</code> })}</p>;
}

interface CardProps {
  /** ID of the heading. */
  id: string;
  title: ReactNode;
  /** Beside the heading. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A part of a view with its own heading. */
export function Card({ id, title, aside, className = "card", children }: CardProps) {
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section className={className} aria-labelledby={id}>
      {aside ? (
        <div className="card-head">
          {heading}
          {aside}
        </div>
      ) : (
        heading
      )}
      {children}
    </section>
  );
}
