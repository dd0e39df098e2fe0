import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { TEXT_FILES, type TextFile } from "../../../src/dashboard/languages/files.ts";
import { FORM_TEXTS, LIST_TEXTS } from "../../../src/dashboard/web/app/lazy-views.tsx";

const ROOT = join(import.meta.dir, "../../../src/dashboard/web");

/** Whoever imports it loads the texts of faults before it speaks. */
const FAULTS = "data/fault-text.ts";

/** The scripts that the page loads later, and the texts that it loads with each. All have the texts of the first script. */
const SCRIPTS: Record<string, readonly TextFile[]> = {
  "app/main.tsx": [],
  "app/tools.tsx": ["tools"],
  "app/list-views.ts": LIST_TEXTS,
  "app/form-views.ts": FORM_TEXTS,
  "overview/first-steps.tsx": FORM_TEXTS,
  "overview/list-pages.tsx": ["tools"],
  "overview/list-tools.tsx": ["tools"],
  "accounts/sign-in.tsx": ["account"],
  "accounts/invite.tsx": ["shared", "account", "faults"],
  "hindsight/hindsight.tsx": [...FORM_TEXTS, "hindsight"],
  "wall/wall.tsx": ["wall"],
  [FAULTS]: ["faults"],
};

function sourceOf(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The files that a script has in itself: all that it imports, directly or not. */
function filesOf(script: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(script)) return known;
  known.add(script);
  const imports = sourceOf(script).matchAll(/^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)";/gm);
  for (const [, name = ""] of imports) {
    const path = relative(ROOT, join(ROOT, dirname(script), name));
    if (!path.startsWith("..") && existsSync(join(ROOT, path))) filesOf(path, known);
  }
  return known;
}

function roomsIn(path: string): string[] {
  const code = sourceOf(path)
    .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
    .replaceAll(/\s*\n\s*(?=\.)/g, "");
  return [...code.matchAll(/(?<!typeof |\/|\.)\btexts\.(?!get\b)(\w+)/g)].map(([, room = ""]) => room);
}

test("every script that is loaded later is among those that are checked", () => {
  const found = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(ROOT)].flatMap((path) =>
    [...sourceOf(path).matchAll(/(?<!typeof )\bimport\("(\.[^"]+)"\)/g)].map(([, name = ""]) =>
      relative(ROOT, join(ROOT, dirname(path), name)),
    ),
  );
  const checked = Object.keys(SCRIPTS).filter((path) => path !== "app/main.tsx");
  expect([...new Set(found)].toSorted()).toEqual(checked.toSorted());
});

const ofStart = filesOf("app/main.tsx");

test.each(Object.keys(SCRIPTS))("behavior 27.4: %s is loaded with the rooms that it reads", (script) => {
  const rooms = (files: readonly TextFile[]) => files.flatMap((file): readonly string[] => TEXT_FILES[file]);
  const loaded = rooms(["start", ...(SCRIPTS[script] ?? [])]);
  const missing = [...filesOf(script)]
    .filter((path) => script === "app/main.tsx" || (path !== FAULTS && !ofStart.has(path)))
    .flatMap((path) => roomsIn(path).map((room) => `${path}: ${room}`))
    .filter((one) => !loaded.includes(one.split(": ")[1] ?? ""));
  expect([...new Set(missing)]).toEqual([]);
});
