/** Code 128: from text to the widths of bars and spaces, in the fewest symbols. Source: ISO/IEC 15417. */

/** Six widths of each value 0–105, bar first; the stop (106) has seven. */
const PATTERNS = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 123122 123221 ' +
  '223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 ' +
  '112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 213311 213131 ' +
  '311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 ' +
  '122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 ' +
  '214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112'
)
  .split(' ')
  .map(pattern => [...pattern].map(Number))

const SHIFT = 98
const FNC1 = 102
const STOP = 106
const A = 0
const B = 1
const C = 2
/** B first: among encodings of the same length, the one that most encoders choose. */
const SETS = [B, A, C]
const START = [103, 104, 105]
/** The value that switches into a set, which is the same from every other set. */
const SWITCH = [101, 100, 99]

export interface Code128 {
  /** Symbol values from start to stop, check included. */
  values: number[]
  /** Widths in modules, alternating bar and space, starting and ending with a bar. */
  widths: number[]
  /** Sum of the widths, without quiet zones. */
  modules: number
}

interface Step {
  cost: number
  /** Values emitted to arrive here from `before`. */
  emitted: number[]
  before: Step | null
}

/**
 * Encodes ASCII text. With `gs1` the symbol starts with FNC1, and each group separator in the text becomes FNC1.
 * Throws a RangeError for empty or too long text and for non-ASCII characters: a barcode with other content is worse than none.
 */
export function code128(text: string, { gs1 = false }: { gs1?: boolean } = {}): Code128 {
  if (text.length === 0 || text.length > 80) throw new RangeError('A Code 128 barcode takes 1 to 80 characters')
  const codes: number[] = []
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) throw new RangeError('A Code 128 barcode takes ASCII characters only')
    codes.push(code)
  }
  const values = shortest(codes, gs1)
  let check = values[0]!
  for (let i = 1; i < values.length; i++) check += i * values[i]!
  values.push(check % 103, STOP)
  const widths: number[] = []
  for (const value of values) widths.push(...PATTERNS[value]!)
  return { values, widths, modules: 11 * values.length + 2 }
}

/** Dynamic programming over (characters done, current set): the fewest symbol values from the start code to the last character. */
function shortest(codes: number[], gs1: boolean): number[] {
  const opening = gs1 ? [FNC1] : []
  const reached: (Step | null)[][] = Array.from({ length: codes.length + 1 }, () => [null, null, null])
  const reach = (at: number, set: number, emitted: number[], before: Step | null) => {
    const cost = (before?.cost ?? 0) + emitted.length
    const best = reached[at]![set]
    if (!best || cost < best.cost) reached[at]![set] = { cost, emitted, before }
  }
  for (const set of SETS) reach(0, set, [START[set]!, ...opening], null)
  for (let at = 0; at < codes.length; at++) {
    for (const from of SETS) {
      const step = reached[at]![from]
      if (step) for (const to of SETS) if (to !== from) reach(at, to, [SWITCH[to]!], step)
    }
    const code = codes[at]!
    for (const set of SETS) {
      const step = reached[at]![set]
      if (!step) continue
      if (gs1 && code === 29) {
        reach(at + 1, set, [FNC1], step)
        continue
      }
      if (set === C) {
        const tens = code - 48
        const ones = (codes[at + 1] ?? 0) - 48
        if (tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9) reach(at + 2, C, [tens * 10 + ones], step)
        continue
      }
      const inA = code < 96
      const inB = code > 31
      if (set === A ? inA : inB) reach(at + 1, set, [valueIn(set, code)], step)
      else reach(at + 1, set, [SHIFT, valueIn(1 - set, code)], step)
    }
  }
  let best: Step | null = null
  for (const set of [C, B, A]) {
    const step = reached[codes.length]![set]
    if (step && (!best || step.cost < best.cost)) best = step
  }
  const pieces: number[][] = []
  for (let step = best; step; step = step.before) pieces.push(step.emitted)
  return pieces.reverse().flat()
}

/** Only set A has values below the space, only set B above `_`; between them both are equal. */
function valueIn(set: number, code: number): number {
  return set === A && code < 32 ? code + 64 : code - 32
}
