import { statusWords } from "../../../domain/checks/status-phrases.ts";
import type { Config } from "../data/api.ts";
import { texts } from "../languages/texts.ts";
import { latencyOrDash } from "../ui/durations.ts";
import { ScrollableTable } from "../ui/list.tsx";

/** A step that a check has made. Both are null if it got no answer. */
interface MadeStep {
  name: string;
  statusCode: number | null;
  latencyMs: number | null;
}

/** The steps in the detail of a result. */
interface WithSteps {
  steps: readonly MadeStep[];
  message?: unknown;
}

/** Whether a result is one of several steps. */
export function hasSteps(detail: Config): detail is Config & WithSteps {
  return Array.isArray(detail.steps);
}

/** The steps that a check has made, and what the message says of one of them (behavior 26.186). */
export function StepTable({ detail: { steps, message } }: { detail: WithSteps }) {
  const causes = steps.map(({ name }) => afterName(name, message));
  const hasCause = causes.some((cause) => cause !== "");
  const words = texts.status.steps;
  const { step, answer, latency, detail } = words.columns;
  const columns = [step, answer, { number: latency }, ...(hasCause ? [detail] : [])];
  return (
    <ScrollableTable label={words.table} columns={columns}>
      {steps.map(({ name, statusCode, latencyMs }, at) => (
        <tr key={at}>
          <td className="table-long">{name}</td>
          <td>{statusCode === null ? words.noAnswer : statusWords(statusCode)}</td>
          <td className="table-number">{latencyOrDash(latencyMs)}</td>
          {hasCause && <td className="table-long table-detail">{causes[at]}</td>}
        </tr>
      ))}
    </ScrollableTable>
  );
}

/** The rest of a message that begins with the name of a step. Empty if it is about something else. */
function afterName(name: string, message: unknown): string {
  const start = `${name}: `;
  return typeof message === "string" && message.startsWith(start) ? message.slice(start.length) : "";
}
