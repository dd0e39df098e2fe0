/** Inputs of any size that look the same, for the product's own code. */
export interface Shape {
  protocol: string;
  name: string;
  /** The smallest size that is measured. Four times as much must be within the limits of the product. */
  size: number;
  /** Composes an input. @returns reads it, and may be called again */
  compose(size: number): () => unknown;
}
