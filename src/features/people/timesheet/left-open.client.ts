/** Which days stay open after many were to be approved at once, and why. */
import type { useT } from '#ui/kit/translate.ts'
import type { Results } from './timesheet.schemas.ts'

/** `Days left open: 5: 4 × Someone else must approve your own times. 1 × There is no clock-out.` */
export function leftOpen(t: ReturnType<typeof useT>, refused: Results['refused'], done: number): string | null {
  const sentences = refused.map(({ key, values }) => t(key, values))
  if (refused.length + done < 2) return sentences[0] ?? null
  if (refused.length === 0) return null
  const reasons = [...Map.groupBy(sentences, sentence => sentence)].map(([sentence, some]) => `${some.length} × ${sentence}`)
  return `${t('Days left open: {{count}}', { count: refused.length })}: ${reasons.length > 1 ? reasons.join(' ') : sentences[0]}`
}
