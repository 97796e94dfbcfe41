/** A serial number inside a longer code. */
import type { ExtractStep } from './serial-numbers.schemas.ts'

/** What the steps leave of a code, one after the other; an empty text where there is nothing at that place. */
export const extracted = (code: string, steps: readonly ExtractStep[]): string =>
  steps.reduce((text, step) => {
    if (step.kind === 'position')
      return text.slice(step.start - 1, step.length === undefined ? undefined : step.start - 1 + step.length).trim()
    const parts = text.split(step.separator)
    return (parts.at(step.part > 0 ? step.part - 1 : step.part) ?? '').trim()
  }, code.trim())
