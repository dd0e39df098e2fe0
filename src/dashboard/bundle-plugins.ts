import type { BunPlugin } from "bun";

/**
 * Replaces React by Preact, which has a fifth of its size: on a phone, the script takes most of the loading time. Preact
 * also has what the router takes from a package for older versions of React.
 */
const preact: BunPlugin = {
  name: "preact",
  setup(build) {
    const replacements: Record<string, string> = {
      react: "preact/compat",
      "react-dom": "preact/compat",
      "react-dom/client": "preact/compat/client",
      "react/jsx-runtime": "preact/jsx-runtime",
      "use-sync-external-store/shim/index.js": "preact/compat",
    };
    build.onResolve({ filter: /^(react(-dom)?|use-sync-external-store)(\/|$)/ }, ({ path }) => {
      const replacement = replacements[path];
      return replacement ? { path: Bun.resolveSync(replacement, import.meta.dir) } : undefined;
    });
  },
};

/** Modules that the page does not need, or only in part, and what it gets in their place. */
const REPLACEMENTS: { file: RegExp; contents: string }[] = [
  {
    // TypeBox assigns a module with all its builders to a variable, so that the bundler cannot leave out the unused ones: 7 kB.
    file: /typebox\/build\/esm\/type\/type\/index\.mjs$/,
    contents: 'export * as Type from "./type.mjs";',
  },
  {
    // The texts that TypeBox has for its errors; stillup has its own: 1 kB.
    file: /typebox\/build\/esm\/errors\/function\.mjs$/,
    contents: 'export const GetErrorFunction = () => () => "";',
  },
  {
    // The server checks JSONPath expressions when the form is saved: 12 kB.
    file: /\/json-p3\/dist\//,
    contents: "export class JSONPathEnvironment { compile() { return { singularQuery: () => true }; } }",
  },
  {
    // A key that only browsers write. The server checks it.
    file: /\/push-point\.ts$/,
    contents: "export const isPushPoint = () => true;",
  },
];

const smallerModules: BunPlugin = {
  name: "smaller-modules",
  setup(build) {
    for (const { file, contents } of REPLACEMENTS)
      build.onLoad({ filter: file }, () => ({ contents, loader: "js" }));
  },
};

/** A description of literals. The page itself does not describe anything by fields of this name in `domain/`. */
const DESCRIPTION =
  /\bdescription:\s*(?:(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)\s*\+?\s*)+(?:,|(?=\}))/g;

/** The same as the last argument of `described`. */
const DESCRIBED =
  /(\bdescribed\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?,)\s*(?:"(?:[^"\\\n]|\\.)*"|`[^`]*`),?\s*\)/g;

/** Examples that are literals. */
const EXAMPLES = /\bexamples:\s*\[[^[\]{}()]*\]\s*(?:,|(?=\}))/g;

/** The name of a schema. */
const NAME = /\bnamed\("\w+"\)/g;

/** Leaves out the descriptions and names of schemas, which are for the documentation of the API: more than 1 kB of the scripts. */
const withoutDescriptions: BunPlugin = {
  name: "without-descriptions",
  setup(build) {
    build.onLoad({ filter: /src\/domain\/.*\.ts$/ }, async ({ path }) => ({
      contents: (await Bun.file(path).text())
        .replace(DESCRIPTION, "")
        .replace(EXAMPLES, "")
        .replace(DESCRIBED, '$1 "")')
        .replace(NAME, 'named("")'),
      loader: "ts",
    }));
  },
};

/** They make the scripts of the page smaller. */
export const PLUGINS = [preact, smallerModules, withoutDescriptions];
