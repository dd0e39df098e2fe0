import { type ReactNode, useEffect, useRef } from "react";
import type { Drawing } from "./drawing.ts";
import { showPlot } from "./latency-plot.ts";

interface Props {
  /** The same object as long as it shows the same. */
  drawing: Drawing;
  /** A summary for screen readers. */
  label: string;
  /** The keys of the lines. */
  children: ReactNode;
}

export function LatencyChart({ drawing, label, children }: Props) {
  const plot = useRef<HTMLDivElement>(null);
  const point = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    const onPoint = (description: string) => {
      if (point.current) point.current.textContent = description;
    };
    return plot.current ? showPlot(plot.current, { drawing, onPoint }) : undefined;
  }, [drawing]);
  return (
    <figure className="latency-chart">
      <div ref={plot} role="img" aria-label={label} />
      <figcaption>
        {children}
        <output ref={point} />
      </figcaption>
    </figure>
  );
}
