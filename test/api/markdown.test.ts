import { expect, setDefaultTimeout, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(300_000);

const server = await untilEndOfFile(TestServer.start());
const PATH = "/api/v1/markdown";

test("behavior 15.98: Markdown is rendered without pictures, scripts and HTML of people", async () => {
  const body =
    '**a** [b](https://example.com/) ![c](https://example.com/c.png) [d](javascript:e) <b onclick="f">';
  const { status, body: answer } = await server.client.post(PATH, { body });
  expect(status).toBe(200);
  expect(answer.data.html).toContain("<strong>a</strong>");
  expect(answer.data.html).toContain('href="https://example.com/"');
  expect(answer.data.html).not.toMatch(/<img|<b |href="javascript/);
});

test.each([{}, { body: " " }, { body: "x".repeat(10_001) }, { body: "a", other: 1 }])(
  "behavior 15.98: %o is a 422",
  async (request) => {
    expect((await server.client.post(PATH, request)).status).toBe(422);
  },
);

test("behavior 15.98: viewers render Markdown too, others do not", async () => {
  const { key } = (await server.client.post("/api/v1/api-keys", { name: "reader", role: "viewer" })).body
    .data;
  expect((await server.client.as(key).post(PATH, { body: "a" })).body).toEqual({
    data: { html: "<p>a</p>\n" },
  });
  expect((await server.client.as("").post(PATH, { body: "a" })).status).toBe(401);
});
