import { useEffect, useState } from "react";
import { withTexts } from "../languages/texts.ts";

type Script = typeof import("./first-steps.tsx");

let loaded: Script | undefined;

export async function loadFirstSteps(): Promise<Script> {
  loaded = await withTexts(import("./first-steps.tsx"), "shared", "account", "forms", "faults");
  return loaded;
}

/** The first steps: at once if their script is loaded already, so that nothing below them moves. */
export function LazyFirstSteps({ monitors }: { monitors: number }) {
  const [script, setScript] = useState(loaded);
  useEffect(() => {
    if (!script) loadFirstSteps().then(setScript, () => {});
  }, [script]);
  return script ? <script.FirstSteps monitors={monitors} /> : null;
}
