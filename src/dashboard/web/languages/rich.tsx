import { Fragment, type ReactNode } from "react";
import type { Places, Tags } from "../../languages/table.ts";
import { fill, shown, texts } from "./texts.ts";

/** An element or a value for each place of a text, and a function of the text inside for each tag. */
type Parts<Text extends string> = { readonly [Name in Places<Text>]: ReactNode } & {
  readonly [Name in Tags<Text>]: (inside: string) => ReactNode;
};

/** A text with elements: `Since {time}, by <link>the guide</link>`. */
export function rich<Text extends string>(text: Text, parts: Parts<Text>): ReactNode {
  const given = parts as Record<string, Part>;
  return text.split(PARTS).map((part, at) => {
    const [, place, tag = "", inside = ""] = PART.exec(part) ?? [];
    const value = given[place ?? tag];
    const node = typeof value === "function" ? value(fillPlain(inside, given)) : nodeOf(value ?? part);
    return <Fragment key={at}>{node}</Fragment>;
  });
}

/** A title such as `Delete “{name}”?` with a name that people chose, which may be in a script from right to left. */
export function named(text: string, name: string): ReactNode {
  return rich<string>(text, { name: <bdi>{name}</bdi> });
}

/** The parts of a short description that apply, with commas between them. */
export function joined(parts: readonly ReactNode[]): ReactNode {
  return parts
    .filter(Boolean)
    .flatMap((part, at) => (at === 0 ? [part] : [texts.common.comma, part]))
    .map((part, at) => <Fragment key={at}>{part}</Fragment>);
}

const PARTS = /(\{\w+\}|<\w+>[^<]*<\/\w+>)/;
const PART = /^(?:\{(\w+)\}|<(\w+)>([^<]*)<\/\w+>)$/;

type Part = ReactNode | ((inside: string) => ReactNode);

function nodeOf(value: ReactNode): ReactNode {
  return typeof value === "number" || typeof value === "string" ? shown(value) : value;
}

/** The text inside a tag, whose places have values without elements. */
function fillPlain(inside: string, given: Record<string, Part>): string {
  return fill<string>(inside, given as Record<string, string | number>);
}

/** The tag `hidden`: a part of a text for screen readers alone. */
export function hidden(text: string): ReactNode {
  return <span className="visually-hidden">{text}</span>;
}
