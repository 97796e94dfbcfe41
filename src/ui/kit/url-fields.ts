/** Fields of the address bar: how each is read from its texts, and its value where they are absent or do not fit. */
import { isOneOf } from '#domain/objects.ts'

export interface UrlField<T> {
  /** The value where the address does not name the field, or names something that does not fit. */
  readonly initial: T
  /** undefined where the texts do not fit. */
  readonly read: (texts: readonly string[]) => T | undefined
}
export type UrlFields = Readonly<Record<string, UrlField<unknown>>>
export type UrlValues<F extends UrlFields> = { [K in keyof F]: F[K] extends UrlField<infer T> ? T : never }

const only = (texts: readonly string[]): string | undefined => (texts.length === 1 ? texts[0] : undefined)
const each = <T>(texts: readonly string[], read: (text: string) => T | undefined): T[] | undefined => {
  const values = texts.map(read)
  return values.every(value => value !== undefined) ? values : undefined
}
const whole = (text: string, least: number, most = Number.MAX_SAFE_INTEGER): number | undefined => {
  const value = Number(text)
  return text.trim() !== '' && Number.isSafeInteger(value) && value >= least && value <= most ? value : undefined
}

export const urlText = (initial = ''): UrlField<string> => ({ initial, read: only })

export const urlTexts = (): UrlField<string[]> => ({ initial: [], read: texts => [...texts] })

/** A whole number; the initial one is the least unless another is given. */
export const urlNumber = (initial: number, { least = initial, most }: { least?: number; most?: number } = {}): UrlField<number> => ({
  initial,
  read: texts => whole(only(texts) ?? '', least, most),
})

export const urlNumbers = (least: number): UrlField<number[]> => ({
  initial: [],
  read: texts => each(texts, text => whole(text, least)),
})

export const urlChoice = <const C extends string>(choices: readonly C[], initial: NoInfer<C>): UrlField<C> => ({
  initial,
  read: texts => choices.find(one => one === only(texts)),
})

export const urlChoices = <const C extends string>(choices: readonly C[]): UrlField<C[]> => ({
  initial: [],
  read: texts => each(texts, text => (isOneOf(choices, text) ? text : undefined)),
})
