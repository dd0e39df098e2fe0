import { fill, texts } from "../languages/texts.ts";
import { PAGE_SIZE } from "./overview-queries.ts";

interface PagesProps {
  page: number;
  matching: number;
  onPage: (page: number) => void;
}

/** The server sorts only so many pages: filters find the other monitors. */
const MAX_PAGES = 10;

/** The pages of a list that the server selects. */
export function Pages({ page, matching, onPage }: PagesProps) {
  const isLast = page + 1 >= Math.min(MAX_PAGES, Math.ceil(matching / PAGE_SIZE));
  const first = page * PAGE_SIZE + 1;
  const words = texts.tools.pages;
  const span = isLast && matching > MAX_PAGES * PAGE_SIZE ? words.spanOfLast : words.span;
  return (
    <nav className="actions" aria-label={words.label}>
      <button type="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        {words.previous}
      </button>
      <button type="button" disabled={isLast} onClick={() => onPage(page + 1)}>
        {words.next}
      </button>
      <span>{fill(span, { first, last: Math.min(first + PAGE_SIZE - 1, matching), total: matching })}</span>
    </nav>
  );
}
