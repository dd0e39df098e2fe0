/** Draws the icons of the installed page from the icon of stillup, with Chromium. Run it after a change of the icon. */
import { chromium } from "playwright-core";

const FOLDER = new URL("../src/dashboard/", import.meta.url).pathname;
const svg = await Bun.file(`${FOLDER}web/icon.svg`).text();

/** Systems cut maskable icons to a shape of their own: the corners are filled, and the line stays in the middle. */
const maskable = svg
  .replace('viewBox="0 0 32 32"', 'viewBox="-5 -5 42 42"')
  .replace(/<rect[^>]*>/, '<rect x="-5" y="-5" width="42" height="42" fill="#2f57c8"/>');

await using browser = await chromium.launch({
  executablePath: "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox"],
});
for (const { name, size, text } of [
  { name: "icon-192.png", size: 192, text: svg },
  { name: "icon-512.png", size: 512, text: svg },
  { name: "icon-maskable-512.png", size: 512, text: maskable },
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>*{margin:0}svg{display:block;width:100vw;height:100vh}</style>${text}`);
  await page.screenshot({ path: `${FOLDER}web/worker/${name}`, omitBackground: true });
}
