import { describe, expect, test } from "bun:test";
import { alerts } from "../../../src/dashboard/languages/english/alerts.ts";
import { type BrowserWindow, findObstacle } from "../../../src/dashboard/web/alerts/channel-views.tsx";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";
const MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** A window of a browser with everything that notifications need. */
function windowOf(
  userAgent: string,
  {
    maxTouchPoints = 0,
    serviceWorker = {},
    ...more
  }: Partial<BrowserWindow & BrowserWindow["navigator"]> = {},
): BrowserWindow {
  const permission: BrowserWindow["Notification"] = { permission: "default" };
  const navigator = { userAgent, maxTouchPoints, serviceWorker };
  return { isSecureContext: true, navigator, PushManager: {}, Notification: permission, ...more };
}

describe("behavior 21.70: the advice for a device that cannot be notified", () => {
  test.each([
    ["an Android phone", windowOf(ANDROID, { maxTouchPoints: 5 })],
    ["an iPhone with stillup on its home screen", windowOf(IPHONE, { maxTouchPoints: 5 })],
    ["a Mac", windowOf(MAC)],
    ["a browser that permits it already", windowOf(FIREFOX, { Notification: { permission: "granted" } })],
  ])("nothing: %s", (_, given) => {
    expect(findObstacle(given)).toBeUndefined();
  });

  test.each([
    ["an iPhone", IPHONE, 5],
    ["an iPad, which calls itself a Mac", MAC, 5],
  ])("to add the page to the home screen: %s", (_, userAgent, maxTouchPoints) => {
    const {
      PushManager: _push,
      Notification: _notification,
      ...given
    } = windowOf(userAgent, { maxTouchPoints });
    expect(findObstacle(given)).toContain("Add to Home Screen");
    expect(findObstacle(given)).toContain("iOS 16.4 or later");
  });

  test.each([
    ["an app on Android that shows pages", windowOf(ANDROID, { maxTouchPoints: 5, PushManager: undefined })],
    ["an old Mac", windowOf(MAC, { PushManager: undefined })],
    ["a private window of Firefox", windowOf(FIREFOX, { serviceWorker: null })],
  ])("to use another window: %s", (_, given) => {
    expect(findObstacle(given)).toContain("not in a private window: open stillup in another window");
  });

  test.each([
    ["an address without HTTPS", windowOf(ANDROID, { isSecureContext: false }), "https://"],
    [
      "an iPhone without HTTPS",
      windowOf(IPHONE, { isSecureContext: false, PushManager: undefined }),
      "https://",
    ],
    [
      "a browser that blocks them",
      windowOf(ANDROID, { Notification: { permission: "denied" } }),
      "for this site in the settings of the browser or of iOS",
    ],
  ])("%s", (_, given, words) => {
    expect(findObstacle(given)).toContain(words);
  });
});

test("docs/channels/devices.md says what to do for each advice", async () => {
  const page = await Bun.file("docs/channels/devices.md").text();
  const given = [
    windowOf(ANDROID, { isSecureContext: false }),
    windowOf(IPHONE, { maxTouchPoints: 5, PushManager: undefined }),
    windowOf(ANDROID, { PushManager: undefined }),
    windowOf(ANDROID, { Notification: { permission: "denied" } }),
  ];
  const messages = [...given.map(findObstacle), alerts.device.refused];
  expect(new Set(messages).size).toBe(5);
  for (const message of messages) expect(page).toContain(`| \`${message}\` |`);
});
