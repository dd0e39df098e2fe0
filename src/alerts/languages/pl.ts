import { texts as english } from "./en.ts";

/** Not translated yet. */
export const texts = english;
