import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parse } from "@babel/parser";
import MagicString from "magic-string";

/** A node of a syntax tree: only what is read of it. */
interface Node {
  type: string;
  start: number;
  end: number;
  body?: Node;
  [property: string]: unknown;
}

/** Code of browsers, and texts in other languages, which are not traced. */
const LEFT_OUT = /^src\/(dashboard\/web|status-page\/languages)\//;

/** Appends the numbers of the called functions of each thread to a file of its own, a line for each 10 ms in which one was called. */
const RECORDER = `import { appendFileSync } from "node:fs";
import { threadId } from "node:worker_threads";
var calls;
export function called(number) { (calls ??= []).push(number); }
setInterval(() => {
  if (!calls) return;
  appendFileSync(process.env.TRACE_TO + "/" + threadId, Date.now() + " " + calls.join(" ") + "\\n");
  calls = undefined;
}, 10).unref();
`;

/** A function of the product, by its number. */
export interface TracedFunction {
  file: string;
  line: number;
}

/**
 * Copies the product to an empty folder, such that each call of a function is recorded in the folder that the variable `TRACE_TO` names.
 *
 * @returns the functions by their numbers
 */
export function copyInstrumented(folder: string): TracedFunction[] {
  const functions: TracedFunction[] = [];
  for (const name of ["drizzle", "package.json", "tsconfig.json"])
    cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
  cpSync("src", join(folder, "src"), { recursive: true });
  const recorder = join(folder, "src/called.ts");
  for (const file of new Bun.Glob("src/**/*.{ts,tsx}").scanSync()) {
    if (LEFT_OUT.test(file) || file.endsWith(".d.ts")) continue;
    const path = relative(dirname(join(folder, file)), recorder);
    const text = instrument(file, readFileSync(file, "utf8"), functions);
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(
      join(folder, file),
      `${text}\nimport { called } from "${path.startsWith(".") ? path : `./${path}`}";\n`,
    );
  }
  writeFileSync(recorder, RECORDER);
  return functions;
}

/** @returns the text of a file that records its calls @param functions gets the functions of the file */
export function instrument(file: string, source: string, functions: TracedFunction[]): string {
  const text = new MagicString(source);
  const { program } = parse(source, { sourceType: "module", plugins: ["typescript", "jsx"] });
  for (const { start, body } of functionsIn(program as unknown as Node)) {
    const call = `called(${functions.length})`;
    functions.push({ file, line: source.slice(0, start).split("\n").length });
    if (body.type === "BlockStatement") text.appendRight(body.start + 1, `${call};`);
    else text.appendLeft(body.start, `(${call}, `).appendRight(body.end, ")");
  }
  return text.toString();
}

/** All functions with a body in a syntax tree, those in others too. */
function functionsIn(node: Node): { start: number; body: Node }[] {
  const inner = Object.values(node).flatMap((value) =>
    (Array.isArray(value) ? value : [value]).flatMap((child) => (isNode(child) ? functionsIn(child) : [])),
  );
  const isFunction = /^(Arrow)?Function|^(Object|Class|ClassPrivate)Method$/.test(node.type);
  return isFunction && node.body ? [{ start: node.start, body: node.body }, ...inner] : inner;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
