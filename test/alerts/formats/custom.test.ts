import { describe, expect, test } from "bun:test";
import { requestOf as requestFor } from "../../../src/alerts/deliver.ts";
import type { AlertEvent } from "../../../src/domain/alerts/alert-event.ts";
import type { WebhookConfig } from "../../../src/domain/alerts/webhook-format.ts";
import { silent, started } from "../../support/alerts/notices.ts";
import { AT, down, HOSTILE, hostile } from "../../support/alerts/transitions.ts";

type Options = WebhookConfig<"custom">["options"];

function requestOf(
  options: Options,
  { url = "https://hooks.example.com/x", event = down as AlertEvent, headers = {} } = {},
) {
  return requestFor(
    { url, format: "custom", options, headers },
    { id: "d1", event, now: AT },
    "https://up.example.com",
  );
}

const ALL = [
  "monitor.name",
  "monitor.type",
  "status",
  "previousStatus",
  "reason",
  "since",
  "link",
  "id",
  "text",
].map((name) => `{{${name}}}`);

describe("behavior 16.155: the values of the placeholders", () => {
  const bodyOf = (event: AlertEvent) =>
    requestOf({ contentType: "text/plain", body: ALL.join("|") }, { event }).body;

  test("describe a change", () => {
    expect(bodyOf(down)).toBe(
      "Shop front|HTTP|down|up|refused|2026-11-21T14:30:05.000Z|https://up.example.com/outages/a1|d1|" +
        "Shop front is down: The connection was refused by 192.0.2.7.",
    );
  });

  test("describe a notice", () => {
    expect(bodyOf(silent)).toStartWith(
      "fra||silent|||2026-11-21T14:30:05.000Z|https://up.example.com/locations|d1|",
    );
    expect(bodyOf(started)).toStartWith("New disks||started|||2026-11-21T14:30:05.000Z|");
  });

  test("replace placeholders with spaces inside of the braces", () => {
    expect(requestOf({ contentType: "text/plain", body: "{{ status }}" }).body).toBe("down");
  });
});

describe("behavior 16.155: the request", () => {
  test("is a POST of JSON by default", () => {
    expect(requestOf({ body: "{}" })).toEqual({
      method: "POST",
      url: "https://hooks.example.com/x",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
  });

  test("has another method and media type", () => {
    expect(requestOf({ method: "PUT", contentType: "text/plain", body: "x" })).toMatchObject({
      method: "PUT",
      headers: { "content-type": "text/plain" },
    });
  });

  test("has no body with GET", () => {
    const url = "https://hooks.example.com/{{monitor.name}}?text={{text}}";
    expect(requestOf({ method: "GET" }, { url })).toEqual({
      method: "GET",
      url: "https://hooks.example.com/Shop%20front?text=Shop%20front%20is%20down%3A%20The%20connection%20was%20refused%20by%20192.0.2.7.",
      headers: {},
    });
  });
});

const names = HOSTILE.concat('"},"x":{"y":"', "a&b=c", "]]>", "\\", "\ud800", "../../etc#?", ".", "..");

describe.each(names.map((name, at) => [at, name] as const))("behavior 16.156: hostile text %d", (_, name) => {
  const event = hostile(name);
  const shown = event.monitor.name;

  test("changes nothing else in JSON, in a string and as a whole one", () => {
    const { body = "" } = requestOf(
      { body: '{ "a": "<{{monitor.name}}>", "b": {{monitor.name}}, "c": [{{id}}] }' },
      { event },
    );
    const text = shown.toWellFormed();
    expect(JSON.parse(body)).toEqual({ a: `<${text}>`, b: text, c: ["d1"] });
  });

  test("changes nothing else in a form, in XML and in a URL", () => {
    const form = requestOf(
      { contentType: "application/x-www-form-urlencoded", body: "name={{monitor.name}}&id={{id}}" },
      { event },
    );
    expect([...new URLSearchParams(form.body)]).toEqual([
      ["name", shown.toWellFormed()],
      ["id", "d1"],
    ]);
    const xml = requestOf({ contentType: "text/xml", body: "<a b='{{monitor.name}}'/>" }, { event });
    expect(xml.body?.match(/[<>"'&](?!#\d+;)/g)).toEqual(["<", "'", "'", ">"]);
    const url = new URL(
      requestOf({ method: "GET" }, { event, url: "https://h.example/a/{{monitor.name}}/b?c=d" }).url,
    );
    expect([url.host, url.search, url.hash]).toEqual(["h.example", "?c=d", ""]);
    expect(url.pathname).toMatch(/^\/a\/[^/]*\/b$/);
  });

  test("is one line of any other text", () => {
    const { body } = requestOf({ contentType: "text/plain", body: "{{monitor.name}}" }, { event });
    expect(body).not.toMatch(/[\r\n\u2028\u2029]/);
    expect(body?.replaceAll(/\s/g, "")).toBe(name.replaceAll(/[\s\p{Cc}]/gu, ""));
  });
});

describe("behavior 16.156: a name with a tab, two spaces and a line break is escaped, not changed", () => {
  const name = "a\tb  c\nd";
  const event = { ...down, monitor: { ...down.monitor, name } };

  test.each([
    ["application/json", '{"name":"{{monitor.name}}"}', '{"name":"a\\tb  c\\nd"}'],
    ["application/x-www-form-urlencoded", "name={{monitor.name}}", "name=a%09b%20%20c%0Ad"],
    ["text/xml", "<a b='{{monitor.name}}'/>", "<a b='a&#9;b  c&#10;d'/>"],
    ["text/plain", "{{monitor.name}}", "a\tb  c d"],
  ])("in %s", (contentType, body, expected) => {
    expect(requestOf({ contentType, body }, { event }).body).toBe(expected);
  });

  test("a URL has it percent-encoded", () => {
    const url = "https://h.example/{{monitor.name}}";
    expect(requestOf({ method: "GET" }, { event, url }).url).toBe("https://h.example/a%09b%20%20c%0Ad");
  });
});

test("behavior 16.156: a character that XML cannot have is replaced", () => {
  const event = { ...down, monitor: { ...down.monitor, name: "a\u0001\ud800b" } };
  const { body } = requestOf({ contentType: "text/xml", body: "<a>{{monitor.name}}</a>" }, { event });
  expect(body).toBe("<a>a\ufffd\ufffdb</a>");
});

test("behavior 16.156: in a body that is no JSON, values are escaped as in a string", () => {
  const event = { ...down, monitor: { ...down.monitor, name: 'a "b"' } };
  expect(requestOf({ body: "{{monitor.name}} is {{status}}" }, { event }).body).toBe('a \\"b\\" is down');
});

describe("behavior 16.156: the media type decides how values are escaped", () => {
  const event = { ...down, monitor: { ...down.monitor, name: 'a<b & "c"' } };

  test.each([
    ["text/xml; charset=utf-8", "a&#60;b &#38; &#34;c&#34;"],
    ["application/x-www-form-urlencoded", "a%3Cb%20%26%20%22c%22"],
    ["text/plain", 'a<b & "c"'],
  ])("also if it is %s in a header", (type, expected) => {
    const request = requestOf({ body: "{{monitor.name}}" }, { event, headers: { "CONTENT-TYPE": type } });
    expect(request.body).toBe(expected);
  });

  test("lines of JSON are escaped as JSON", () => {
    const body = '{"index":{}}\n{"name":"{{monitor.name}}"}\n';
    const lines = requestOf({ contentType: "application/x-ndjson", body }, { event }).body?.split("\n") ?? [];
    expect(JSON.parse(lines[1] ?? "")).toEqual({ name: 'a<b & "c"' });
  });
});

describe("behavior 16.158: a template that repeats a long value", () => {
  const message = `the body lacks "${'"'.repeat(1000)}"`;
  const event = { ...down, result: { ...down.result, detail: { reason: "unexpected", message } } };
  const repeated = (placeholder: string, length: number) => placeholder.repeat(length / placeholder.length);

  test.each([
    ["application/json", 2],
    ["application/xml", 5],
    ["application/x-www-form-urlencoded", 3],
    ["text/plain", 1],
  ])("makes no huge request: %s", (contentType, longestEscape) => {
    const body = repeated("{{text}}", 16 * 1024);
    const request = requestOf(
      { contentType, body },
      { event, url: `https://h.example/${repeated("{{text}}", 2000)}` },
    );
    expect(request.body?.length).toBeLessThanOrEqual(64 * 1024 * longestEscape);
    expect(request.url.length).toBeLessThanOrEqual(8 * 1024 * 9 + 20);
  });

  test("loses nothing if it has few placeholders, and never an ID or a time", () => {
    const text = requestOf({ contentType: "text/plain", body: "{{text}}" }, { event }).body ?? "";
    expect(text).toEndWith('""".');
    const many = requestOf(
      { contentType: "text/plain", body: text + repeated("{{since}}", 14 * 1024) },
      { event },
    );
    expect(many.body?.slice(text.length, text.length + 24)).toBe("2026-11-21T14:30:05.000Z");
  });
});
