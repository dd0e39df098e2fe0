const CURL = "curl -fsS -m 10 --retry 5 -o /dev/null";

/** A shell command that checks in with the outcome of a job. @param succeeded a condition in the shell */
const reportCommand = (succeeded: string, url: string) =>
  `if ${succeeded}; then s=ok; else s=fail; fi; ${CURL} "${url}?status=$s"`;

/** Ready-made commands that check in. @param cron the schedule of the job, if known */
export const snippets = {
  curl: (url: string) => `${CURL} ${url}`,
  crontab: (url: string, cron = "0 3 * * *") => `${cron} ${reportCommand("your-job", url)}`,
  systemd: (url: string) =>
    `ExecStopPost=/bin/sh -c '${reportCommand('[ "$SERVICE_RESULT" = success ]', url)}'`,
  PowerShell: (url: string) =>
    `& your-job.exe; if ($LASTEXITCODE -eq 0) { $s = 'ok' } else { $s = 'fail' }; foreach ($wait in 1, 2, 4, 8, 16, 0) { try { Invoke-RestMethod -Uri "${url}?status=$s" -TimeoutSec 10; break } catch { Start-Sleep $wait } }`,
};

export type Tool = keyof typeof snippets;
export const TOOLS = Object.keys(snippets) as Tool[];
