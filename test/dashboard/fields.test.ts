import { expect, test } from "bun:test";
import { configOf } from "../../src/dashboard/web/config-fields.tsx";

test("a form gives the config that the API takes: empty fields left out, numbers as numbers, the rest as it stands", () => {
  const data = new FormData();
  data.set("config.host", " example.com ");
  data.set("config.port", "x");
  data.set("config.interval", "60");
  expect(configOf("TCP", data)).toEqual({ host: "example.com", port: "x", interval: 60 });
  data.set("config.expected", "a\n\n b \n");
  data.set("config.hostname", "example.com");
  expect(configOf("DNS", data)).toEqual({ hostname: "example.com", expected: ["a", "b"], interval: 60 });
  expect(configOf("SCHEDULED", new FormData())).toEqual({});
});
