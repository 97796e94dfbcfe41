/** Days on which pickups differ: public holidays, closed days, and days with other times. */
import { Button, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { country, day as dayWords, today } from '#ui/kit/format.ts'
import { staticList } from '#ui/kit/list-state.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { type Received, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { useMaySetDeadlines } from './DeadlineList.tsx'
import { deadlines } from './deadlines.contract.ts'
import { DayFields, type Deadline, type DeadlineDay } from './deadlines.schemas.ts'

interface DayRow {
  key: string
  day: string
  /** The holiday, where it is one. */
  holiday: string
  entry: DeadlineDay | null
}

const yearLater = (from: string): string => `${Number(from.slice(0, 4)) + 1}${from.slice(4)}`.replace('-02-29', '-02-28')

/** Holidays without an entry of their own, and all entries, by day. */
function rowsOf({ rows, holidays }: Received<typeof deadlines.days>): DayRow[] {
  const names = new Map<string, string[]>()
  for (const { day, name, country: code } of holidays) names.set(day, [...(names.get(day) ?? []), `${name} (${country(code)})`])
  const wholeDays = new Set(rows.filter(row => row.deadline_id === null).map(row => row.day))
  return [
    ...rows.map(entry => ({
      key: `${entry.day} ${entry.deadline_id ?? ''}`,
      day: entry.day,
      holiday: names.get(entry.day)?.join(', ') ?? '',
      entry,
    })),
    ...[...names].flatMap(([day, all]) => (wholeDays.has(day) ? [] : { key: `${day} holiday`, day, holiday: all.join(', '), entry: null })),
  ].toSorted((a, b) => a.day.localeCompare(b.day) || a.key.localeCompare(b.key))
}

export function PickupDays() {
  const t = useT()
  const maySet = useMaySetDeadlines()
  const from = today()
  const days = useCall(deadlines.days, { from, to: yearLater(from) }, { live: ['deadline'] })
  const all = useCall(deadlines.list, { limit: 50 }, { live: ['deadline'] })
  const [editing, setEditing] = useState<DeadlineDay | 'new' | null>(null)
  const names = useMemo(() => new Map((all.data?.rows ?? []).map(row => [row.id, row.name])), [all.data])
  const refreshes = [deadlines.days, deadlines.list]
  const open = useCommand((day: string) => send(deadlines.setDay, { body: { day, open: true } }), {
    refreshes,
    said: t('The day has pickups. Open orders follow.'),
  })
  const remove = useSend(deadlines.removeDay, { refreshes, said: t('Entry removed. Open orders follow.') })
  const removeEntry = (entry: DeadlineDay) =>
    remove.mutate({ day: entry.day, ...(entry.deadline_id !== null && { deadline_id: entry.deadline_id }) })
  const whoOf = ({ entry }: DayRow): string =>
    entry === null || entry.deadline_id === null ? t('All deadlines') : (names.get(entry.deadline_id) ?? '–')
  const timesOf = ({ entry }: DayRow): string =>
    entry?.open
      ? [entry.cut_off && `${t('Cut-off')} ${entry.cut_off}`, entry.pickup_time && `${t('Pickup')} ${entry.pickup_time}`]
          .filter(Boolean)
          .join(' · ') || t('Usual times')
      : '–'
  const columns: Column<DayRow>[] = [
    { key: 'day', title: t('Day'), flex: 1, cell: row => dayWords(row.day) },
    { key: 'state', title: t('Status'), cell: row => <DayState of={row} /> },
    { key: 'why', title: t('Note'), flex: 2, cell: row => [row.entry?.note, row.holiday].filter(Boolean).join(' · ') || '–' },
    { key: 'times', title: t('Times'), flex: 2, cell: timesOf },
    { key: 'who', title: t('Applies to'), flex: 1, cell: whoOf },
  ]
  return (
    <Stack gap="md" style={{ minHeight: 0, flex: 1 }}>
      <QueryState of={days} shape="rows">
        {found => (
          <DataTable
            name="pickup-days"
            label={t('Closed days')}
            columns={columns}
            list={staticList(rowsOf(found))}
            keyOf={row => row.key}
            rowActions={row =>
              !maySet
                ? []
                : row.entry
                  ? [
                      { label: t('Edit'), run: () => setEditing(row.entry) },
                      { label: t('Remove entry'), danger: true, run: () => row.entry && removeEntry(row.entry) },
                    ]
                  : [{ label: t('Open this day'), run: () => open.mutate(row.day) }]
            }
            toolbar={
              maySet ? (
                <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
                  {t('Add day')}
                </Button>
              ) : null
            }
            empty={
              <EmptyList
                title={t('No days yet')}
                action={
                  maySet ? (
                    <Button variant="default" onClick={() => setEditing('new')}>
                      {t('Add day')}
                    </Button>
                  ) : undefined
                }
              >
                {t('Public holidays appear here once a deadline names a country. Close other days yourself.')}
              </EmptyList>
            }
            card={row => (
              <RowCard>
                <RowCardLine>
                  <span>{dayWords(row.day)}</span>
                  <DayState of={row} />
                </RowCardLine>
                <span>{[row.entry?.note, row.holiday].filter(Boolean).join(' · ')}</span>
                <Text size="sm" c="dimmed">
                  {row.entry?.open ? `${whoOf(row)} · ${timesOf(row)}` : whoOf(row)}
                </Text>
              </RowCard>
            )}
          />
        )}
      </QueryState>
      <Drawer opened={editing !== null} onClose={() => setEditing(null)} title={editing === 'new' ? t('New day') : t('Day')}>
        {editing === null ? null : (
          <DayForm entry={editing === 'new' ? null : editing} all={all.data?.rows ?? []} close={() => setEditing(null)} />
        )}
      </Drawer>
    </Stack>
  )
}

function DayState({ of: { entry } }: { of: DayRow }) {
  const t = useT()
  return entry?.open ? <StateBadge tone="done">{t('Pickups')}</StateBadge> : <StateBadge tone="quiet">{t('No pickup')}</StateBadge>
}

const blank = { deadline_id: null, day: '', open: false, cut_off: null, pickup_time: null, note: '' }

function DayForm({ entry, all, close }: { entry: DeadlineDay | null; all: readonly Deadline[]; close: () => void }) {
  const t = useT()
  const edit = useEdit({
    schema: DayFields,
    initial: entry ?? blank,
    save: body => send(deadlines.setDay, { body }),
    refreshes: [deadlines.days, deadlines.list],
    said: t('Day saved. Open orders follow.'),
    done: close,
  })
  const { values, form } = edit
  const clock = (field: 'cut_off' | 'pickup_time', label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      placeholder="16:00"
      maxLength={5}
      inputMode="numeric"
      value={values[field] ?? ''}
      onChange={({ currentTarget }) => form.setFieldValue(field, currentTarget.value || null)}
      error={form.errors[field]}
    />
  )
  return (
    <Form edit={edit} {...(entry ? {} : { action: t('Add day') })} cancel={close}>
      <TextInput
        label={t('Day')}
        type="date"
        min={today()}
        {...disabledBecause(entry !== null && t('It was set when this was added, and stays'))}
        data-autofocus
        {...edit.of('day')}
      />
      <NativeChoice
        label={t('Applies to')}
        {...disabledBecause(entry !== null && t('It was set when this was added, and stays'))}
        data={[{ value: '', label: t('All deadlines') }, ...all.map(one => ({ value: String(one.id), label: one.name }))]}
        value={values.deadline_id === null ? '' : String(values.deadline_id)}
        choose={value => form.setFieldValue('deadline_id', value === '' ? null : Number(value))}
      />
      <Switch label={t('Couriers come on this day')} {...edit.of('open', 'checkbox')} />
      {values.open ? (
        <>
          {clock('pickup_time', t('Pickup'), t('Empty: the usual time.'))}
          {clock('cut_off', t('Cut-off'), t('Empty: the usual one, or the pickup where that is earlier.'))}
        </>
      ) : null}
      <TextInput label={t('Note')} {...edit.of('note')} />
    </Form>
  )
}
