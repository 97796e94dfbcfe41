/** The board with its tools: week or day, people or stations, publication, templates, copying and printing. */
import { ActionIcon, Button, Group, Menu, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowBackUp, IconArrowForwardUp, IconChevronLeft, IconChevronRight, IconDots, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { addDays, mondayOf } from '#domain/local-time.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { day as dayWord, today as todayOf, week } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useShortcuts } from '#ui/kit/shortcuts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useNavigate, useUrlState } from '#ui/kit/url-state.ts'
import { type Received, useCall } from '#ui/query/calls.ts'
import { type BoardRow, entriesByRow, entriesOfCell, openRow, stationRow, warningsOnBoard, weekDays } from './board.rules.ts'
import { useBoardActions } from './board-state.client.ts'
import { DayBoard } from './DayBoard.tsx'
import { MyShifts } from './MyShifts.tsx'
import { PublishDialog, TemplatesDialog } from './PlannerDialogs.tsx'
import { printPlan } from './print-plan.client.ts'
import { ShiftChip } from './ShiftChip.tsx'
import { ShiftForm } from './ShiftForm.tsx'
import { schedule } from './schedule.contract.ts'
import type { NewShift, ScheduleEntry } from './schedule.schemas.ts'
import style from './WeekBoard.module.css'
import { WeekBoard } from './WeekBoard.tsx'

const View = {
  day: urlText(),
  view: urlChoice(['week', 'day', 'mine'], 'week'),
  by: urlChoice(['people', 'stations'], 'people'),
  only: urlChoice(['', 'warnings', 'open', 'unpublished'], ''),
  query: urlText(),
  /** A user group; 0 for everyone. */
  group: urlNumber(0, { least: 0 }),
}

type Board = Received<typeof schedule.board>
const usualShift = { start_local: '06:00', end_local: '14:00', break_s: 1_800, station: null, skill: null }

/** The cell on which the keys of the board work: after a shift that the keyboard opened they go on there. */
const focusBoard = () => document.querySelector<HTMLElement>('[data-cell][tabindex="0"]')?.focus({ preventScroll: true })

export function PlannerBoard() {
  const t = useT()
  const go = useNavigate()
  const phone = useMediaQuery('(max-width: 48em)') ?? false
  const [url, setUrl] = useUrlState(View)
  const today = todayOf()
  const day = /^\d{4}-\d\d-\d\d$/.test(url.day) && !Number.isNaN(Date.parse(url.day)) ? url.day : today
  const daily = url.view === 'day' || phone
  const from = daily ? day : mondayOf(day)
  const to = daily ? day : addDays(from, 6)
  const board = useCall(schedule.board, { start: from, end: to }, { live: ['schedule', 'user', 'group'], keep: true })
  const known = board.data?.groups ?? []
  /** The filter ends with its group. */
  const group = known.some(one => one.group_id === url.group) ? url.group : 0
  const actions = useBoardActions()
  const [form, setForm] = useState<ScheduleEntry | NewShift | null>(null)
  const [usual, setUsual] = useState<Omit<NewShift, 'user_id' | 'work_date'>>(usualShift)
  const [copied, setCopied] = useState<ScheduleEntry | null>(null)
  const [dialog, setDialog] = useState<'publish' | 'templates' | null>(null)
  const searchLabel = url.by === 'stations' ? t('Search stations') : t('Search people')
  const step = daily ? 1 : 7
  const turn = (by: number) => setUrl({ day: addDays(day, by) })
  const unpublished = board.data?.unpublished ?? 0
  const nothingPlanned = board.data?.entries.length === 0 && !daily && url.query === '' && url.only === '' && group === 0
  const counts = useMemo(() => countsOf(board.data, { from, to }), [board.data, from, to])
  const counted = (label: string, count: number) => (count === 0 ? label : `${label} ${count}`)
  const only: { value: typeof url.only; label: string }[] = [
    { value: '', label: t('All') },
    { value: 'warnings', label: counted(t('Warnings'), counts.warnings) },
    { value: 'open', label: counted(t('Open shifts'), counts.open) },
    { value: 'unpublished', label: counted(t('Not published'), unpublished) },
  ]
  const shortcuts = useMemo(
    () => [
      { keys: 'p', does: t('Publish the plan'), run: () => unpublished > 0 && setDialog('publish') },
      { keys: 't', does: t('Templates'), run: () => setDialog('templates') },
    ],
    [t, unpublished],
  )
  useShortcuts(shortcuts)
  const note = daily ? dayWord(from) : t('Week {{week}} · {{from}} – {{to}}', { week: week(from), from: dayWord(from), to: dayWord(to) })
  /** What is on the board, as it is filtered. */
  const print = () => {
    if (!board.data) return
    const rows = rowsOf(board.data, { ...url, group }, { from, to }, t('Open shifts'), t('No station'))
    const days = daily ? [from] : weekDays(from)
    const names = new Map(board.data.people.map(person => [person.user_id, person.name]))
    const entries = entriesByRow(board.data.entries, url.by)
    const cell = (row: BoardRow, on: string) =>
      entriesOfCell(entries.get(row.key) ?? [], on)
        .flatMap(entry => {
          if (entry.kind === 'leave') return [t('Away')]
          if (entry.kind !== 'shift') return []
          const who = url.by === 'stations' && entry.user_id !== null ? names.get(entry.user_id) : undefined
          return [[`${entry.start_local}–${entry.end_local}`, who].filter(Boolean).join(' ')]
        })
        .join('\n')
    printPlan(
      `${t('Schedule')} · ${note}`,
      [url.by === 'people' ? t('Person') : t('Station'), ...days.map(on => dayWord(on))],
      rows.map(row => [row.name, ...days.map(on => cell(row, on))]),
    )
  }
  if (url.view === 'mine') return <MyShifts board={() => setUrl({ view: 'week' })} />
  const add = (row: BoardRow, on: string) =>
    setForm({ ...usual, user_id: row.user_id, station: row.station ?? usual.station, work_date: on })

  return (
    <Page
      title={t('Schedule')}
      fill
      note={note}
      actions={
        <>
          <Group gap={4} wrap="nowrap">
            <ActionIcon variant="default" size="lg" aria-label={daily ? t('Previous day') : t('Previous week')} onClick={() => turn(-step)}>
              <IconChevronLeft size={20} />
            </ActionIcon>
            <Button variant="default" onClick={() => setUrl({ day: '' })}>
              {t('Today')}
            </Button>
            <ActionIcon variant="default" size="lg" aria-label={daily ? t('Next day') : t('Next week')} onClick={() => turn(step)}>
              <IconChevronRight size={20} />
            </ActionIcon>
          </Group>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('Undo the last change')}
            disabled={actions.busy}
            {...disabledBecause(!board.data?.undo && t('No change to undo'))}
            onClick={() => board.data?.undo && actions.undo(board.data.undo)}
          >
            <IconArrowBackUp size={20} />
          </ActionIcon>
          {phone ? null : (
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t('Make the change again')}
              disabled={actions.busy}
              {...disabledBecause(!board.data?.redo && t('No change to make again'))}
              onClick={() => board.data?.redo && actions.redo(board.data.redo)}
            >
              <IconArrowForwardUp size={20} />
            </ActionIcon>
          )}
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size="lg" aria-label={t('More')}>
                <IconDots size={20} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setDialog('templates')}>{t('Templates and copy week')}</Menu.Item>
              <Menu.Item onClick={() => setUrl({ view: 'mine' })}>{t('My shifts')}</Menu.Item>
              <Menu.Item onClick={print}>{t('Print')}</Menu.Item>
              <Menu.Item onClick={() => go('/schedule/settings')}>{t('Schedule settings')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          {nothingPlanned && unpublished === 0 ? null : (
            <Button onClick={() => setDialog('publish')} {...disabledBecause(unpublished === 0 && t('Every change is published'))}>
              {!board.data
                ? t('Publish plan')
                : unpublished === 0
                  ? t('Published')
                  : t('Publish {{count}} changes', { count: unpublished })}
            </Button>
          )}
        </>
      }
    >
      <Group gap="sm" mb="sm" wrap="wrap">
        {phone ? null : (
          <SegmentedControl
            aria-label={t('Period')}
            value={url.view}
            onChange={view => setUrl({ view })}
            data={[
              { value: 'week', label: t('Week') },
              { value: 'day', label: t('Day') },
            ]}
          />
        )}
        <SegmentedControl
          aria-label={t('Rows')}
          value={url.by}
          onChange={by => setUrl({ by })}
          data={[
            { value: 'people', label: t('People') },
            { value: 'stations', label: t('Stations') },
          ]}
        />
        {url.by === 'stations' ? null : phone ? (
          <NativeChoice aria-label={t('Show')} value={url.only} choose={one => setUrl({ only: one })} data={only} />
        ) : (
          <SegmentedControl aria-label={t('Show')} value={url.only} onChange={one => setUrl({ only: one })} data={only} />
        )}
        {url.by === 'stations' || known.length === 0 ? null : (
          <NativeChoice
            aria-label={t('Group')}
            value={String(group)}
            choose={one => setUrl({ group: Number(one) })}
            data={[{ value: '0', label: t('All groups') }, ...known.map(one => ({ value: String(one.group_id), label: one.group_name }))]}
          />
        )}
        <TextInput
          aria-label={searchLabel}
          placeholder={searchLabel}
          value={url.query}
          onChange={event => setUrl({ query: event.currentTarget.value }, { replace: true })}
        />
        {phone || nothingPlanned ? null : (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => setForm({ ...usual, user_id: null, work_date: from <= today && today <= to ? today : from })}
          >
            {t('New shift')}
          </Button>
        )}
      </Group>
      <QueryState of={board} shape="rows">
        {data => {
          const rows = rowsOf(data, { ...url, group }, { from, to }, t('Open shifts'), t('No station'))
          const shared = { board: data, rows, by: url.by, actions, usual, open: setForm, add, copied, setCopied }
          if (phone) return <PhoneDay board={data} rows={rows} day={from} open={setForm} add={add} />
          // One board, empty or not: the keys stay in their cell when the first shift is planned.
          return (
            <>
              {nothingPlanned ? (
                <EmptyList
                  title={t('No shifts this week')}
                  action={
                    <Group justify="center">
                      <Button variant="default" onClick={() => setDialog('templates')}>
                        {t('Copy last week')}
                      </Button>
                      <Button leftSection={<IconPlus size={16} />} onClick={() => setForm({ ...usual, user_id: null, work_date: from })}>
                        {t('New shift')}
                      </Button>
                    </Group>
                  }
                />
              ) : null}
              {daily ? <DayBoard {...shared} day={from} /> : <WeekBoard {...shared} days={weekDays(from)} today={today} />}
              {nothingPlanned ? null : (
                <div className={style.legend}>
                  {t(
                    'Dashed: not published. Double-click to open or add, drag to draw, move or stretch, Alt to copy. Keys: arrows, Enter, N, Space, Shift and arrows, Delete, Ctrl C, X, V, Z and Y.',
                  )}
                </div>
              )}
            </>
          )
        }}
      </QueryState>
      {form && board.data ? (
        <ShiftForm
          key={'id' in form ? form.id : 'new'}
          board={board.data}
          shift={form}
          range={{ from, to }}
          actions={actions}
          close={() => {
            setForm(null)
            requestAnimationFrame(focusBoard)
          }}
          used={({ start_local, end_local, break_s, station, skill }) => setUsual({ start_local, end_local, break_s, station, skill })}
        />
      ) : null}
      {dialog === 'publish' && board.data ? <PublishDialog board={board.data} from={from} to={to} close={() => setDialog(null)} /> : null}
      {dialog === 'templates' ? <TemplatesDialog monday={mondayOf(day)} actions={actions} close={() => setDialog(null)} /> : null}
    </Page>
  )
}

/** What waits on the board: warnings of the law, and shifts without a person. */
function countsOf(board: Board | undefined, { from, to }: { from: string; to: string }): { warnings: number; open: number } {
  if (!board) return { warnings: 0, open: 0 }
  const work = Map.groupBy(board.entries, entry => entry.user_id)
  const found = board.people.map(person => warningsOnBoard(person, work.get(person.user_id) ?? [], { from, to, zone: board.time_zone }))
  return {
    warnings: found.reduce((sum, some) => sum + some.length, 0),
    open: (work.get(null) ?? []).filter(entry => entry.kind === 'shift').length,
  }
}

function rowsOf(
  board: Board,
  { by, only, query, group }: { by: 'people' | 'stations'; only: string; query: string; group: number },
  { from, to }: { from: string; to: string },
  open: string,
  nowhere: string,
): BoardRow[] {
  const openShifts: BoardRow = { key: openRow, name: open, user_id: null, station: null }
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const isAsked = (name: string) => words.every(word => name.toLowerCase().includes(word))
  if (by === 'stations') {
    const planned = new Set(board.entries.flatMap(entry => (entry.kind === 'shift' && entry.station !== null ? [entry.station] : [])))
    const stations = [...new Set([...planned, ...board.stations])].filter(isAsked).sort()
    return [
      openShifts,
      ...stations.map(station => ({ key: stationRow(station), name: station, user_id: null, station })),
      ...(isAsked(nowhere) ? [{ key: stationRow(null), name: nowhere, user_id: null, station: null }] : []),
    ]
  }
  const people = board.people.filter(person => {
    if (!isAsked(person.name) || (group > 0 && !person.group_ids.includes(group))) return false
    if (only === 'warnings') return warningsOnBoard(person, board.entries, { from, to, zone: board.time_zone }).length > 0
    if (only === 'unpublished') return board.entries.some(entry => entry.user_id === person.user_id && entry.unpublished)
    return only !== 'open'
  })
  return [openShifts, ...people.map(person => ({ key: String(person.user_id), name: person.name, user_id: person.user_id, station: null }))]
}

function PhoneDay({
  board,
  rows,
  day,
  open,
  add,
}: {
  board: Board
  rows: readonly BoardRow[]
  day: string
  open: (entry: ScheduleEntry) => void
  add: (row: BoardRow, day: string) => void
}) {
  const t = useT()
  return (
    <div className={style.list}>
      {rows.map(row => {
        const entries = board.entries.filter(entry =>
          row.key === openRow
            ? entry.kind === 'shift' && entry.user_id === null
            : row.user_id !== null
              ? entry.user_id === row.user_id
              : entry.kind === 'shift' && entry.user_id !== null && entry.station === row.station,
        )
        return (
          <div key={row.key} className={style.line}>
            <Group justify="space-between" wrap="nowrap">
              <Text fw={500} truncate>
                {row.name}
              </Text>
              <ActionIcon
                size="lg"
                variant="default"
                aria-label={t('New shift for {{name}}', { name: row.name })}
                onClick={() => add(row, day)}
              >
                <IconPlus size={20} />
              </ActionIcon>
            </Group>
            {entries.map(entry => (
              <button
                key={entry.id}
                type="button"
                style={{ all: 'unset', cursor: 'pointer' }}
                onClick={() => entry.kind === 'shift' && open(entry)}
              >
                <ShiftChip
                  entry={entry}
                  warnings={[]}
                  lifted={false}
                  name={row.user_id === null ? board.people.find(person => person.user_id === entry.user_id)?.name : undefined}
                  open={() => open(entry)}
                />
              </button>
            ))}
          </div>
        )
      })}
    </div>
  )
}
