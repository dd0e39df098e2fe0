import { expect, test } from "bun:test";
import type { Layout } from "../../../src/dashboard/web/pages/layout/page-layout.ts";
import { logoFaults, pageFaults, pageIn } from "../../../src/dashboard/web/pages/page-fields.tsx";
import { sentencesOf } from "../form/said.ts";

const complete = { title: " Shop ", slug: "shop", description: "", days: "90", minOutage: "120" };

function form(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.append(name, value);
  return data;
}

function faultsOf(values: Record<string, string>, layout: Layout = []): string[] {
  return sentencesOf(pageFaults(pageIn(form({ ...complete, ...values }), layout), layout));
}

const component = (key: string, name = "") => ({ key, monitorId: `monitor-${key}`, name });

test("behavior 15.91: the form sends all fields, and an empty description clears the stored one", () => {
  expect(pageIn(form({ ...complete, visibility: "public" }), [component("a")])).toEqual({
    title: "Shop",
    slug: "shop",
    description: "",
    visibility: "public",
    days: 90,
    minOutage: 120,
    showLatency: false,
    accent: null,
    embedOrigins: [],
    language: "auto",
    timezone: "UTC",
    components: [{ monitorId: "monitor-a" }],
  });
  expect(pageIn(form({ ...complete, showLatency: "on" }), [])).toMatchObject({
    visibility: "off",
    showLatency: true,
  });
  expect(faultsOf({})).toEqual([]);
});

test("behavior 15.91: errors are the sentences of the API", () => {
  expect(faultsOf({ title: " " })).toEqual(["title must be 1 to 200 characters"]);
  expect(faultsOf({ slug: "Shop" })).toEqual(["slug must be 1 to 63 of the characters a-z, 0-9 and -"]);
  expect(faultsOf({ days: "", minOutage: "1.5" })).toEqual([
    "days: Enter a value.",
    "minOutage must be a whole number from 0 to 86400, got 1.5",
  ]);
  expect(faultsOf({ days: "91" })).toEqual(["days must be a whole number from 7 to 90, got 91"]);
});

test("behavior 15.91: the error of a component has its position, and that of a group the one of its first component", () => {
  const layout = [
    component("a", "n".repeat(201)),
    { key: "g", name: " ", components: [component("b"), component("c")] },
    { key: "empty", name: "", components: [] },
  ];
  expect(faultsOf({}, layout)).toEqual([
    "components.0.name must be 1 to 200 characters",
    "components.1.group must be 1 to 100 characters",
  ]);
});

test("behavior 15.91: two groups cannot have one name, unless one of them is empty", () => {
  const group = (key: string, ...members: string[]) => ({
    key,
    name: "Shop",
    components: members.map((one) => component(one)),
  });
  expect(faultsOf({}, [group("g", "a", "b"), component("c"), group("h", "d")])).toEqual([
    "components.3.group: Must differ from the names of other groups.",
  ]);
  expect(faultsOf({}, [group("g", "a"), group("h")])).toEqual([]);
});

test("behavior 21.10: the language and the time zone are sent, and an unknown zone is an error", () => {
  const words = { language: "de", timezone: " Europe/Berlin " };
  expect(pageIn(form({ ...complete, ...words }), [])).toMatchObject({
    language: "de",
    timezone: "Europe/Berlin",
  });
  expect(faultsOf({ timezone: "Berlin" })).toEqual([
    "timezone must be the IANA name of a time zone, such as Europe/Berlin",
  ]);
});

test("behavior 17.28: the color, the logo and the sites are sent, and an empty color is none", async () => {
  const look = { accent: " #AA0000 ", embedOrigins: "https://a.example\n\n https://b.example " };
  expect(pageIn(form({ ...complete, ...look }), [])).toMatchObject({
    accent: "#AA0000",
    embedOrigins: ["https://a.example", "https://b.example"],
  });
  expect(pageIn(form({ ...complete, removeLogo: "on" }), [])).toMatchObject({ logo: null });
  expect(faultsOf({ accent: "red" })).toEqual(["accent must be a color such as #2450c4 or null"]);
  expect(faultsOf({ embedOrigins: "https://a.example/x" })).toEqual([
    "embedOrigins.0 must be an origin such as https://www.example.com: http only for this machine, and no path",
  ]);
  const data = form(complete);
  data.set("logo", new File([new Uint8Array(65_537)], "large.png"));
  expect(sentencesOf(logoFaults(data))).toEqual(["logo: Must be at most 64 KiB."]);
});

test("behavior 21.43: the password decides how a page is shown, is not trimmed, and is not sent for a page that is off", () => {
  const sent = (values: Record<string, string>) => {
    const { visibility, ...page } = pageIn(form({ ...complete, ...values }), []);
    return [visibility, "password" in page ? page.password : undefined];
  };
  const shown = { visibility: "public" };
  expect(sent({ ...shown, password: " open sesame" })).toEqual(["password", " open sesame"]);
  expect(sent({ ...shown, password: "•••" })).toEqual(["password", "•••"]);
  expect(sent({ ...shown, password: "" })).toEqual(["public", undefined]);
  expect(sent({ password: "•••" })).toEqual(["off", undefined]);
  expect(faultsOf({ ...shown, password: "short" })).toEqual([
    "password must be a text of 8 to 200 printable characters or null",
  ]);
});
