/*
 * Words that only private data of the seeded instance contains: each begins and ends with `zq`, so that a test finds them all
 * by one pattern, and its failure says what the public saw.
 */

/** Anything private of any monitor, also of a component. */
export const PRIVATE = /zq[a-z]{2,30}?zq/i;

/** Texts that only one page may show. */
export const ONLY = { shop: "zwshopzw", partners: "zwpartnerszw" } as const;

/** A page that is off, with everything on it. */
export const OFF_SLUG = "zqoffslugzq";

export const SUBSCRIBER = "zqsubscriberzq@example.com";
export const STRANGER = "zqstrangerzq@example.com";
