/** The name of a field of an object in a message: `config.port`, or `config.headers["a b"]` for a name with other characters. */
export function fieldOf(at: string, name: string): string {
  if (name === "" || !/^[\w-]*$/.test(name)) return `${at}[${JSON.stringify(shortened(name))}]`;
  return at === "" ? shortened(name) : `${at}.${shortened(name)}`;
}

const MAX_NAME_LENGTH = 100;

function shortened(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}
