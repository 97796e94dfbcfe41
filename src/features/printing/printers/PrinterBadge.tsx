/** Whether a printer can print now: icon and word. */
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import type { Printer } from './printers.schemas.ts'

export function PrinterBadge({ state }: { state: Printer['state'] }) {
  const t = useT()
  if (state === 'online') return <StateBadge tone="done">{t('Online')}</StateBadge>
  if (state === 'offline') return <StateBadge tone="stop">{t('Offline')}</StateBadge>
  return <StateBadge tone="quiet">{t('Removed')}</StateBadge>
}
