import { createJob, type Job } from "../../bench/faults/job.ts";
import type { Change } from "../scenario.ts";
import type { Spot } from "./spot.ts";

const jobs = new WeakMap<Spot, Job>();

/** The job of the place checks in now, and once per period. @param seconds of the period */
export function runs(seconds: number): Change {
  return (spot) => {
    jobs.get(spot)?.stop();
    // The first stage begins before the monitor exists.
    void spot.checkinUrl.then((url) => {
      const job = createJob(url, seconds * 1000);
      jobs.set(spot, job);
      spot.own({ [Symbol.dispose]: () => job.stop() });
      job.start();
    });
  };
}

/** The job dies. */
export const dies: Change = (spot) => jobs.get(spot)?.stop();

/** One check-in by hand. @param query appended to the URL */
export function checksIn(query = "", method = "GET"): Change {
  return (spot) => void spot.checkinUrl.then((url) => fetch(`${url}${query}`, { method }));
}
