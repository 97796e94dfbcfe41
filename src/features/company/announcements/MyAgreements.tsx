/** In the own settings: the texts that one has read or agreed with, in the version that was read. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { instant } from '#ui/kit/format.ts'
import { Pager } from '#ui/kit/Pager.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { AnnouncementText } from './AnnouncementText.tsx'
import { announcements } from './announcements.contract.ts'
import type { MyAgreement } from './announcements.schemas.ts'

const limit = 10

export function MyAgreements() {
  const t = useT()
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState<MyAgreement | null>(null)
  const mine = useCall(announcements.mine, { page, limit }, { live: ['announcement'], keep: true })
  // A person who was never asked has no such section.
  if (!mine.data || mine.data.total === 0) return null
  const { rows, total } = mine.data
  return (
    <SettingsSection title={t('What you have read and agreed to')} help={t('Each text is shown in the version that you read.')}>
      <Stack gap="sm">
        {rows.map(one => (
          <Group key={`${one.id} ${one.version_no}`} justify="space-between" gap="sm">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={500}>
                {one.text.title}
              </Text>
              <Text size="xs" c="dimmed">
                {t('Version {{number}}, {{at}}', { number: one.version_no, at: instant(one.at) })}
              </Text>
            </div>
            <Group gap="xs">
              {one.latest_no > one.version_no ? <StateBadge tone="soon">{t('Old version')}</StateBadge> : null}
              <StateBadge tone="done">{one.mode === 'must_agree' ? t('Agreed') : t('Read')}</StateBadge>
              <Button size="compact-sm" variant="default" onClick={() => setOpen(one)}>
                {t('Show text')}
              </Button>
            </Group>
          </Group>
        ))}
        <Pager page={page} pages={Math.ceil(total / limit)} turn={setPage} />
      </Stack>
      <Dialog
        opened={open !== null}
        onClose={() => setOpen(null)}
        size={640}
        title={open === null ? '' : t('Version {{number}}, {{at}}', { number: open.version_no, at: instant(open.at) })}
      >
        {open === null ? null : <AnnouncementText {...open.text} />}
      </Dialog>
    </SettingsSection>
  )
}
