import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Field } from "../form/fields.tsx";
import { Failure } from "../ui/failure.tsx";
import { renderedQuery } from "./incident-queries.ts";

/** Milliseconds without a change after which the preview is rendered. */
const PAUSE = 300;

interface Props {
  name: string;
  label: string;
  /** The text at first. Default: none. */
  value?: string | undefined;
  hint: string;
}

/** A text in Markdown, with a preview of what the public page makes of it. */
export function MarkdownField({ name, label, value = "", hint }: Props) {
  const [text, setText] = useState(value);
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="markdown-field">
      <Field name={name} label={label} hint={hint}>
        {(props) => (
          <textarea
            {...props}
            dir="auto"
            rows={6}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <button
        type="button"
        className="button-quiet"
        aria-expanded={isOpen}
        onClick={() => setOpen((before) => !before)}
      >
        {isOpen ? "Hide preview" : "Preview"}
      </button>
      {isOpen && <Preview text={text} />}
    </div>
  );
}

function Preview({ text }: { text: string }) {
  const settled = useSettled(text.trim() === "" ? "" : text);
  const { data, error } = useQuery({
    ...renderedQuery(settled),
    enabled: settled !== "",
    placeholderData: keepPreviousData,
  });
  return (
    <section className="markdown-preview" aria-label="Preview">
      <Failure error={error} />
      {settled === "" ? <p className="text-muted">Nothing to show yet.</p> : <Rendered html={data ?? ""} />}
    </section>
  );
}

/** @property html from the API, which has escaped everything that people wrote */
export function Rendered({ html }: { html: string }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { body } = new DOMParser().parseFromString(html, "text/html");
    // Another tab, because the text is not saved yet.
    for (const link of body.querySelectorAll("a")) link.target = "_blank";
    element.current?.replaceChildren(...body.childNodes);
  }, [html]);
  return <div className="markdown" dir="auto" ref={element} />;
}

/** The latest text that did not change for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
