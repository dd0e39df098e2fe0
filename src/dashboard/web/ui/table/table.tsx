import type { ReactNode } from "react";

interface Table {
  of: string;
  columns: (string | { number: string })[];
  /** The rows. */
  children: ReactNode;
}

/** A table that scrolls if it is wider than the screen, also with the keyboard. */
export function ScrollableTable({ of, columns, children }: Table) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
    <section className="table-scroll" aria-label={`Table of ${of}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === "string" ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column.number} scope="col" className="table-number">
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
