/** My hours: planned, clocked and approved, for everyone, with a download. The law gives everyone this page. */
import { Button, Group, TextInput } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { punchClock } from '#features/people/punch-clock/punch-clock.contract.ts'
import { hoursAndMinutes } from '#features/people/punch-clock/punch-words.client.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { day, today } from '#ui/kit/format.ts'
import { staticList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { tableFile } from '#ui/kit/table-file.ts'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { MyDayDrawer } from './DayDrawer.tsx'
import { DayState, plannedText, spanText } from './day-words.tsx'
import { timesheet } from './timesheet.contract.ts'
import type { TimesheetRow } from './timesheet.schemas.ts'

const Url = { from: urlText(), to: urlText(), id: urlText() }
const keyOf = (row: TimesheetRow): string => row.work_date

export function MyHoursScreen({ tabs }: { tabs: ReactNode }) {
  const t = useT()
  const [url, setUrl] = useUrlState(Url)
  const asks = useIsAllowed(punchClock.update.access)
  const start = url.from || `${today().slice(0, 7)}-01`
  const end = url.to || today()
  const answer = useCall(timesheet.mine, { start, end }, { live: ['punch', 'timesheet'], keep: true })
  const rows = useMemo(() => answer.data?.rows.toReversed() ?? [], [answer.data])
  const total = rows.reduce((sum, row) => sum + (row.approved?.paid_s ?? row.proposed.paid_s), 0)
  const columns = useMemo<Column<TimesheetRow>[]>(
    () => [
      { key: 'day', title: t('Day'), flex: 1, cell: row => day(row.work_date) },
      { key: 'planned', title: t('Planned'), cell: row => plannedText(t, row) },
      { key: 'punched', title: t('Clocked'), cell: row => spanText(row.punched) },
      { key: 'approved', title: t('Approved'), cell: row => spanText(row.approved) },
      { key: 'hours', title: t('Hours'), align: 'end', cell: row => hoursAndMinutes(row.approved?.paid_s ?? row.proposed.paid_s) },
      { key: 'state', title: t('Status'), flex: 1, cell: row => <DayState row={row} /> },
    ],
    [t],
  )
  const save = async (format: 'csv' | 'xlsx') => {
    const header = [t('Day'), t('Planned'), t('Clocked'), t('Approved'), t('Break'), t('Hours')]
    const table = rows.map(row => [
      row.work_date,
      plannedText(t, row),
      spanText(row.punched),
      spanText(row.approved),
      (row.punched?.break_s ?? 0) / 3_600,
      (row.approved?.paid_s ?? row.proposed.paid_s) / 3_600,
    ])
    saveFile(await tableFile(`hours-${start}-${end}`, header, table, format))
  }
  return (
    <Page
      title={t('My hours')}
      tabs={tabs}
      fill
      note={t('{{hours}} in this period', { hours: hoursAndMinutes(total) })}
      actions={
        asks ? (
          <Button variant="default" onClick={() => setUrl({ id: today() })}>
            {t('Correct a day')}
          </Button>
        ) : null
      }
    >
      <DataTable
        name="my-hours"
        label={t('My hours')}
        columns={columns}
        list={{ ...staticList(rows), isLoading: answer.isPending, error: answer.error, refetch: () => void answer.refetch() }}
        keyOf={keyOf}
        open={row => setUrl({ id: keyOf(row) })}
        opened={url.id || null}
        exports={{ start: format => void save(format).catch(toastError) }}
        toolbar={
          <Group align="end">
            <TextInput
              type="date"
              label={t('From')}
              value={start}
              max={end}
              onChange={event => event.currentTarget.value && setUrl({ from: event.currentTarget.value })}
            />
            <TextInput
              type="date"
              label={t('Until')}
              value={end}
              min={start}
              onChange={event => event.currentTarget.value && setUrl({ to: event.currentTarget.value })}
            />
          </Group>
        }
        empty={<EmptyList title={t('No hours in this period')}>{t('Select another period.')}</EmptyList>}
        card={row => (
          <RowCard>
            <RowCardLine>
              <strong>{day(row.work_date)}</strong>
              <span>{hoursAndMinutes(row.approved?.paid_s ?? row.proposed.paid_s)}</span>
            </RowCardLine>
            <RowCardLine>
              <span>{spanText(row.punched)}</span>
              <DayState row={row} />
            </RowCardLine>
          </RowCard>
        )}
      />
      <MyDayDrawer date={url.id} choose={id => setUrl({ id })} />
    </Page>
  )
}
