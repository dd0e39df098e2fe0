/** A path of Gatus, such as `.data[0].id`, as a query of RFC 9535: `$.data[0].id`. Undefined if it has none. */
export function jsonPathOf(path: string): string | undefined {
  let query = "$";
  for (const key of keysOf(path.replace(/^\./, ""))) {
    const [, name = "", indexes = ""] = /^([^[\]]*)((?:\[\d+\])*)$/.exec(key) ?? [];
    if (name === "" && indexes === "") return undefined;
    query += (name === "" ? "" : member(name)) + indexes.replaceAll(/\[0+(?=\d)/g, "[");
  }
  return query;
}

/** A dot in brackets does not separate keys. */
function keysOf(path: string): string[] {
  return path.split(/\.(?![^[]*\])/);
}

function member(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return `.${name}`;
  return `['${name.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}']`;
}
