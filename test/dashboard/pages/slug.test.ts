import { expect, test } from "bun:test";
import { slugOf } from "../../../src/dashboard/web/pages/page-fields.tsx";

test.each([
  ["Café Status", "cafe-status"],
  ["  Shop & Payments!  ", "shop-payments"],
  ["Über-Cloud 2", "uber-cloud-2"],
  ["状態", ""],
  [`${"a".repeat(62)} b`, "a".repeat(62)],
])("behavior 15.91: the title %p proposes the address %p", (title, slug) => {
  expect(slugOf(title)).toBe(slug);
});
