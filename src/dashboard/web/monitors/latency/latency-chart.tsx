import { type ReactNode, useEffect, useRef } from "react";
import { type Drawing, type Plotted, PlotView } from "./latency-plot.ts";
import type { Shade } from "./shades.ts";

interface Props {
  /** The same object as long as it shows the same. */
  drawing: Drawing;
  /** As `drawing`. */
  shades?: readonly Shade[];
  /** A summary for screen readers. */
  label: string;
  /** See `Plotted`. Without it, no time can be selected. */
  onZoom?: Plotted["onZoom"];
  /** The keys of the lines. */
  children: ReactNode;
}

const NONE: readonly Shade[] = [];

/** A plot with its keys, and a description of the point under the pointer. */
export function LatencyChart({ drawing, shades = NONE, label, onZoom, children }: Props) {
  const plot = useRef<HTMLDivElement>(null);
  const view = useRef<PlotView>(null);
  const point = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    if (plot.current) view.current = new PlotView(plot.current);
    return () => view.current?.remove();
  }, []);
  useEffect(() => {
    const onPoint = (description: string) => {
      if (point.current) point.current.textContent = description;
    };
    view.current?.show({ drawing, shades, onPoint, onZoom });
  }, [drawing, shades]);
  return (
    <figure className="latency-chart">
      <div ref={plot} role="img" aria-label={label} />
      <figcaption>
        {children}
        {[...new Set(shades.map(({ kind }) => kind))].map((kind) => (
          <span key={kind} className={`latency-key latency-key-shade latency-key-${kind}`}>
            {kind}
          </span>
        ))}
        <output ref={point} />
      </figcaption>
    </figure>
  );
}
