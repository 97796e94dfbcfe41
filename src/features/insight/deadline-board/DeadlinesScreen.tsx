/** What is left of each pickup, whether it leaves in time, and the orders behind each figure. */
import { Anchor, Button, Progress } from '@mantine/core'
import { IconMaximize, IconPlus, IconSettings, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useMaySetDeadlines } from '#features/orders/deadlines/DeadlineList.tsx'
import { targetLabels } from '#features/orders/deadlines/deadline-words.client.ts'
import type { Phase } from '#features/orders/orders/orders.rules.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { instant, number, time } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useShortcuts } from '#ui/kit/shortcuts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useAlarmSound } from './alarm-sound.client.ts'
import { BurnDown } from './BurnDown.tsx'
import { alarmWords, outlook, timeLeft } from './board-words.client.ts'
import { isDrawn } from './burn-down.rules.ts'
import style from './DeadlinesScreen.module.css'
import { deadlineBoard } from './deadline-board.contract.ts'
import type { Board, BoardRow } from './deadline-board.schemas.ts'
import { hasFullScreen, turnFullScreen } from './full-screen.client.ts'

const every = 15_000

export function DeadlinesScreen() {
  const t = useT()
  const maySet = useMaySetDeadlines()
  const board = useCall(deadlineBoard.data, {}, { live: ['deadline'], every, keep: true })
  const sound = useAlarmSound(board.data)
  useBoardKeys(maySet)
  const add = (
    <Button component={Link} to="/settings/dashboard" search={{ id: 'new' }} leftSection={<IconPlus size={16} />}>
      {t('Add deadline')}
    </Button>
  )
  return (
    <Page
      title={t('Deadlines')}
      actions={
        <>
          {sound.state === 'off' ? null : <SoundSwitch {...sound} />}
          {hasFullScreen() ? (
            <Button variant="subtle" visibleFrom="md" leftSection={<IconMaximize size={16} />} onClick={turnFullScreen}>
              {t('Full screen')}
            </Button>
          ) : null}
          <Button component={Link} to="/settings/dashboard" variant="default" leftSection={<IconSettings size={16} />}>
            {t('Settings')}
          </Button>
          {maySet ? add : null}
        </>
      }
    >
      <QueryState of={board} shape="rows">
        {found =>
          found.rows.length === 0 ? (
            <EmptyList title={t('No deadlines yet')} {...(maySet && { action: add })}>
              {t('A deadline says when a courier comes, and which orders have to be ready by then.')}
            </EmptyList>
          ) : (
            <>
              {found.totals ? <Totals of={found.totals} /> : null}
              <div className={style.cards}>
                {found.rows.map(row => (
                  <DeadlineCard key={row.deadline_id} row={row} board={found} />
                ))}
              </div>
            </>
          )
        }
      </QueryState>
    </Page>
  )
}

/** `N` begins a deadline, `F` fills the screen and gives it back. */
function useBoardKeys(maySet: boolean): void {
  const t = useT()
  const go = useNavigate()
  const shortcuts = useMemo(
    () => [
      ...(maySet ? [{ keys: 'n', does: t('Add deadline'), run: () => go('/settings/dashboard', { id: 'new' }) }] : []),
      ...(hasFullScreen() ? [{ keys: 'f', does: t('Full screen'), run: turnFullScreen }] : []),
    ],
    [maySet, go, t],
  )
  useShortcuts(shortcuts)
}

/** `M` does the same. */
function SoundSwitch({ state, mute }: ReturnType<typeof useAlarmSound>) {
  const t = useT()
  const muted = state === 'muted'
  const shortcuts = useMemo(() => [{ keys: 'm', does: muted ? t('Sound on') : t('Sound off'), run: () => mute(!muted) }], [muted, mute, t])
  useShortcuts(shortcuts)
  const words = muted ? t('Sound is off') : state === 'blocked' ? t('Sound after a touch') : t('Sound is on')
  return (
    <Button
      variant="subtle"
      leftSection={muted ? <IconVolumeOff size={16} /> : <IconVolume size={16} />}
      aria-pressed={!muted}
      onClick={() => mute(!muted)}
    >
      {words}
    </Button>
  )
}

function Totals({ of: totals }: { of: NonNullable<Board['totals']> }) {
  const t = useT()
  const figures: readonly (readonly [label: string, value: number])[] = [
    [t('Waiting'), totals.waiting],
    [t('Packed in the last hour'), totals.packed_last_hour],
    [t('Packers'), totals.packers],
    [t('Pickers'), totals.pickers],
  ]
  return (
    <dl className={style.totals}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{number(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

const openPhases: Phase[] = ['new', 'ready', 'in_pick', 'picked', 'in_pack', 'held', 'short', 'label_error']
const donePhases: Phase[] = ['packed', 'handed_over', 'closed', 'delivered']

function DeadlineCard({ row, board }: { row: BoardRow; board: Board }) {
  const t = useT()
  const out = row.target === 'handed_over'
  const packed: Figure = { label: t('Packed'), count: row.remaining.packed, phases: ['packed'] }
  const figures: readonly Figure[] = [
    { label: t('Ready'), count: row.remaining.ready, phases: ['new', 'ready'] },
    { label: t('Picking'), count: row.remaining.picking, phases: ['in_pick'] },
    { label: t('Picked'), count: row.remaining.picked, phases: ['picked'] },
    { label: t('Packing'), count: row.remaining.packing, phases: ['in_pack'] },
    ...(out ? [packed] : []),
    { label: t('On hold'), count: row.on_hold, phases: ['held'] },
    { label: t('Exceptions'), count: row.exceptions, phases: ['short', 'label_error'] },
    { label: t('Missed earlier'), count: row.carried_over, phases: out ? [...openPhases, 'packed'] : openPhases, until: board.server_time },
  ]
  return (
    <section className={style.card} aria-label={row.name} data-alarm={row.alarm ?? undefined}>
      <header className={style.head}>
        <h2>{row.name}</h2>
        <span className={style.due}>
          {row.due_at === null ? t('No pickup in the next 60 days') : instant(row.due_at)}
          {row.due_at === null ? null : <Countdown key={board.server_time} to={row.due_at} from={board.server_time} />}
        </span>
      </header>
      <div className={style.progress}>
        <Progress
          value={row.total === 0 ? 0 : (row.done / row.total) * 100}
          color={row.alarm === null ? 'moss' : row.alarm === 'watch' || row.alarm === 'soon' ? 'amber' : 'brick'}
          aria-label={t('Done')}
        />
        <span>
          <Behind row={row} figure={{ label: '', count: row.done, phases: out ? donePhases.slice(1) : donePhases, from: row.due_at }} />
          {` / ${number(row.total)} ${t(targetLabels[row.target])}`}
        </span>
      </div>
      {outlook(row) ? (
        <p className={style.outlook} role="status">
          {outlook(row)}
        </p>
      ) : null}
      <Alarm row={row} />
      <dl className={style.figures}>
        {figures.map(figure => (
          <div key={figure.label}>
            <dt>{figure.label}</dt>
            <dd>
              <Behind row={row} figure={figure} />
            </dd>
          </div>
        ))}
      </dl>
      {row.burn_down && row.due_at !== null && isDrawn(row, board) ? (
        <BurnDown row={row} of={row.burn_down} due={Date.parse(row.due_at)} />
      ) : null}
    </section>
  )
}

/** Who looks after the alarm, or the button that says so. */
function Alarm({ row: { alarm, alarm_id, seen_at, seen_by, name } }: { row: BoardRow }) {
  const t = useT()
  const see = useSend(deadlineBoard.seen, { refreshes: [deadlineBoard.data], said: t('You look after it') })
  if (alarm === null) return null
  return (
    <div className={style.alarm}>
      <StateBadge tone={alarm === 'watch' || alarm === 'soon' ? 'soon' : 'stop'}>{alarmWords()[alarm]}</StateBadge>
      {seen_at !== null ? (
        <span>{t('Seen by {{name}} at {{time}}', { name: seen_by ?? '–', time: time(seen_at) })}</span>
      ) : alarm_id !== null ? (
        <Button
          size="compact-sm"
          variant="default"
          loading={see.isPending}
          onClick={() => see.mutate({ id: alarm_id })}
          aria-label={`${t('I look after it')}: ${name}`}
        >
          {t('I look after it')}
        </Button>
      ) : null}
    </div>
  )
}

interface Figure {
  label: string
  count: number
  phases: readonly Phase[]
  from?: string | null
  until?: string
}

/** A figure with the list of its orders. */
function Behind({ row, figure: { label, count, phases, from, until } }: { row: BoardRow; figure: Figure }) {
  const t = useT()
  if (count === 0) return <span>0</span>
  const last = until ?? row.due_at
  return (
    <Anchor
      component={Link}
      underline="always"
      to="/parcels/orders"
      search={{
        deadline: String(row.deadline_id),
        phase: [...phases],
        ...(from && { from }),
        ...(last && { until: last }),
      }}
      aria-label={`${label || t('Done')}: ${number(count)}`}
    >
      {number(count)}
    </Anchor>
  )
}

/** Counted from the server's clock, whatever this device's clock shows. */
function Countdown({ to, from }: { to: string; from: string }) {
  const [passed, setPassed] = useState(0)
  // The outside system is the clock.
  useEffect(() => {
    const begun = performance.now()
    const timer = setInterval(() => setPassed(performance.now() - begun), 1_000)
    return () => clearInterval(timer)
  }, [])
  const left = Date.parse(to) - Date.parse(from) - passed
  return <b>{timeLeft(left)}</b>
}
