import { expect, test } from "bun:test";
import { describeRefusal } from "../../../src/dashboard/web/accounts/sign-in-refusal.ts";
import { ApiError } from "../../../src/dashboard/web/data/api.ts";

test.each([
  ["an invalid key", new ApiError(401, "Unauthorized"), /^Invalid key/],
  [
    "an unknown address",
    new ApiError(403, "Forbidden"),
    /start the server with --base-url http:\/\/up\.example:8080,/,
  ],
  ["a limit", new ApiError(429, "Too many failed attempts"), /^Too many failed attempts$/],
  ["no connection", new TypeError("fetch"), /^Cannot reach the server\.$/],
])("behavior 16.337: a sign-in that fails because of %s says so", (_, error, text) => {
  expect(describeRefusal(error, "http://up.example:8080")).toMatch(text);
});
