/** A browser's storage. */
export function storage(): Storage {
  const kept = new Map<string, string>()
  return {
    getItem: key => kept.get(key) ?? null,
    setItem: (key, text) => void kept.set(key, text),
    removeItem: key => void kept.delete(key),
    clear: () => kept.clear(),
    key: place => [...kept.keys()][place] ?? null,
    get length() {
      return kept.size
    },
  }
}
