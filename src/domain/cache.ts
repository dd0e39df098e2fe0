/**
 * A function with a cache of its results.
 *
 * @param max when the cache has so many results, it is cleared
 */
export function cached<Key, Value>(create: (key: Key) => Value, max: number): (key: Key) => Value {
  const cache = new Map<Key, Value>();
  return (key) => {
    const known = cache.get(key);
    if (known !== undefined) return known;
    if (cache.size >= max) cache.clear();
    const value = create(key);
    cache.set(key, value);
    return value;
  };
}
