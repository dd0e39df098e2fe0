/** A link that opens the wall without a key. */
export interface WallLink {
  id: string;
  name: string;
  /** Only monitors with this tag; null for all. */
  tag: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
}
