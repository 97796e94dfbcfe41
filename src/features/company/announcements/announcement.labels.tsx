/** Words for kinds and states of announcements. */
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import type { AnnouncementMode, AnnouncementPhase } from './announcements.codes.ts'

export const modeLabels: Record<AnnouncementMode, string> = { info: 'For information', must_agree: 'Must be agreed to' }

export const phaseLabels: Record<AnnouncementPhase, string> = {
  draft: 'Draft',
  planned: 'Planned',
  shown: 'Published',
  ended: 'Ended',
  withdrawn: 'Withdrawn',
}
const tones: Record<AnnouncementPhase, Tone> = { draft: 'plain', planned: 'soon', shown: 'done', ended: 'quiet', withdrawn: 'quiet' }

export function PhaseBadge({ phase }: { phase: AnnouncementPhase }) {
  const t = useT()
  return <StateBadge tone={tones[phase]}>{t(phaseLabels[phase])}</StateBadge>
}
