import { useEffect, useRef, useState } from "react";
import { tagsIn } from "../data/tags.ts";
import { exactText, Field } from "./fields.tsx";
import { reportChange } from "./form.tsx";

interface Props {
  name: string;
  label: string;
  tags: readonly string[];
  /** Tags that monitors have, the most frequent ones first. */
  known: readonly string[];
  hint?: string;
}

const MAX_OFFERED = 12;

/** Tags in one line of text, and buttons that add tags of other monitors. */
export function TagField({ name, label, tags, known, hint }: Props) {
  const [text, setText] = useState(tags.join(" "));
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => reportChange(element.current), [text]);
  const entered = tagsIn(text);
  const offered = known.filter((tag) => !entered.includes(tag)).slice(0, MAX_OFFERED);
  return (
    <div className="tag-field" ref={element}>
      <Field name={name} label={label} hint={hint}>
        {(props) => (
          <input
            {...props}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            placeholder="web production"
            {...exactText}
          />
        )}
      </Field>
      {offered.length > 0 && (
        <ul className="tag-field-offered" aria-label={`${label} of other monitors`}>
          {offered.map((tag) => (
            <li key={tag}>
              <button
                type="button"
                className="button-small"
                onClick={() => setText([...entered, tag].join(" "))}
              >
                <span className="visually-hidden">Add the tag </span>
                {tag}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
