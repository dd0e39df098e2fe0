/** The smallest GIF, of 29 bytes, as a data URL. */
export const SMALL_GIF = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=";
