/** Parsing of numbers in files, with a decimal point or a decimal comma. */
import * as z from 'zod'
import { cellText } from './csv-text.ts'

export const DecimalSign = z.enum(['.', ','])
export type DecimalSign = z.infer<typeof DecimalSign>

const currencyMarks = /^(?:\p{Sc}|[A-Z]{3}|kr\.?|zł|kč|ft|lei)\s*|\s*(?:\p{Sc}|[A-Z]{3}|kr\.?|zł|kč|ft|lei|,-|%)$/giu
const bySign: Record<DecimalSign, RegExp> = {
  '.': /^[-+]?(?:\d+|\d{1,3}(?:[, \u00a0\u202f'’]\d{3})+)?(?:\.\d+)?$/,
  ',': /^[-+]?(?:\d+|\d{1,3}(?:[. \u00a0\u202f'’]\d{3})+)?(?:,\d+)?$/,
}

/** `'1.000,50'` with a decimal comma → `'1000.50'`; currency and percent signs around it are ignored. Null for text that is no number. */
export function readNumber(text: string, decimals: DecimalSign): string | null {
  if (/^-?\d{1,12}$/.test(text)) return text
  // No number is that long, and the patterns below are slow on a cell full of spaces.
  if (text.length > 60) return null
  const bare = text
    .replace(/\u2212/g, '-')
    .replace(currencyMarks, '')
    .replace(/^-\s+/, '-')
    .replace(/^(\d.*)-$/, '-$1')
  if (!/\d/.test(bare) || !bySign[decimals].test(bare)) return null
  const plain = bare.replace(decimals === '.' ? /[, \u00a0\u202f'’+]/g : /[. \u00a0\u202f'’+]/g, '').replace(',', '.')
  return plain.replace(/^(-?)\./, '$10.')
}

export interface DecimalFinding {
  decimals: DecimalSign
  /** True when both signs fit (`1.000`), or when some values need one sign and some the other. */
  doubtful: boolean
}

/** The decimal sign of a column; null where its values are no numbers. */
export function detectDecimals(values: readonly string[]): DecimalFinding | null {
  const numbers = values.map(cellText).filter(value => value !== '')
  if (numbers.length === 0) return null
  const fitting = (decimals: DecimalSign) => numbers.filter(number => readNumber(number, decimals) !== null).length
  const point = fitting('.')
  const comma = fitting(',')
  const either = numbers.filter(number => readNumber(number, '.') !== null || readNumber(number, ',') !== null).length
  if (either < numbers.length * 0.8) return null
  if (point !== comma) return { decimals: point > comma ? '.' : ',', doubtful: Math.max(point, comma) < either }
  // Both signs fit `1,000` and `12`; only a value that differs between the readings makes it doubtful.
  const changes = numbers.some(number => Number(readNumber(number, '.')) !== Number(readNumber(number, ',')))
  return { decimals: '.', doubtful: changes }
}
