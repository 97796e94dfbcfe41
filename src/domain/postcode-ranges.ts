/** Lists of postcodes as people write them, such as `2100-2200, 2400, SW1*`. */

/** Both ends are inclusive; a single code has equal ends; `prefix` covers every code that starts with it. */
export type PostcodeRange = { from: string; to: string } | { prefix: string }

/** One part of a list; `odd` where it is neither a postcode nor a range, `backwards` where it ends before it begins. */
export function readPostcodeRange(part: string): PostcodeRange | 'odd' | 'backwards' {
  if (/^[A-Za-z0-9 ]{1,8}\*$/.test(part)) return { prefix: barePostcode(part) }
  const ends = part.split(/\s*(?:-|–|\.\.)\s*/)
  const [from = '', to = from] = ends.map(barePostcode)
  const odd = ends.length > 2 || ends.some(end => !/^[A-Za-z0-9 ]{2,10}$/.test(end)) || !/\d/.test(from)
  if (odd || (ends.length === 2 && (from.length !== to.length || !/^\d+$/.test(from + to)))) return 'odd'
  return from > to ? 'backwards' : { from, to }
}

/** The ranges of a list, and the first part of it that is none. */
export function readPostcodes(list: string): { ranges: PostcodeRange[]; wrong: string | null } {
  const ranges: PostcodeRange[] = []
  for (const part of list.split(/[,;\n]/).map(one => one.trim())) {
    if (part === '') continue
    const range = readPostcodeRange(part)
    if (typeof range === 'string') return { ranges, wrong: part.slice(0, 60) }
    ranges.push(range)
  }
  return { ranges, wrong: null }
}

/** `code` as `barePostcode` gives it. */
export function coversPostcode(range: PostcodeRange, code: string): boolean {
  if ('prefix' in range) return code.startsWith(range.prefix)
  return code.length === range.from.length && range.from <= code && code <= range.to
}

export function postcodesOverlap(a: PostcodeRange, b: PostcodeRange): boolean {
  if ('prefix' in a || 'prefix' in b) return 'prefix' in a && 'prefix' in b && a.prefix === b.prefix
  return a.from.length === b.from.length && a.from <= b.to && b.from <= a.to
}

/** Letters and digits only, without a country's letters before a plain number (`DK-2100`, `LV-1001`). */
export function barePostcode(postcode: string): string {
  const code = postcode.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return code.replace(/^[A-Z]{1,2}(?=\d{3,}$)/, '')
}
