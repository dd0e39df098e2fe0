import type { SeedOptions } from "../run-seed.ts";

/** Worlds in which the seeds look for faults. */
export const DAYS: SeedOptions = { days: 3, monitors: 6 };
/** With long intervals: for faults that no check needs to see. */
export const LONG: SeedOptions = { days: 8, monitors: 10 };
/** With many notifications to receivers that fail. */
export const MONTH: SeedOptions = { days: 30, monitors: 12 };
/** Many jobs. */
export const CRONS: SeedOptions = { days: 8, monitors: 30 };
export const WEEKS: SeedOptions = { days: 15, monitors: 4 };
export const CALM: SeedOptions = { calmHours: 3 };
/** Channels with hours in which they are notified. */
export const NIGHTS: SeedOptions = { calmHours: 3, nights: true };
/** People who take turns. */
export const TURNS: SeedOptions = { onCallDays: 14 };
/** Teams whose people and schedules change meanwhile. */
export const TEAMS: SeedOptions = { onCallDays: 90, people: 24 };
/** Many monitors that fail together, so that chats get many notifications at once. */
export const CROWD: SeedOptions = { calmHours: 3, monitors: 12 };
export const PLACES: SeedOptions = { locationHours: 1 };
export const JOBS: SeedOptions = { jobWeeks: 7, monitors: 12 };
/** Everything together. */
export const WHOLE: SeedOptions = { whole: true, days: 16, monitors: 8 };
/** Everything together for a shorter time, with more monitors. */
export const FOUR_DAYS: SeedOptions = { whole: true, days: 4 };
export const BLIND: SeedOptions = { blindHours: 2 };
/** Jobs that report their runs. */
export const RUNS: SeedOptions = { runs: true, monitors: 24 };
/** Replays with other settings. */
export const REPLAYS: SeedOptions = { days: 6, monitors: 4, replay: true };
