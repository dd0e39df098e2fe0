import { expect, test } from "bun:test";
import { configOf } from "../../../src/dashboard/web/monitors/config/config-values.ts";

test("behavior 16.10, 16.131: the form of a job keeps its push token, which it does not show", () => {
  const data = new FormData();
  data.set("config.period", "60");
  expect(configOf("SCHEDULED", data, { period: 90, pushToken: "•••" })).toEqual({
    period: 60,
    pushToken: "•••",
  });
  expect(configOf("SCHEDULED", data)).toEqual({ period: 60 });
});
