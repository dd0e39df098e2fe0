import {
  filledBody,
  filledHeaders,
  filledUrl,
  parseSource,
  type Source,
} from "../../domain/checks/carried-values.ts";
import type { Observation, Sample } from "../../domain/checks/observation.ts";
import { takeValue } from "../../domain/checks/take-value.ts";
import { addSecrets, withoutValues } from "../../domain/evidence/secrets.ts";
import type { Step } from "../../domain/monitors/kinds/http-steps.ts";
import { nameOfStep } from "../../domain/monitors/kinds/http-target.ts";
import type { MonitorConfig } from "../../domain/monitors/monitor.ts";
import { shownFacts } from "../check-facts.ts";
import { Lifetime } from "../lifetime.ts";
import { observe, type ProbeContext, type ProbeInput, type Seen } from "../observe.ts";
import { ProbeError } from "../probe-error.ts";
import type { CheckConfig } from "../probe-thread.ts";
import { withOwnCertificate } from "./client-certificate.ts";
import { Cookies } from "./cookies.ts";
import { type Answered, rounded } from "./exchange.ts";
import { judge } from "./judge-answer.ts";
import { answerTo } from "./redirects.ts";
import { isTrustedUrl } from "./request.ts";
import { type Taking, valuesToTake } from "./taken-texts.ts";

type Config = CheckConfig<"HTTP">;

/**
 * Makes the steps of a config in their order, with one set of cookies and one timeout, until one fails (behavior 26.70 to 26.79).
 * The latency is the sum of the latencies of all steps.
 */
export async function probeSteps(
  config: Config,
  steps: readonly Step[],
  input: ProbeInput,
): Promise<Observation> {
  const course = new Course(config, steps);
  const observation = await observe(input, (context) => course.run(context));
  return course.described(observation);
}

/** @property statusCode of the final answer, null if there is none @property latencyMs to its status line */
interface Made {
  name: string;
  statusCode: number | null;
  latencyMs: number | null;
}

/** The steps of one check. */
class Course {
  private readonly made: Made[] = [];
  private readonly cookies = new Cookies();
  /** By name, also by one such as `__proto__`. */
  private readonly values: Record<string, string> = Object.create(null);
  /** The values of the step that fails. */
  private untaken: string[] = [];
  /** The config of the step in progress, which has the values that its texts must not show. */
  private current: Config;

  constructor(
    private readonly config: Config,
    private readonly steps: readonly Step[],
  ) {
    this.current = config;
  }

  async run(context: ProbeContext): Promise<Seen> {
    const whole = context.lifetime;
    const all: Reached[] = [];
    for (const [at, step] of this.steps.entries()) {
      whole.assertOngoing();
      // Each connection is closed before the next one opens.
      const lifetime = new Lifetime();
      whole.add(lifetime);
      context.lifetime = lifetime;
      if (at > 0) context.beginStep();
      const make = () => this.make(step, at, context);
      const { clientCertificate: client } = this.config;
      const isClient = client && isTrustedUrl(new URL(step.url), this.config);
      all.push(await (isClient ? withOwnCertificate(client, context, make) : make()));
      lifetime.close();
    }
    return { ...this.joined(all), latencyMs: this.latency() };
  }

  /** @throws ProbeError if the step fails */
  private async make(step: Step, at: number, context: ProbeContext): Promise<Reached> {
    const made: Made = { name: nameOfStep(step, at), statusCode: null, latencyMs: null };
    this.made.push(made);
    this.current = this.configOf(step);
    const answered = await answerTo(this.current, context, this.cookies);
    made.statusCode = answered.statusCode;
    made.latencyMs = rounded(answered.at - context.begunAt);
    const sources = sourcesOf(step);
    const wantsText = sources.some(([, { from }]) => from === "json");
    const seen = await judge(answered, context, wantsText).catch(async (error) => {
      await this.hideTaken(answered, sources);
      throw error;
    });
    if (seen.outcome !== "reached") throw new Error("an answer over HTTP was judged in another way");
    if (sources.length > 0 || at < this.steps.length - 1)
      await this.carryOn({ answered, sample: seen.sample }, sources, context);
    return seen;
  }

  /** The config of a monitor that makes one step. */
  private configOf(step: Step): Config & Taking {
    const { url, method, headers = {}, body, redirects, expect } = step;
    const filled = filledHeaders(headers, this.values);
    if ("failure" in filled) throw new ProbeError("unexpected", filled.failure);
    const target = filledUrl(url, this.values);
    if ("failure" in target) throw new ProbeError("unexpected", target.failure);
    return {
      ...this.config,
      url: target.url,
      ...(method && { method }),
      ...(Object.keys(headers).length > 0 && { headers: filled.headers }),
      ...(body !== undefined && { body: filledBody(body, headers, this.values) }),
      ...(redirects !== undefined && { redirects }),
      ...(expect && { expect }),
      taken: this.secrets(),
      ...(step.take && { takes: sourcesOf(step) }),
    };
  }

  /** Hides what a step would have taken of an answer that it judged, and that fails it. */
  private async hideTaken(answered: Answered, sources: readonly [string, Source][]): Promise<void> {
    if (!answered.body) return;
    const { headers } = await answered.reader().head();
    this.untaken = valuesToTake(sources, headers, answered.body);
    addSecrets(answered.config as MonitorConfig, this.untaken);
  }

  /** Keeps the cookies of an answer, and takes its values. @throws ProbeError `unexpected` if one is missing */
  private async carryOn(
    { answered, sample }: { answered: Answered; sample: Sample | undefined },
    sources: readonly [string, Source][],
    context: ProbeContext,
  ): Promise<void> {
    const { statusCode, body } = answered;
    const { headers } = await answered.reader().head();
    await this.cookies.keep(headers, answered.url);
    const cookie = (name: string) => this.cookies.valueOf(name);
    for (const [name, source] of sources) {
      const found = takeValue(name, source, { headers, body, cookie });
      if ("failure" in found) {
        if (source.from !== "json") context.waitingFor = "answer";
        const latencyMs = rounded(answered.at - context.begunAt);
        throw new ProbeError("unexpected", found.failure, {
          statusCode,
          latencyMs,
          ...(sample && { sample }),
        });
      }
      this.values[name] = found.value;
    }
  }

  /** The last observation, with the contents of all steps, and the worst excess of `within`. */
  private joined(all: readonly Reached[]): Reached {
    const excess = ({ slowBy = 0 }: Reached) => slowBy;
    const slowBy = Math.max(...all.map(excess));
    const at = all.findIndex((one) => excess(one) === slowBy);
    const contents = all.flatMap((one) => one.contents ?? []);
    const { slowBy: _, contents: __, detail, ...others } = all.at(-1) as Reached;
    const last = contents.length > 0 ? { ...others, contents } : others;
    const { statusCode } = detail;
    if (slowBy === 0) return { ...last, detail: { statusCode } };
    const message = `${this.made[at]?.name}: ${all[at]?.detail.message}`;
    return { ...last, slowBy, detail: { statusCode, message } };
  }

  private latency(): number {
    return rounded(this.made.reduce((sum, { latencyMs }) => sum + (latencyMs ?? 0), 0));
  }

  private secrets(): string[] {
    return [...Object.values(this.values), ...this.untaken, ...this.cookies.secrets()];
  }

  /** The observation with the steps that were made, and the name of the step that failed. */
  described(observation: Observation): Observation {
    if (observation.outcome === "reached")
      return { ...observation, detail: { ...observation.detail, steps: this.made } };
    const last = this.made.at(-1);
    if (observation.outcome !== "failed" || !last) return observation;
    const { detail, facts, latencyMs } = observation;
    if (typeof detail.statusCode === "number") last.statusCode = detail.statusCode;
    const message = `${last.name}: ${withoutValues(String(detail.message), this.secrets())}`;
    return {
      ...observation,
      ...(latencyMs !== undefined && { latencyMs: this.latency() }),
      ...(facts && { facts: shownFacts(facts, this.current as MonitorConfig) }),
      detail: { ...detail, message, steps: this.made },
    };
  }
}

type Reached = Extract<Seen, { outcome: "reached" }>;

/** The names of a step with the places from which their values are taken. */
function sourcesOf({ take = {} }: Step): [name: string, source: Source][] {
  return Object.entries(take).flatMap(([name, text]) => {
    const source = parseSource(text);
    return source ? [[name, source]] : [];
  });
}
