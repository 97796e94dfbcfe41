/** When the label printer of each station prints its test page by itself, and how the last one went. */
import { Button, Checkbox, Group, Switch, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import * as z from 'zod'
import { printerName } from '#features/printing/printers/printers.labels.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { staticList } from '#ui/kit/list-state.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { localeTag, useT } from '#ui/kit/translate.ts'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { selfTests } from './self-tests.contract.ts'
import { selfTestLabels, selfTestTones } from './self-tests.labels.ts'
import type { StationSelfTest } from './self-tests.schemas.ts'

const keyOf = (row: StationSelfTest) => row.station_id

export function SelfTests() {
  const t = useT()
  const list = useCall(selfTests.list, {}, { live: ['printer'] })
  const may = useIsAllowed(selfTests.set.access)
  const [opened, setOpened] = useState<StationSelfTest | null>(null)
  const { mutate: print, isPending: printing } = useSend(selfTests.print, {
    refreshes: [selfTests.list, selfTests.state],
    said: ({ code, printer }) => t('The test page {{code}} is on its way to {{printer}}', { code, printer: printerName(t, printer) }),
  })
  const columns = useMemo<Column<StationSelfTest>[]>(
    () => [
      { key: 'station', title: t('Station'), cell: row => row.station },
      { key: 'when', title: t('When'), flex: 2, cell: row => <When row={row} /> },
      { key: 'printer', title: t('Printer'), flex: 1, cell: row => (row.printer === null ? '–' : printerName(t, row.printer)) },
      { key: 'last', title: t('Last test'), flex: 2, cell: row => <Last row={row} /> },
      {
        key: 'print',
        title: t('Actions'),
        cell: row => (
          <Button
            size="compact-sm"
            variant="default"
            {...disabledBecause(row.printer === null && t('This station has no printer'))}
            loading={printing}
            onClick={event => {
              event.stopPropagation()
              print({ id: row.station_id })
            }}
          >
            {t('Print now')}
          </Button>
        ),
      },
    ],
    [t, print, printing],
  )
  return (
    <>
      <QueryState of={list} shape="rows">
        {rows => (
          <DataTable
            name="self-tests"
            label={t('Self-test')}
            columns={columns}
            list={staticList(rows)}
            keyOf={keyOf}
            {...(may ? { open: setOpened } : {})}
            empty={<EmptyList title={t('No station yet')}>{t('A station appears here as soon as a device uses it.')}</EmptyList>}
            card={row => (
              <RowCard>
                <RowCardLine>
                  <strong>{row.station}</strong>
                  <span>
                    <When row={row} />
                  </span>
                </RowCardLine>
                <Last row={row} />
              </RowCard>
            )}
          />
        )}
      </QueryState>
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title={opened ? t('Self-test of {{station}}', { station: opened.station }) : ''}
      >
        {opened ? <ScheduleForm key={opened.station_id} row={opened} close={() => setOpened(null)} /> : null}
      </Drawer>
    </>
  )
}

/** `1` → `Mon`, in the reader's language; 5 January 2026 was a Monday. */
const dayName = (day: number): string =>
  new Intl.DateTimeFormat(localeTag(), { weekday: 'short', timeZone: 'UTC' }).format(new Date(Date.UTC(2026, 0, 4 + day)))

function When({ row: { schedule } }: { row: StationSelfTest }) {
  const t = useT()
  if (schedule === null) return t('By hand only')
  const { at, days, asks } = schedule
  const when = `${at} · ${days.length === 7 ? t('every day') : days.map(dayName).join(', ')}`
  return asks ? `${when} · ${t('first order asks')}` : when
}

function Last({ row: { last } }: { row: StationSelfTest }) {
  const t = useT()
  if (last === null) return '–'
  return (
    <Group gap="xs" wrap="nowrap">
      <StateBadge tone={selfTestTones[last.state]}>{t(selfTestLabels[last.state])}</StateBadge>
      <Text span size="sm" c="dimmed" truncate>
        {last.proved_by_name ?? last.skipped_by_name ?? last.code} · <RelativeTime at={last.proved_at ?? last.asked_at} as="age" />
      </Text>
    </Group>
  )
}

const Wanted = z.object({
  on: z.boolean(),
  at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time looks like 06:05'),
  days: z.array(z.string()).min(1, 'Choose at least one day'),
  asks: z.boolean(),
})

function ScheduleForm({ row, close }: { row: StationSelfTest; close: () => void }) {
  const t = useT()
  const { schedule, station_id: id, printer } = row
  const edit = useEdit({
    schema: Wanted,
    initial: {
      on: schedule !== null,
      at: schedule?.at ?? '06:00',
      days: (schedule?.days ?? [1, 2, 3, 4, 5]).map(String),
      asks: schedule?.asks ?? false,
    },
    save: async ({ on, at, days, asks }): Promise<void> => {
      if (on) await send(selfTests.set, { id, body: { at, days: days.map(Number), asks } })
      else if (schedule !== null) await send(selfTests.remove, { id })
    },
    refreshes: [selfTests.list, selfTests.state],
    said: t('Saved'),
    done: close,
  })
  return (
    <Form edit={edit} cancel={close}>
      <Text size="sm" c="dimmed">
        {t(
          'The label printer of the station prints a page with a code. Scanned at the station within 30 minutes, it proves printer and scanner.',
        )}
      </Text>
      {printer === null ? <Text c="var(--soon)">{t('Set a label printer for this station first.')}</Text> : null}
      <Switch
        label={t('Print a test page by itself')}
        {...disabledBecause(printer === null && schedule === null && t('Set a label printer for this station first.'))}
        {...edit.of('on', 'checkbox')}
      />
      <TextInput
        label={t('Time')}
        placeholder="06:00"
        maw={200}
        {...disabledBecause(!edit.values.on && t('Switch it on first'))}
        {...edit.of('at')}
      />
      <Checkbox.Group label={t('Days')} {...edit.of('days')}>
        <Group gap="sm" mt={4}>
          {[1, 2, 3, 4, 5, 6, 7].map(day => (
            <Checkbox key={day} value={String(day)} label={dayName(day)} {...disabledBecause(!edit.values.on && t('Switch it on first'))} />
          ))}
        </Group>
      </Checkbox.Group>
      <Switch
        label={t('Ask for it before the first order')}
        description={t('The station waits for the page. A packer can go on without; it is recorded.')}
        {...disabledBecause(!edit.values.on && t('Switch it on first'))}
        {...edit.of('asks', 'checkbox')}
      />
    </Form>
  )
}
