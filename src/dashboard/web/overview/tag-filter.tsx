import { useMemo, useState } from "react";
import type { MonitorSummary } from "../data/api.ts";
import { countTags } from "../data/count-tags.ts";
import type { SetFilter } from "../ui/filters/use-url-filters.ts";
import { formatNumber } from "../ui/numbers.ts";
import { toggleTag } from "./tags.ts";

/** The number of tags that are shown at first. */
const SHOWN = 12;

interface Props {
  monitors: MonitorSummary[];
  selected: string[];
  setFilter: SetFilter;
}

/** A button for each tag, most used first. Only monitors with all selected tags are listed. */
export function TagFilter({ monitors, selected, setFilter }: Props) {
  const [showsAll, setShowsAll] = useState(false);
  const counted = useMemo(() => countTags(monitors), [monitors]);
  const unused = selected.filter((tag) => counted.every((one) => one.tag !== tag));
  const all = [...counted, ...unused.map((tag) => ({ tag, count: 0 }))];
  const shown = all.filter(({ tag }, at) => showsAll || at < SHOWN || selected.includes(tag));
  if (all.length === 0) return null;
  return (
    <fieldset className="tag-filter">
      <legend className="visually-hidden">Tags</legend>
      {shown.map(({ tag, count }) => (
        <button
          key={tag}
          type="button"
          className="tag-filter-tag"
          aria-pressed={selected.includes(tag)}
          onClick={() => setFilter("tag", toggleTag(selected, tag))}
        >
          {tag} <span>{formatNumber(count)}</span>
        </button>
      ))}
      {shown.length < all.length && (
        <button type="button" className="button-quiet button-small" onClick={() => setShowsAll(true)}>
          {formatNumber(all.length - shown.length)} more
        </button>
      )}
    </fieldset>
  );
}
