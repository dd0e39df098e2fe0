import { Tokenizer } from "htmlparser2";

/** Elements whose text nobody sees. */
const HIDDEN = new Set(["script", "style"]);

/** Elements within a line: their tags separate no words. */
const INLINE = new Set(
  (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span strike strong " +
    "sub sup time tt u var wbr"
  ).split(" "),
);

/**
 * The text of an HTML document without tags, comments, scripts and styles, with one space for each white space. Styles may
 * hide more of it. In linear time, also for markup that is not valid.
 */
export function visibleText(html: string): string {
  const parts: string[] = [];
  let hiddenIn: string | undefined;
  const add = (text: string) => {
    if (hiddenIn === undefined) parts.push(text);
  };
  const separate = (start: number, end: number) => {
    const name = html.slice(start, end).toLowerCase();
    if (!INLINE.has(name)) add(" ");
    return name;
  };
  const tokenizer = new Tokenizer(
    {},
    {
      ontext: (start, end) => add(html.slice(start, end)),
      ontextentity: (codePoint) => add(String.fromCodePoint(codePoint)),
      onopentagname(start, end) {
        const name = separate(start, end);
        if (HIDDEN.has(name)) hiddenIn ??= name;
      },
      onclosetag(start, end) {
        if (html.slice(start, end).toLowerCase() === hiddenIn) hiddenIn = undefined;
        separate(start, end);
      },
      ...IGNORED,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return withSingleSpaces(parts.join(""));
}

const ignore = () => {};
const IGNORED = {
  ...{ onattribdata: ignore, onattribentity: ignore, onattribend: ignore, onattribname: ignore },
  ...{ oncdata: ignore, oncomment: ignore, ondeclaration: ignore, onprocessinginstruction: ignore },
  ...{ onopentagend: ignore, onselfclosingtag: ignore, onend: ignore },
};

/** Characters that take no room: a soft hyphen, and places where a word may break. */
const INVISIBLE = /[\u00ad\u200b\u2060]/g;

/** A text with one space for each white space, and none around it. */
export function withSingleSpaces(text: string): string {
  return text.replaceAll(INVISIBLE, "").replaceAll(/\s+/g, " ").trim();
}
