import { canonicalJson } from "../canonical-json.ts";
import type { HttpConfig } from "../monitors/kinds/http.ts";
import type { Step } from "../monitors/kinds/http-steps.ts";
import { isHttpConfig, nameOfStep } from "../monitors/kinds/http-target.ts";
import type { MonitorConfig } from "../monitors/monitor.ts";
import {
  acceptContent,
  type ContentMemory,
  type ContentRules,
  describeChange,
  judgeContent,
  keyOf,
  type SeenContent,
  type WatchedContent,
  watchOf,
} from "./content-memory.ts";
import type { Judgement, Memory } from "./judge.ts";
import { CHANGED, type Evidence, hasFailure } from "./observation.ts";

const NOTHING: WatchedContent[] = [];
const NONE: ContentMemory[] = [];

/** The contents that a config watches, in the order of its steps. */
export function watchedContents(config: MonitorConfig): WatchedContent[] {
  if (!isHttpConfig(config)) return NOTHING;
  const { steps } = config;
  return steps ? steps.flatMap((step, at) => watchedInStep(step, at)) : watchedIn(config);
}

function watchedInStep(step: Step, at: number): WatchedContent[] {
  return watchedIn(step, at).map((watched) => ({ ...watched, step: nameOfStep(step, at) }));
}

/** With another URL or method, it is another content. @param at the place of the step */
function watchedIn(
  { url, method, expect }: Pick<HttpConfig, "url" | "method" | "expect">,
  at = 0,
): WatchedContent[] {
  if (expect?.same === undefined) return NOTHING;
  const watch = watchOf(expect.same);
  return [{ ...watch, key: keyOf(watch.of, canonicalJson([url, method, at])) }];
}

/** A judgement with what the content of an answer means (behavior 26.110 to 26.129). @param learns see `ContentRules` */
export function withContents(
  judged: Judgement,
  evidence: Evidence,
  { config, now, learns }: { config: MonitorConfig } & Pick<ContentRules, "now" | "learns">,
): Judgement {
  const watched = watchedContents(config);
  const before = judged.memory?.contents;
  if (watched.length === 0 && before === undefined) return judged;
  const rules = { now, learns, isWhole: !hasFailure(evidence) };
  const all = watched.map((watch, at) => {
    const known = before?.find(({ key }) => key === watch.key);
    return { watch, ...judgeContent(known, watch, seenIn(evidence, at), rules) };
  });
  const contents = all.flatMap(({ memory }) => memory ?? []);
  const isSame =
    contents.length === (before ?? NONE).length && contents.every((one, at) => one === before?.[at]);
  const memory = isSame ? judged.memory : withoutEmpty({ ...judged.memory, contents });
  const changed = all.find((one) => one.changed);
  if (!changed?.changed) return { ...judged, memory };
  const message = describeChange(changed.watch, changed.changed, changed.usual);
  return {
    ...judged,
    memory,
    status: "degraded",
    detail: { ...judged.detail, reason: CHANGED, message: joined(message, judged.detail?.message) },
    ...(all.some(({ isNews }) => isNews) && { isNews: true }),
  };
}

/** The memory after somebody acknowledged an outage (behavior 26.115). @returns the same object if nothing changes */
export function acceptContents(memory: Memory, startedAt: number): Memory {
  const contents = memory.contents?.map((one) => acceptContent(one, startedAt));
  return contents?.some((one, at) => one !== memory.contents?.[at]) ? { ...memory, contents } : memory;
}

/** A monitor that watches nothing has no field for it. */
function withoutEmpty({ contents, ...memory }: Memory): Memory | null {
  if (contents && contents.length > 0) return { ...memory, contents };
  return Object.keys(memory).length > 0 ? memory : null;
}

/** The values that the addresses of a target gave. @param at the place of what is watched */
function seenIn(evidence: Evidence, at: number): SeenContent[] {
  if (evidence.outcome === "by_address") return evidence.addresses.flatMap((one) => seenIn(one.evidence, at));
  const seen = evidence.outcome === "reached" ? evidence.contents?.[at] : undefined;
  return seen ? [seen] : [];
}

/** The messages about two things that a check saw. */
export function joined(first: string, second: unknown): string {
  return typeof second === "string" ? `${first}; ${second}` : first;
}
