import type { Observation } from "../domain/checks/observation.ts";
import { withOwnCertificate } from "./http/client-certificate.ts";
import { judge } from "./http/judge-answer.ts";
import { answerTo } from "./http/redirects.ts";
import { observe, type ProbeContext, type ProbeInput, type Seen } from "./observe.ts";
import type { CheckConfig } from "./probe-thread.ts";

/**
 * Sends the request of a config on a new connection, follows redirects and judges the final answer (behavior 1.25 to 1.30,
 * 10). The latency is from the start of the first connection, name resolution included, to the status line of the final
 * answer. Of that answer, only what an expectation needs is read.
 */
export function probeHttp(config: CheckConfig<"HTTP">, input: ProbeInput): Promise<Observation> {
  const { clientCertificate: client, steps } = config;
  if (steps) return import("./http/steps.ts").then(({ probeSteps }) => probeSteps(config, steps, input));
  return observe(input, (context) =>
    client ? withOwnCertificate(client, context, () => check(config, context)) : check(config, context),
  );
}

async function check(config: CheckConfig<"HTTP">, context: ProbeContext): Promise<Seen> {
  return judge(await answerTo(config, context), context);
}
