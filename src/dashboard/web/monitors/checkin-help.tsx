import { useState } from "react";
import { describeSchedule } from "../../../domain/monitors/target.ts";
import type { Config, Report } from "../data/api.ts";
import { Card, Fact } from "../ui/card.tsx";
import { CopyableText } from "../ui/clipboard.tsx";
import { Time, TimeSince } from "../ui/time.tsx";
import { commandsOf, SCHEDULERS, type Scheduler } from "./job-commands.ts";

/** The check-ins of a job, and how the job can send them. */
export function CheckinHelp({ report, config }: { report: Report; config: Config }) {
  const { checkinUrl, lastCheckinAt, learnedPeriod, deadline } = report;
  const cron = typeof config.cron === "string" ? config.cron : undefined;
  const [scheduler, setScheduler] = useState<Scheduler>("cron");
  return (
    <Card id="checkin" title="Check-in">
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
        the URL can check in. These commands also report the start, so that you see how long runs take, and a
        run that hangs is found.
      </p>
      <fieldset className="segments checkin-tabs">
        <legend className="visually-hidden">Commands</legend>
        {SCHEDULERS.map((one) => (
          <button key={one} type="button" aria-pressed={one === scheduler} onClick={() => setScheduler(one)}>
            {one}
          </button>
        ))}
      </fieldset>
      {commandsOf(scheduler, checkinUrl, cron).map(({ by, hint, text }) => (
        <div key={by} className="checkin-command">
          <p>
            With <code>{by}</code>
            {hint && <span className="text-hint">: {hint}</span>}
          </p>
          <CopyableText text={text} label={`the command with ${by}`} />
        </div>
      ))}
    </Card>
  );
}
