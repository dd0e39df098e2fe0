import { useState } from "react";
import type { Config, Report } from "../data/api.ts";
import { CopyableText } from "../ui/clipboard.tsx";
import { Fact } from "../ui/fact.tsx";
import { Time, TimeSince } from "../ui/time/time.tsx";
import { snippets, TOOLS, type Tool } from "./checkin-snippets.ts";
import { describeSchedule } from "./monitor-types.ts";

/** The check-ins of a job, and how the job can send them. */
export function CheckinHelp({ report, config }: { report: Report; config: Config }) {
  const { checkinUrl, lastCheckinAt, learnedPeriod, deadline } = report;
  const cron = typeof config.cron === "string" ? config.cron : undefined;
  const [tool, setTool] = useState<Tool>("crontab");
  return (
    <section className="card" aria-labelledby="checkin">
      <h2 id="checkin">Check-in</h2>
      <dl className="facts">
        <Fact name="Schedule">{describeSchedule(config, learnedPeriod)}</Fact>
        <Fact name="Last check-in">
          {lastCheckinAt ? (
            <>
              <TimeSince at={lastCheckinAt} /> ago
            </>
          ) : (
            "never"
          )}
        </Fact>
        <Fact name="Deadline">{deadline ? <Time at={deadline} /> : "none yet"}</Fact>
      </dl>
      <p className="checkin-label">Check-in URL</p>
      <CopyableText text={checkinUrl} label="the check-in URL" />
      <p className="text-hint">
        Call it after each run of the job, with <code>?status=fail</code> if the job failed. Anyone who knows
        the URL can check in.
      </p>
      <fieldset className="segments checkin-tabs">
        <legend className="visually-hidden">Commands</legend>
        {TOOLS.map((one) => (
          <button key={one} type="button" aria-pressed={one === tool} onClick={() => setTool(one)}>
            {one}
          </button>
        ))}
      </fieldset>
      <CopyableText text={snippets[tool](checkinUrl, cron)} label={`the command for ${tool}`} />
    </section>
  );
}
