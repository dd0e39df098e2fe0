import { expect, test } from "bun:test";
import {
  completeUrl,
  nameFor,
  splitUrl,
} from "../../../src/dashboard/web/monitors/config/interval-field.tsx";
import type { MonitorType } from "../../../src/domain/monitors/monitor.ts";

test.each([
  ["example.com", "https://example.com"],
  ["example.com/shop?a=b:c", "https://example.com/shop?a=b:c"],
  ["example.com:8443", "https://example.com:8443"],
  ["localhost:3000/", "https://localhost:3000/"],
  ["bücher.example", "https://bücher.example"],
  ["[2001:db8::1]:8443/x", "https://[2001:db8::1]:8443/x"],
  ["me:secret@example.com", "https://me:secret@example.com"],
  ["http://example.com", "http://example.com"],
  ["ftp://example.com", "ftp://example.com"],
  ["mailto:me", "mailto:me"],
  ["http://", "http://"],
  ["two words", "two words"],
  ["/path", "/path"],
  ["", ""],
])("behavior 16.281: the URL %j is completed to %j", (text, url) => {
  expect(completeUrl(text)).toBe(url);
});

test.each([
  ["https://example.com/", "https://example.com/", "", ""],
  ["https://me:p%40ss@example.com/a?b", "https://example.com/a?b", "me", "p@ss"],
  ["https://me@example.com", "https://example.com/", "me", ""],
  ["https://%zz:1@example.com/", "https://example.com/", "%zz", "1"],
  ["me:p@example.com", "me:p@example.com", "", ""],
])("behavior 16.281: the user of %j is not part of the URL", (text, url, user, password) => {
  expect(splitUrl(text)).toEqual({ url, user, password });
});

test.each<[MonitorType, Record<string, string>, string]>([
  ["HTTP", { "config.url": " www.Example.com/shop" }, "example.com"],
  ["HTTP", { "config.url": "http://me:secret@shop.example.com:8080/" }, "shop.example.com"],
  ["HTTP", { "config.url": "http://" }, ""],
  ["TCP", { "config.host": "db.example.com", "config.port": "5432" }, "db.example.com:5432"],
  ["TCP", { "config.host": "db.example.com", "config.port": "" }, "db.example.com"],
  ["TLS", { "config.host": "example.com", "config.port": "443" }, "example.com"],
  ["DNS", { "config.hostname": "x".repeat(300) }, "x".repeat(200)],
  ["SCHEDULED", { "config.period": "60" }, ""],
])("behavior 16.280: a %s monitor of %o is proposed the name %j", (type, fields, name) => {
  const data = new FormData();
  for (const [field, value] of Object.entries(fields)) data.set(field, value);
  expect(nameFor(type, data)).toBe(name);
});
