import { Type } from "@sinclair/typebox";
import { sendTestMail } from "../../alerts/test-mail.ts";
import { mailAdvice } from "../../domain/alerts/mail-advice.ts";
import { Email } from "../../domain/schemas/format.ts";
import { closed, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import { bodyFor, resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const MailTest = Type.Object({ to: Email }, { ...closed, examples: [{ to: "ops@example.com" }] });

const MailTestBody = Type.Object(
  {
    outcome: oneOf(["delivered", "failed"]),
    error: nullable(Type.String({ description: "Why it failed." })),
    advice: nullable(Type.String({ description: "What the operator can do." })),
  },
  named("MailTest"),
);

/** Behavior 16.333. */
export function mailTestRoutes({ authenticator, bodies, delivery, testLimit, clock }: Services) {
  return resource(authenticator, "/server", "Server").post(
    "/mail-test",
    async ({ caller, body: { to } }) => {
      const attempt = await testLimit.run(caller.organizationId, () =>
        sendTestMail(to, delivery, clock.now()),
      );
      const { outcome } = attempt;
      const error = attempt.outcome === "failed" ? attempt.error : null;
      return { data: { outcome, error, advice: mailAdvice(attempt) } };
    },
    {
      ...bodyFor({ authenticator, bodies }, MailTest, { role: "admin" }),
      detail: answering({
        operationId: "testMail",
        summary: "Send a test e-mail",
        description:
          "Sends one e-mail immediately, without retries, through the mail server of the node that answers. It counts as a test " +
          "of a channel.",
        answer: MailTestBody,
        example: {
          outcome: "failed",
          error: "the mail server answered 535",
          advice: "The mail server rejected the user or the password in --smtp-url.",
        },
        errors: [403, 413, 422],
      }),
    },
  );
}
