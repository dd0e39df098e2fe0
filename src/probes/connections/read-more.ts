import { asProbeError } from "../probe-error.ts";
import type { Connection } from "./connection.ts";

/** Waits for what a server sends. A reset ends the connection too. @returns undefined at the end of the connection */
export async function readMore(connection: Connection): Promise<string | undefined> {
  try {
    return await connection.read();
  } catch (error) {
    if (asProbeError(error)) return undefined;
    throw error;
  }
}
