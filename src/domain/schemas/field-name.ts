/** The name of a field of an object in a message: `config.port`, or `config.headers["a b"]` for a name with other characters. */
export function fieldOf(at: string, name: string): string {
  if (name === "" || !/^[\w-]*$/.test(name)) return `${at}[${JSON.stringify(shortened(name))}]`;
  return at === "" ? shortened(name) : `${at}.${shortened(name)}`;
}

const LONGEST_NAME = 100;

function shortened(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}
