/** Bins as people write them: which text means which location, and the order in which people read them. */

/** The same for texts that differ in case and blanks alone. */
export const binKey = (bin: string): string => bin.replace(/\s+/g, '').toUpperCase()

const collator = new Intl.Collator('en', { numeric: true })

/** Numbers within the text count as numbers: A-2 comes before A-10. */
export const byBinText = (a: string, b: string): number => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)

/** Finds what belongs to a bin: by its exact text, else whatever its case and blanks. The first of two equals wins. */
export function binIndex<T>(entries: Iterable<readonly [code: string, value: T]>): (bin: string) => T | undefined {
  const exact = new Map<string, T>()
  const loose = new Map<string, T>()
  for (const [code, value] of entries) {
    if (!exact.has(code)) exact.set(code, value)
    const key = binKey(code)
    if (!loose.has(key)) loose.set(key, value)
  }
  return bin => exact.get(bin) ?? loose.get(binKey(bin))
}
