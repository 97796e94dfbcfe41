/** How a tote's code is spoken of on every screen. */
import { IconLock, IconPackage, IconQuestionMark } from '@tabler/icons-react'
import { isKeyOf } from '#domain/objects.ts'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { t, useT } from '#ui/kit/translate.ts'
import type { CodeState } from './paperless.schemas.ts'

export const codeStateWord = (state: CodeState): string =>
  ({ free: t('Free'), reserved: t('Reserved'), bound: t('In use'), at_packing: t('At packing'), lost: t('Lost') })[state]

const tones: Record<CodeState, Tone> = { free: 'done', reserved: 'soon', bound: 'busy', at_packing: 'busy', lost: 'stop' }
const icons = { reserved: IconLock, at_packing: IconPackage, lost: IconQuestionMark }

export function CodeBadge({ state }: { state: CodeState }) {
  useT()
  const icon = isKeyOf(icons, state) ? { icon: icons[state] } : {}
  return (
    <StateBadge tone={tones[state]} {...icon}>
      {codeStateWord(state)}
    </StateBadge>
  )
}

/** Where it stands: list, wagon and slot. */
export const placeWord = ({
  pick_list_id,
  wagon_no,
  slot_no,
}: {
  pick_list_id: number | null
  wagon_no: number | null
  slot_no: number | null
}): string =>
  pick_list_id === null
    ? ''
    : slot_no === null
      ? t('List {{list}}, wagon {{wagon}}', { list: pick_list_id, wagon: wagon_no })
      : t('List {{list}}, wagon {{wagon}}, slot {{slot}}', { list: pick_list_id, wagon: wagon_no, slot: slot_no })
