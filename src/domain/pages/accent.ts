/** The accent color of a page, readable on its backgrounds. @property on the color of text on it */
export interface AccentColors {
  light: { accent: string; on: string };
  dark: { accent: string; on: string };
}

/** `--neutral-soft` of `tokens.css`, behind code in a link: the background with the least contrast. */
const LIGHT_SOFT = "#eef0f3";
const DARK_SOFT = "#20252e";
const DARK_GROUND = "#0e1116";

/** WCAG 2.2, 1.4.3. */
const CONTRAST = 4.5;

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** The nearest colors that are readable (behavior 17.21). @param color such as `#ff8800` */
export function accentColors(color: string): AccentColors {
  return {
    light: { accent: readable(color, "#000000", LIGHT_SOFT), on: "#ffffff" },
    dark: { accent: readable(color, "#ffffff", DARK_SOFT), on: DARK_GROUND },
  };
}

/** Mixes a color with another one until its contrast with the ground is sufficient. */
function readable(color: string, other: string, ground: string): string {
  for (let part = 0; part < 100; part++) {
    const mixed = mix(color, other, part / 100);
    if (contrast(mixed, ground) >= CONTRAST) return mixed;
  }
  return other;
}

/** The contrast of two colors by WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(color: string, other: string, part: number): string {
  const target = channels(other);
  const mixed = channels(color).map((value, at) => Math.round(value + ((target[at] ?? 0) - value) * part));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
