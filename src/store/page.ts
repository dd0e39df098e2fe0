/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** The ID of the last item, or null if nothing follows. */
  cursor: string | null;
}

export interface PageRequest {
  /** The most items of the page. */
  limit: number;
  /** The ID of the item before the page, without which the first page is meant. That item may be deleted. */
  cursor?: string | undefined;
}
