/** What the server remembers: how much, since when, how often it helps, and emptying it. */
import { Button, Group, Text } from '@mantine/core'
import { useMemo } from 'react'
import { access } from '#contract/access.ts'
import type { CacheName } from '#contract/cache-names.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { bytes, duration, number, percent } from '#ui/kit/format.ts'
import { staticList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { caches } from './caches.contract.ts'
import type { CacheRow } from './caches.schemas.ts'

/** Name, and what it holds. */
const words: Record<CacheName, readonly [title: string, holds: string]> = {
  people: ['Sign-in', 'Who is behind a session or key, with permissions, and the companies by their address'],
  addresses: ['Address patterns', 'Compiled patterns of warehouse addresses and serial numbers'],
  list_totals: ['Totals of lists', 'How many rows long lists have'],
  import_settings: ['Import rules', 'Settings, shipping rules and deadlines as imports read them'],
  maps: ['Measured maps', 'Distances between all bins of warehouse maps'],
  pictures: ['Small pictures', 'Product pictures as pick lists print them'],
  holidays: ['Public holidays', 'Holidays of each country and year'],
  languages: ['Languages', 'Texts of the interface, compressed for browsers'],
  video_space: ['Video space', 'How much space packing videos take'],
}

const keyOf = (row: CacheRow) => row.name

export function CachesScreen() {
  const t = useT()
  const { user } = useSignedIn()
  const mayEmpty = useIsAllowed(access.settings) && user.is_main_company
  const answer = useCall(caches.list, {}, { every: 5_000, live: ['cache'] })
  const empty = useSend(caches.empty, {
    refreshes: [caches.list],
    said: ({ entries }) => t('{{count}} entries removed', { count: entries }),
  })
  const emptyAll = async () => {
    if (
      await confirm({
        title: t('Empty all caches?'),
        body: t('Nothing is lost: the server reads everything again and is slower for some seconds.'),
        action: t('Empty all'),
      })
    )
      empty.mutate({ body: { name: null } })
  }
  const columns = useMemo<Column<CacheRow>[]>(
    () => [
      { key: 'name', title: t('Cache'), cell: row => t(words[row.name][0]) },
      { key: 'holds', title: t('Holds'), flex: 2, cell: row => <span title={t(words[row.name][1])}>{t(words[row.name][1])}</span> },
      { key: 'entries', title: t('Entries'), align: 'end', cell: row => number(row.entries) },
      { key: 'bytes', title: t('Size'), align: 'end', cell: row => bytes(row.bytes) },
      { key: 'hit_rate', title: t('Hits, 1 h'), align: 'end', cell: row => rate(row) },
      { key: 'oldest', title: t('Oldest'), cell: row => <RelativeTime at={row.oldest} as="age" /> },
      { key: 'lifetime', title: t('Lifetime'), cell: row => (row.lifetime_s === null ? t('Until changed') : duration(row.lifetime_s)) },
    ],
    [t],
  )
  const list = {
    ...staticList(answer.data ?? []),
    isLoading: answer.isPending,
    error: answer.error,
    refetch: () => void answer.refetch(),
  }
  return (
    <Page
      title={t('Cache')}
      note={t('What all processes of the server remember for your companies. Sizes are estimated.')}
      fill
      actions={
        mayEmpty ? (
          <Button variant="default" loading={empty.isPending} onClick={() => void emptyAll()}>
            {t('Empty all')}
          </Button>
        ) : undefined
      }
    >
      <DataTable
        name="caches"
        label={t('Cache')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        rowActions={row =>
          mayEmpty && row.can_empty ? [{ label: t('Empty cache'), run: () => empty.mutate({ body: { name: row.name } }) }] : []
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <strong>{t(words[row.name][0])}</strong>
              <span>{bytes(row.bytes)}</span>
            </RowCardLine>
            <Text size="sm" c="dimmed">
              {t(words[row.name][1])}
            </Text>
            <Group justify="space-between">
              <span>
                {t('Entries')}: {number(row.entries)}
              </span>
              <span>
                {t('Hits, 1 h')}: {rate(row)}
              </span>
            </Group>
          </RowCard>
        )}
      />
    </Page>
  )
}

const rate = ({ hit_rate }: CacheRow): string => (hit_rate === null ? '–' : percent(hit_rate))
