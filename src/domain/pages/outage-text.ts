import { durationInWords } from "../duration.ts";

/*
 * What a page says of an outage by itself (behavior 15.26). The texts of its updates contain no name, because they are Markdown,
 * in which a name could have a meaning. No text contains a reason.
 */

/** The title of an outage. @param name of the component, which is no Markdown in a title */
export function outageTitle(name: string, isDown: boolean): string {
  return `${name} is ${isDown ? "down" : "degraded"}`;
}

/** @param startedAt milliseconds since 1970 */
export function startText(isDown: boolean, startedAt: number): string {
  return `It has been ${isDown ? "down" : "degraded"} since ${timeInWords(startedAt)}.`;
}

/** The text of an outage that goes on after its monitor was down. @param length of the part that was down, milliseconds */
export function degradedText(length: number): string {
  return `It was down for ${durationInWords(length)}, and is degraded now.`;
}

/** @param length milliseconds */
export function endText(length: number): string {
  return `It lasted ${durationInWords(length)}.`;
}

/** For example `Nov 22, 15:05 UTC`. @param at milliseconds since 1970 */
export function timeInWords(at: number): string {
  const [, day, month, , time] = new Date(at).toUTCString().split(" ");
  return `${month} ${Number(day)}, ${time?.slice(0, 5)} UTC`;
}
