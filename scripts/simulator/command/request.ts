import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { DELIBERATE_FAULTS, deliberateFault } from "../deliberate-faults/deliberate.ts";
import type { DeliberateFault } from "../deliberate-faults/fault.ts";
import type { SeedOptions } from "../run-seed.ts";
import { SIMULATED_ENGINES, type SimulatedEngine } from "../world/database.ts";

/** The largest seed. */
const MAX_SEED = 2 ** 32 - 1;

export interface Request {
  seeds: number[];
  options: SeedOptions;
  fault: string | undefined;
  workers: number;
  /** The deliberate faults to find, instead of running seeds. */
  faults: readonly DeliberateFault[] | undefined;
  /** The last seed that is to find one. */
  upTo: number;
  /** Whether a seed that fails is reduced to a test. */
  shrinks: boolean;
  /** Whether it is an error if something that worlds can do never happened. */
  demandsCoverage: boolean;
}

/** Ends the process with exit code 2 if an option is wrong. */
export function readRequest(args: string[]): Request {
  try {
    const { values } = parseArgs({
      args,
      options: {
        seed: { type: "string" },
        seeds: { type: "string" },
        days: { type: "string" },
        monitors: { type: "string" },
        workers: { type: "string" },
        engine: { type: "string", default: "sqlite" },
        whole: { type: "boolean", default: false },
        locations: { type: "boolean", default: false },
        calm: { type: "boolean", default: false },
        nights: { type: "boolean", default: false },
        "on-call": { type: "boolean", default: false },
        people: { type: "string" },
        turns: { type: "boolean", default: false },
        jobs: { type: "boolean", default: false },
        blind: { type: "boolean", default: false },
        runs: { type: "boolean", default: false },
        replay: { type: "boolean", default: false },
        computed: { type: "boolean", default: false },
        weeks: { type: "string", default: "8" },
        hours: { type: "string" },
        fault: { type: "string" },
        faults: { type: "boolean", default: false },
        only: { type: "string" },
        "up-to": { type: "string", default: "40" },
        nodes: { type: "string" },
        coverage: { type: "boolean", default: false },
        "demand-coverage": { type: "boolean", default: false },
        shrink: { type: "boolean", default: false },
      },
    });
    const seeds = values.faults ? [] : seedsOf(values);
    if (values.locations && values.engine !== "sqlite") throw new Error("--locations needs --engine sqlite");
    if (values.nodes && values.engine !== "postgres") throw new Error("--nodes needs --engine postgres");
    const { whole, locations, calm, jobs, blind, runs, "on-call": onCall } = values;
    if ([whole, locations, calm, jobs, blind, runs, onCall].filter(Boolean).length > 1)
      throw new Error("give only one of --whole, --locations, --calm, --on-call, --jobs, --blind and --runs");
    if (onCall && values.shrink) throw new Error("--on-call has people, who can't be left out");
    if (values.people !== undefined && !onCall) throw new Error("--people needs --on-call");
    if (values.people !== undefined && values.monitors !== undefined)
      throw new Error("--people has the monitors of its teams: leave out --monitors");
    if (values.turns && (values.people === undefined || values.engine !== "sqlite"))
      throw new Error("--turns needs --people, and has no database");
    if (values.nights && !calm) throw new Error("--nights needs --calm");
    if ((values.coverage || values["demand-coverage"]) && !whole)
      throw new Error("--coverage and --demand-coverage need --whole");
    if (runs && (values.shrink || values.engine !== "sqlite"))
      throw new Error("--runs has no database and no faults to leave out");
    if (values.replay && (runs || values.people !== undefined || values.nodes !== undefined))
      throw new Error("--replay needs a world with one server, and not --people");
    if (values.computed && !values.replay) throw new Error("--computed needs --replay");
    if (values.replay && values.coverage) throw new Error("--replay has no --coverage");
    if (values.shrink && seeds.length > 1) throw new Error("--shrink needs --seed");
    const hours = (fallback: string) => wholeNumber("--hours", values.hours ?? fallback, 1, 48);
    const faults = values.only ? values.only.split(",").map(deliberateFault) : DELIBERATE_FAULTS;
    const most = Math.min(values.faults ? faults.length : seeds.length, availableParallelism());
    return {
      seeds,
      options: {
        days: values.days === undefined ? undefined : wholeNumber("--days", values.days, 1, 3650),
        whole: whole || undefined,
        coverage: values.coverage || values["demand-coverage"] || undefined,
        engine: engineOf(values.engine),
        nodes: values.nodes === undefined ? undefined : wholeNumber("--nodes", values.nodes, 1, 8),
        locationHours: values.locations ? hours("2") : undefined,
        calmHours: values.calm ? hours("6") : undefined,
        nights: values.nights || undefined,
        onCallDays: onCall ? wholeNumber("--days", values.days ?? "14", 3, 365) : undefined,
        people: values.people === undefined ? undefined : wholeNumber("--people", values.people, 4, 1000),
        turns: values.turns || undefined,
        blindHours: values.blind ? hours("2") : undefined,
        jobWeeks: values.jobs ? wholeNumber("--weeks", values.weeks, 4, 52) : undefined,
        runs: runs || undefined,
        replay: values.replay || undefined,
        computed: values.computed || undefined,
        monitors:
          values.monitors === undefined ? undefined : wholeNumber("--monitors", values.monitors, 1, 10_000),
      },
      fault: values.fault && deliberateFault(values.fault).name,
      workers: values.workers === undefined ? most : wholeNumber("--workers", values.workers, 1, 1024),
      faults: values.faults ? faults : undefined,
      upTo: wholeNumber("--up-to", values["up-to"], 1, MAX_SEED),
      shrinks: values.shrink,
      demandsCoverage: values["demand-coverage"],
    };
  } catch (error) {
    console.error(`simulate: ${(error as Error).message}`);
    process.exit(2);
  }
}

function seedsOf({ seed, seeds }: { seed?: string | undefined; seeds?: string | undefined }): number[] {
  if ((seed === undefined) === (seeds === undefined))
    throw new Error("give either --seed N or --seeds A..B, for example --seeds 1..200");
  if (seed !== undefined) return [wholeNumber("--seed", seed, 0, MAX_SEED)];
  const [, first, last] = /^(\d+)\.\.(\d+)$/.exec(seeds ?? "") ?? [];
  if (first === undefined || last === undefined)
    throw new Error(`--seeds must be a range such as 1..200, got ${seeds}`);
  const [from, to] = [wholeNumber("--seeds", first, 0, MAX_SEED), wholeNumber("--seeds", last, 0, MAX_SEED)];
  if (from > to) throw new Error(`--seeds must begin with the smaller number, got ${seeds}`);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

function engineOf(name: string): SimulatedEngine {
  const engine = SIMULATED_ENGINES.find((one) => one === name);
  if (!engine) throw new Error(`--engine must be one of ${SIMULATED_ENGINES.join(", ")}, got ${name}`);
  return engine;
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${name} must be a whole number from ${least} to ${most}, got ${text}`);
}
