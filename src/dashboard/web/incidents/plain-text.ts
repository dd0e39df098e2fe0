/** The words of a Markdown text in one line, without its marks (behavior 17.3). */
export function plainText(markdown: string): string {
  return (
    markdown
      .replace(/^ {0,3}(?:[#>]+|[-*+]|\d+[.)]) +/gm, "")
      .replace(/^ {0,3}(?:`{3,}.*|~{3,}.*|(?:[-*_] *){3,})$/gm, "")
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/<((?:https?|mailto):[^>\s]*)>/g, "$1")
      // Escaped marks are kept: they become private characters meanwhile.
      .replace(/\\([*_~`[\]\\])/g, (_, mark: string) => String.fromCharCode(0xe000 + mark.charCodeAt(0)))
      .replace(/(?<!\s)\*+|\*+(?!\s)|~~|`+/g, "")
      // An underscore within a word is a part of it.
      .replace(/(?<!\w)_+|_+(?!\w)/g, "")
      .replace(/[\ue000-\ue07f]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xe000))
      .replace(/\s+/g, " ")
      .trim()
  );
}
