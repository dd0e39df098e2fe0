/** The name of a field of an object in a message: `config.port`, or `config.headers["a b"]` for a name with other characters. */
export function fieldOf(at: string, name: string): string {
  if (name === "" || !/^[\w-]*$/.test(name)) return `${at}[${JSON.stringify(shortened(name))}]`;
  return at === "" ? shortened(name) : `${at}.${shortened(name)}`;
}

/** A ref of a discovery has at most 111 characters. */
const MAX_NAME_LENGTH = 120;

function shortened(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}

/** The name of the field at a JSON Pointer. @param at the name of the value that the pointer is in */
export function fieldName(at: string, path: string): string {
  if (path === "") return at || "the body";
  return path.slice(1).split("/").map(unescaped).reduce(fieldOf, at);
}

/** Unescapes a part of a JSON Pointer. */
function unescaped(name: string): string {
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}
