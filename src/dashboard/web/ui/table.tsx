import type { ReactNode } from "react";

interface Table {
  of: string;
  columns: (string | { number: string })[];
  /** Its rows. */
  children: ReactNode;
}

/** A table that may be wider than the screen: it scrolls, by the keyboard too. */
export function TableBox({ of, columns, children }: Table) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="scroll" aria-label={`Table of ${of}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === "string" ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column.number} scope="col" className="number">
                  {column.number}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
