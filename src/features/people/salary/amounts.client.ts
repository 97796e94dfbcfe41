/** Amounts as people write them. */

const written = /^(\d{1,9})(?:[.,](\d{1,6}))?$/

/** `1,25` → 1250000 millionths; null for what is no amount. */
export function microFromText(text: string): number | null {
  const [, whole, fraction = ''] = written.exec(text.trim()) ?? []
  return whole === undefined ? null : Number(whole) * 1_000_000 + Number(fraction.padEnd(6, '0'))
}

/** `185,50` → 18550 hundredths; null for what is no amount or has more decimals. */
export function minorFromText(text: string): number | null {
  const micro = microFromText(text)
  return micro === null || micro % 10_000 !== 0 ? null : micro / 10_000
}

/** 1250000 millionths → `1.25`. */
export const microText = (micro: number): string => (micro / 1_000_000).toFixed(6).replace(/\.?0{1,4}$/, '')
