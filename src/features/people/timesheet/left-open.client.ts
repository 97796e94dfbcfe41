/** Which days stay open after many were to be approved at once, and why. */
import type { useT } from '#ui/kit/translate.ts'
import type { Results } from './timesheet.schemas.ts'

/** `Days left open: 5: 4 × Someone else must approve your own times. 1 × There is no clock-out.` */
export function leftOpen(t: ReturnType<typeof useT>, refused: Results['refused']): string | null {
  if (refused.length === 0) return null
  const sentences = refused.map(({ key, values }) => t(key, values))
  const reasons = [...Map.groupBy(sentences, sentence => sentence)].map(([sentence, some]) => `${some.length} × ${sentence}`)
  return `${t('Days left open: {{count}}', { count: refused.length })}: ${reasons.length > 1 ? reasons.join(' ') : sentences[0]}`
}
