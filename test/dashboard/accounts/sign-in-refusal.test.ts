import { expect, test } from "bun:test";
import { describeRefusal, organizationsIn } from "../../../src/dashboard/web/accounts/sign-in.tsx";
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
  expect(describeRefusal(error, "http://up.example:8080", "key")).toMatch(text);
});

test.each([
  ["a wrong password", new ApiError(401, "Unauthorized"), /^Wrong e-mail address or password\.$/],
  [
    "too many wrong ones",
    new ApiError(429, "Too many failed sign-ins: try again in 812 s"),
    /^Too many failed sign-ins: try again in 812 s\. An API key works meanwhile\.$/,
  ],
])("behavior 19.84: a sign-in with a password that fails because of %s says so", (_, error, text) => {
  expect(describeRefusal(error, "http://up.example:8080", "password")).toMatch(text);
});

test("behavior 19.84: the organizations are in the answer to somebody who must choose one, and in no other", () => {
  const organizations = [{ id: "1", name: "Shop" }];
  const mustChoose = new ApiError(422, "organizationId must be one of these", { organizations });
  expect(organizationsIn(mustChoose)).toEqual(organizations);
  expect(organizationsIn(new ApiError(401, "Unauthorized", { error: "Unauthorized" }))).toBeUndefined();
  expect(organizationsIn(new TypeError("fetch"))).toBeUndefined();
  expect(organizationsIn(undefined)).toBeUndefined();
});
