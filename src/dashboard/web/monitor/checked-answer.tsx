import { statusWords } from "../../../domain/checks/status-phrases.ts";
import { formatLatency } from "../../../domain/duration.ts";
import type { CheckPreview } from "../data/api.ts";
import { Fact } from "../ui/fact.tsx";

type Answer = NonNullable<CheckPreview["answer"]>;

/** The answer of a server to a check that is not stored. */
export function CheckedAnswer({ answer }: { answer: Answer }) {
  const { statusCode, durationMs, isPrivate } = answer;
  return (
    <section className="checked-answer" aria-label="Answer">
      <dl className="facts">
        <Fact name="Status">{statusWords(statusCode)}</Fact>
        <Fact name="Time to the end of the answer">{formatLatency(durationMs)}</Fact>
      </dl>
      {!isPrivate && <Content answer={answer} />}
      <p className="text-hint">
        {isPrivate && "Headers and body are not shown, because the address is private. "}
        This answer is not stored.
      </p>
    </section>
  );
}

function Content({ answer: { headers, body, isBodyCut } }: { answer: Answer }) {
  return (
    <>
      <details open>
        <summary>Headers ({headers.length})</summary>
        <pre>{headers.map(({ name, value }) => `${name}: ${value}`).join("\n")}</pre>
      </details>
      <details open>
        <summary>{isBodyCut ? "The first 2 KiB of the body" : "Body"}</summary>
        <pre>{describeBody(body)}</pre>
      </details>
    </>
  );
}

function describeBody(body: string | null): string {
  if (body === null) return "The body could not be read.";
  return body === "" ? "The body is empty." : body;
}
