/** Ends a command that has printed all there is to say. */
export class Exit extends Error {
  override readonly name = "Exit";

  constructor(readonly code: number) {
    super(`exit code ${code}`);
  }
}
