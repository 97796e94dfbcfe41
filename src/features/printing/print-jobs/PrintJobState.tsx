/** How far a print job is: icon, word and, where something stands in the way, the reason. */
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import type { PrintJob, PrintState } from './print-jobs.schemas.ts'

const looks: Record<PrintState, { tone: Tone; word: string }> = {
  queued: { tone: 'soon', word: 'Waiting' },
  sending: { tone: 'busy', word: 'Being sent' },
  sent: { tone: 'soon', word: 'Waits for the computer' },
  accepted: { tone: 'busy', word: 'At the printer' },
  done: { tone: 'done', word: 'Printed' },
  failed: { tone: 'stop', word: 'Not printed' },
  expired: { tone: 'stop', word: 'Too late' },
  cancelled: { tone: 'quiet', word: 'Cancelled' },
  unknown: { tone: 'stop', word: 'Not known whether printed' },
}

export const printStateWord = (state: PrintState): string => looks[state].word

export function PrintJobState({ job, reason = false }: { job: PrintJob; reason?: boolean }) {
  const t = useT()
  const { tone, word } = looks[job.state]
  return (
    <>
      <StateBadge tone={tone}>{t(word)}</StateBadge>
      {reason && job.error ? <div style={{ color: 'var(--ink-dim)', font: 'var(--t-small)' }}>{t(job.error)}</div> : null}
    </>
  )
}

/** It did not come out, and can be sent once more as it is. */
export const canRetry = ({ state }: PrintJob): boolean => ['queued', 'failed', 'expired', 'cancelled', 'unknown'].includes(state)
/** It may still be stopped. */
export const canCancel = ({ state }: PrintJob): boolean => ['queued', 'sent', 'accepted'].includes(state)
/** It came out, or may have: once more is a copy. */
export const canCopy = ({ state }: PrintJob): boolean => ['sent', 'accepted', 'done', 'unknown'].includes(state)
