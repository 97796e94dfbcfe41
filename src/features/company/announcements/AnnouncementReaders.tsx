/** Who has read an announcement or agreed with it, who has not, and the reminder to them. */
import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { Call } from '#contract/endpoint.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { instant } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { Pager } from '#ui/kit/Pager.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { announcements } from './announcements.contract.ts'
import type { Announcement, AnnouncementReader } from './announcements.schemas.ts'

const limit = 50

export function AnnouncementReaders({ announcement, refreshes }: { announcement: Announcement; refreshes: readonly Call[] }) {
  const t = useT()
  const { id, mode, phase, reminded_at } = announcement
  const [query, setQuery] = useState('')
  const [state, setState] = useState<'all' | 'waiting' | 'agreed'>('all')
  const [page, setPage] = useState(1)
  const question = { id, query, ...(state !== 'all' && { state }) }
  const answer = useCall(announcements.readers, { ...question, page, limit }, { live: ['announcement'], keep: true })
  const save = useCommand(() => send(announcements.exportReaders, question), { done: saveFile })
  const remind = useSend(announcements.remind, {
    refreshes,
    said: ({ reminded, without_email }) =>
      without_email > 0
        ? t('{{count}} reminded, {{without}} without an e-mail address', { count: reminded, without: without_email })
        : t('{{count}} reminded', { count: reminded }),
  })
  const missing = (announcement.asked ?? 0) - (announcement.agreed ?? 0)
  const askRemind = async () => {
    const sure = await confirm({
      title: t('Send a reminder?'),
      body: t('Everyone who has not answered yet gets a mail with a link.'),
      action: t('Send reminder'),
    })
    if (sure) remind.mutate({ id })
  }
  const sum = { count: announcement.agreed ?? 0, total: announcement.asked ?? 0 }
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <div>
          <Text fw={500}>
            {mode === 'must_agree' ? t('{{count}} of {{total}} have agreed', sum) : t('{{count}} of {{total}} have read it', sum)}
          </Text>
          {reminded_at === null ? null : (
            <Text size="sm" c="dimmed">
              {t('Last reminder {{at}}', { at: instant(reminded_at) })}
            </Text>
          )}
        </div>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={save.isPending}
            onClick={() => save.mutate(undefined)}
          >
            {t('Export')}
          </Button>
          {phase === 'shown' && missing > 0 ? (
            <Button loading={remind.isPending} onClick={() => void askRemind()}>
              {t('Send reminder')}
            </Button>
          ) : null}
        </Group>
      </Group>
      <Group align="end" gap="sm">
        <TextInput
          label={t('Name')}
          value={query}
          onChange={event => {
            setQuery(event.currentTarget.value)
            setPage(1)
          }}
        />
        <NativeChoice
          label={t('Status')}
          data={[
            { value: 'all', label: t('All') },
            { value: 'waiting', label: t('Not yet') },
            { value: 'agreed', label: mode === 'must_agree' ? t('Agreed') : t('Read') },
          ]}
          value={state}
          choose={chosen => {
            setState(chosen)
            setPage(1)
          }}
        />
      </Group>
      <QueryState of={answer} shape="rows">
        {({ rows, total }) => (
          <>
            {rows.length === 0 ? <Text c="dimmed">{t('No results')}</Text> : null}
            <Table>
              <Table.Tbody>
                {rows.map(reader => (
                  <ReaderRow key={reader.user_id} of={reader} asks={mode === 'must_agree'} />
                ))}
              </Table.Tbody>
            </Table>
            <Pager page={page} pages={Math.ceil(total / limit)} turn={setPage} />
          </>
        )}
      </QueryState>
    </Stack>
  )
}

function ReaderRow({ of, asks }: { of: AnnouncementReader; asks: boolean }) {
  const t = useT()
  const done = asks ? t('Agreed') : t('Read')
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={500}>
          {of.name}
        </Text>
        <Text size="xs" c="dimmed">
          {of.at === null
            ? of.has_email
              ? ''
              : t('No e-mail address')
            : t('Version {{number}}, {{at}}', { number: of.version_no, at: instant(of.at) })}
        </Text>
      </Table.Td>
      <Table.Td ta="end">
        {of.done ? (
          <StateBadge tone="done">{done}</StateBadge>
        ) : (
          <StateBadge tone="soon">{of.at === null ? t('Not yet') : t('Old version')}</StateBadge>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
