import { expect, test } from "bun:test";
import { subscriptionPage } from "../../src/status-page/html/subscriptions.ts";
import { english } from "../support/pages/languages.ts";

const page = { title: "<Example>", url: "https://stillup.example/status/example" };

test.each(["confirm", "unsubscribe"] as const)(
  "behavior 15.48: the page %s is a form that posts to its own URL, which has the token",
  (kind) => {
    expect(subscriptionPage(english(), page, kind)).toContain('<form method="post"><button');
  },
);

test.each(["pending", "limited", "confirmed", "unsubscribed"] as const)(
  "behavior 15.48: the page %s has no form",
  (kind) => {
    expect(subscriptionPage(english(), page, kind)).not.toContain("<form");
  },
);

test("behavior 15.48: a malformed address is named next to the form, which is shown again", () => {
  const document = subscriptionPage(english(), page, "invalid");
  expect(document).toContain('action="/status/example/subscriptions"');
  expect(document).toContain('aria-invalid="true" aria-describedby="fault"');
  expect(document).toContain('role="alert">This is not a valid e-mail address.</p>');
});

test("behavior 15.48: leads back to the page, whose title is text", () => {
  for (const kind of ["pending", "confirm", "unsubscribed"] as const) {
    expect(subscriptionPage(english(), page, kind)).toContain(
      '<a href="/status/example/"><bdi>&lt;Example&gt;</bdi></a>',
    );
    expect(subscriptionPage(english(), { ...page, url: "https://status.example" }, kind)).toContain(
      '<a href="/">',
    );
  }
});
