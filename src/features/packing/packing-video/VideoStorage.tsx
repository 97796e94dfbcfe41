/** How much the videos take, of how much they may, and what came and went by day. */
import { Progress, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { DescriptionItem, DescriptionList } from '#ui/kit/DescriptionList.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { bytes, day, number, percent } from '#ui/kit/format.ts'
import { staticList } from '#ui/kit/list-state.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { type Received, useCall } from '#ui/query/calls.ts'
import { packingVideo } from './packing-video.contract.ts'

type Report = Received<typeof packingVideo.storage>
type Day = Report['days'][number]
const keyOf = (row: Day) => row.day

export function VideoStorage() {
  const t = useT()
  const report = useCall(packingVideo.storage, {}, { live: ['video'] })
  return (
    <QueryState of={report} shape="form">
      {known => (
        <div>
          <SettingsSection title={t('Space')} help={t('The limit is set under Filming. The last tenth of the disk stays free.')}>
            <Used report={known} />
          </SettingsSection>
          <SettingsSection title={t('By day')} help={t('The last 30 days.')}>
            <Days rows={known.days} />
          </SettingsSection>
        </div>
      )}
    </QueryState>
  )
}

function Used({ report }: { report: Report }) {
  const t = useT()
  const used = report.used_bytes + report.open_bytes
  const part = Math.min(1, used / report.limit_bytes)
  return (
    <Stack gap="sm">
      <div>
        <Text mb={4}>
          {t('{{used}} of {{limit}} used ({{part}})', { used: bytes(used), limit: bytes(report.limit_bytes), part: percent(part) })}
        </Text>
        <Progress.Root size="lg">
          <Progress.Section
            value={part * 100}
            color={part >= 0.9 ? 'brick' : part >= 0.75 ? 'amber' : 'harbour'}
            aria-label={t('Space used')}
          />
        </Progress.Root>
      </div>
      {part >= 1 ? <Text c="var(--stop)">{t('The space is full: stations and recorders record nothing more.')}</Text> : null}
      <DescriptionList>
        <DescriptionItem name={t('Videos')}>{number(report.clips)}</DescriptionItem>
        <DescriptionItem name={t('Kept')}>{number(report.held)}</DescriptionItem>
        <DescriptionItem name={t('Uploading')}>{bytes(report.open_bytes)}</DescriptionItem>
        <DescriptionItem name={t('Free on the disk')}>
          {t('{{free}} of {{all}}', { free: bytes(report.disk_free_bytes), all: bytes(report.disk_bytes) })}
        </DescriptionItem>
      </DescriptionList>
    </Stack>
  )
}

function Days({ rows }: { rows: readonly Day[] }) {
  const t = useT()
  const columns = useMemo<Column<Day>[]>(
    () => [
      { key: 'day', title: t('Day'), flex: 1, cell: row => day(row.day) },
      { key: 'clips', title: t('Filmed'), align: 'end', cell: row => number(row.clips) },
      { key: 'bytes', title: t('Size'), align: 'end', cell: row => bytes(row.bytes) },
      { key: 'deleted', title: t('Deleted'), align: 'end', cell: row => number(row.deleted) },
    ],
    [t],
  )
  return (
    <DataTable
      name="video-days"
      label={t('By day')}
      columns={columns}
      list={staticList(rows)}
      keyOf={keyOf}
      empty={<EmptyList title={t('No videos yet')}>{t('A day appears here with its first video.')}</EmptyList>}
      card={row => (
        <RowCard>
          <RowCardLine>
            <span>{day(row.day)}</span>
            <span>{bytes(row.bytes)}</span>
          </RowCardLine>
          <RowCardLine>
            <span>{t('{{count}} videos', { count: row.clips })}</span>
            <span>{t('{{count}} deleted', { count: row.deleted })}</span>
          </RowCardLine>
        </RowCard>
      )}
    />
  )
}
