/** One day of one person: what is paid and why, each entry with its versions, and what a lead or the person does about it. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'
import { access } from '#contract/access.ts'
import { askAgainMinutes, askedStates, changeableStates } from '#features/people/punch-clock/punch.codes.ts'
import { firstName } from '#features/people/punch-clock/punch.rules.ts'
import { punchClock } from '#features/people/punch-clock/punch-clock.contract.ts'
import type { PunchHistory } from '#features/people/punch-clock/punch-clock.schemas.ts'
import { earlyWord, hoursAndMinutes, stateWord, typeWord } from '#features/people/punch-clock/punch-words.client.ts'
import { writtenSpan } from '#features/people/punch-clock/written-times.rules.ts'
import { actorName } from '#ui/kit/actor.ts'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { day, instant, timeZone, today } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { type Received, useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { DayState, SpanNote, spanText } from './day-words.tsx'
import { EntryDialog, ReasonDialog } from './EntryForm.tsx'
import { firstDay, initialEntry } from './entry-form.client.ts'
import { unfinishedFlags } from './timesheet.codes.ts'
import { timesheet } from './timesheet.contract.ts'
import type { TimesheetRow } from './timesheet.schemas.ts'

const refreshes = [timesheet.list, timesheet.day, timesheet.mine, timesheet.myDay]

interface Props {
  /** A person and a day: `12 2026-11-24`. */
  id: string
  close: () => void
  approve: (row: TimesheetRow) => void
  approving: boolean
  /** Opens the row after this one. */
  next: () => void
}

/** A letter pressed in the drawer: not while somebody writes, nor in a dialog above it. */
function useLetter(letter: string, run: () => void): void {
  useWindowEvent('keydown', event => {
    if (event.key.toLowerCase() !== letter || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
    const target = event.target instanceof Element ? event.target : null
    if (target?.closest('input, textarea, select') || document.querySelectorAll('[role="dialog"]').length > 1) return
    event.preventDefault()
    run()
  })
}

export function DayDrawer({ id, close, approve, approving, next }: Props) {
  const t = useT()
  const [user, date = ''] = id.split(' ')
  return (
    <Drawer opened={id !== ''} onClose={close} size={640} title={date === '' ? t('Day') : day(date)}>
      {id === '' ? null : <Day key={id} user_id={Number(user)} date={date} approve={approve} approving={approving} next={next} />}
    </Drawer>
  )
}

/** One of the own days: what is wrong is asked for, and someone else decides. */
export function MyDayDrawer({ date, choose }: { date: string; choose: (date: string) => void }) {
  const t = useT()
  return (
    <Drawer opened={date !== ''} onClose={() => choose('')} size={640} title={date === '' ? '' : day(date)}>
      {date === '' ? null : (
        <Stack gap="md">
          <TextInput
            type="date"
            label={t('Day')}
            value={date}
            max={today()}
            onChange={event => event.currentTarget.value && choose(event.currentTarget.value)}
          />
          <MyDay key={date} date={date} />
        </Stack>
      )}
    </Drawer>
  )
}

function MyDay({ date }: { date: string }) {
  const t = useT()
  const answer = useCall(timesheet.myDay, { day: date }, { live: ['punch', 'timesheet'] })
  const asks = useIsAllowed(punchClock.update.access)
  return (
    <QueryState of={answer} shape="form">
      {detail => (
        <Stack gap="md">
          {detail.row ? <Sums row={detail.row} /> : null}
          <Entries detail={detail} date={date} user_id={null} changes={asks} />
          {asks ? null : <Text c="dimmed">{t('Ask your lead to correct a time.')}</Text>}
        </Stack>
      )}
    </QueryState>
  )
}

function Day({
  user_id,
  date,
  approve,
  approving,
  next,
}: { user_id: number; date: string } & Pick<Props, 'approve' | 'approving' | 'next'>) {
  const t = useT()
  useLetter('l', next)
  const answer = useCall(timesheet.day, { user_id, day: date }, { live: ['punch', 'timesheet'] })
  const changes = useIsAllowed(punchClock.validate.access)
  return (
    <QueryState of={answer} shape="form">
      {detail => (
        <Stack gap="md">
          {detail.row ? (
            <>
              <Sums row={detail.row} />
              <Group>
                {detail.row.punched !== null && (detail.row.approved === null || detail.row.approved.changed) && !detail.row.own ? (
                  <Button
                    data-autofocus
                    loading={approving}
                    {...disabledBecause(isUnfinished(detail.row) && t('The day has no clock-out or an unverified time.'))}
                    onClick={() => detail.row && approve(detail.row)}
                  >
                    {t('Approve')}
                  </Button>
                ) : null}
                <Button variant="default" rightSection={<kbd>L</kbd>} onClick={next}>
                  {t('Next row')}
                </Button>
              </Group>
              {detail.row.approved ? <OpenAgain row={detail.row} /> : null}
            </>
          ) : null}
          <Entries detail={detail} date={date} user_id={detail.row?.own ? null : user_id} changes={changes} />
        </Stack>
      )}
    </QueryState>
  )
}

const isUnfinished = ({ flags }: TimesheetRow): boolean => flags.some(flag => unfinishedFlags.includes(flag))

function Sums({ row }: { row: TimesheetRow }) {
  const t = useT()
  return (
    <>
      <Group justify="space-between">
        <Text fw={600}>{row.user_name}</Text>
        <DayState row={row} />
      </Group>
      <Text>
        {t('Planned')} {spanText(row.planned)} · {t('Clocked')} {spanText(row.punched)} · {t('Proposed')} {spanText(row.proposed)}{' '}
        <b>{hoursAndMinutes(row.proposed.paid_s)}</b>
      </Text>
      {row.went_home ? (
        <Text size="sm">
          {t('Went home: leave {{span}}', { span: spanText(row.went_home) })} · {hoursAndMinutes(row.went_home.leave_s)}
        </Text>
      ) : null}
      {row.early_out ? <Text size="sm">{t('Left early: {{why}}', { why: earlyWord(t, row.early_out) })}</Text> : null}
      {row.early_s > 0 ? <Text size="sm">{t('{{time}} before the shift is not paid', { time: hoursAndMinutes(row.early_s) })}</Text> : null}
      {row.short_s > 0 ? <Text size="sm">{t('{{time}} less break than planned', { time: hoursAndMinutes(row.short_s) })}</Text> : null}
      {row.flags.includes('break_planned') ? <Text size="sm">{t('No break was clocked: the planned one is taken off.')}</Text> : null}
    </>
  )
}

/** Opens an approved day again; a locked one needs the right to see pay. */
function OpenAgain({ row: { user_id, work_date, approved } }: { row: TimesheetRow }) {
  const t = useT()
  const [asks, setAsks] = useState(false)
  const close = () => setAsks(false)
  const unapprove = useSend(timesheet.unapprove, { refreshes, said: t('Day opened again'), done: close })
  const unlock = useSend(timesheet.unlock, { refreshes, said: t('Day unlocked'), done: close })
  const seesPay = useIsAllowed(access.salary)
  const locked = approved?.state === 'locked'
  if (locked && !seesPay) return null
  return (
    <>
      <Group>
        <Button variant="default" onClick={() => setAsks(true)}>
          {locked ? t('Unlock day') : t('Undo approval')}
        </Button>
      </Group>
      {asks ? (
        <ReasonDialog
          title={locked ? t('Unlock this day?') : t('Undo the approval?')}
          {...(locked && { body: t('What was exported stays as it is. Differences go into the next export.') })}
          action={locked ? t('Unlock day') : t('Undo approval')}
          saving={unapprove.isPending || unlock.isPending}
          close={close}
          run={reason =>
            locked
              ? unlock.mutate({ body: { from: work_date, to: work_date, user_id, reason } })
              : unapprove.mutate({ body: { days: [{ user_id, work_date }], reason } })
          }
        />
      ) : null}
    </>
  )
}

interface EntriesProps {
  detail: Received<typeof timesheet.day>
  date: string
  /** Null for the own day. */
  user_id: number | null
  changes: boolean
}

/** What was clocked or written, the history of the approval, and a way to write what is missing. */
function Entries({ detail: { punches, versions }, date, user_id, changes }: EntriesProps) {
  const t = useT()
  const [form, setForm] = useState<{ punch: PunchHistory | null } | null>(null)
  useLetter('e', () => changes && setForm({ punch: punches.find(punch => changeableStates.includes(punch.state)) ?? null }))
  return (
    <>
      {punches.map(punch => (
        <Entry
          key={`${punch.id} ${punch.version}`}
          punch={punch}
          date={date}
          own={user_id === null}
          change={changes ? () => setForm({ punch }) : null}
        />
      ))}
      {changes ? (
        <Group>
          <Button variant="default" onClick={() => setForm({ punch: null })}>
            {t('Add entry')}
          </Button>
        </Group>
      ) : null}
      {versions.map(version => (
        <Text key={version.at + version.why} size="sm" c="dimmed">
          {instant(version.at)} · {actorName(t, version.by_name)} · {whyWord(t, version.why)} {hoursAndMinutes(version.paid_s)}{' '}
          {version.reason}
        </Text>
      ))}
      {form ? <EntryDialog opened work_date={date} punch={form.punch} user_id={user_id} close={() => setForm(null)} /> : null}
    </>
  )
}

const whyWord = (t: ReturnType<typeof useT>, why: 'approved' | 'unapproved' | 'locked' | 'unlocked'): string =>
  ({ approved: t('Approved'), unapproved: t('Approval undone'), locked: t('Locked'), unlocked: t('Unlocked') })[why]

interface EntryProps {
  punch: PunchHistory
  date: string
  own: boolean
  /** Opens the form; null for who may not change it. */
  change: (() => void) | null
}

/** One entry: before and after of each change, and what can be done about it. */
function Entry({ punch, date, own, change }: EntryProps) {
  const t = useT()
  const [removes, setRemoves] = useState(false)
  const remove = useSend(punchClock.remove, {
    refreshes,
    said: own ? t('Sent to your lead') : t('Entry deleted'),
    done: () => setRemoves(false),
  })
  const asked = punch.state === 'correction_requested' ? punch.versions.findLast(version => version.why === 'request') : undefined
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text fw={500}>
          {typeWord(t, punch.type)} {spanText({ from: punch.started_at, to: punch.ended_at })}
        </Text>
        <Text size="sm">{stateWord(t, punch.state)}</Text>
      </Group>
      {punch.versions.slice(1).map(version => (
        <Text key={version.no} size="sm" c="dimmed">
          {instant(version.at)} · {actorName(t, version.by_name)} · {spanText({ from: version.started_at, to: version.ended_at })}{' '}
          {version.note ?? ''}
        </Text>
      ))}
      {asked ? (
        <>
          <Text>
            {asked.removal
              ? t('Deletion asked for')
              : t('Asked for: {{span}}', { span: spanText({ from: asked.started_at, to: asked.ended_at }) })}
          </Text>
          {own ? <Text c="dimmed">{t('Your lead decides about it.')}</Text> : <Decision punch={punch} />}
        </>
      ) : null}
      {askedStates.includes(punch.state) ? (
        <>
          {punch.asked_at === null ? null : (
            <Text c={own ? undefined : 'dimmed'} size={own ? 'md' : 'sm'}>
              {t('{{name}} asks about it: {{time}}', { name: actorName(t, punch.asked_by ?? ''), time: instant(punch.asked_at) })}
            </Text>
          )}
          {own ? null : <Complete punch={punch} date={date} />}
        </>
      ) : null}
      {change && changeableStates.includes(punch.state) ? (
        <Group gap="xs">
          <Button size="compact-md" variant="default" onClick={change}>
            {t('Change')}
          </Button>
          {!own && askedStates.includes(punch.state) ? <Ask punch={punch} /> : null}
          <Button size="compact-md" variant="subtle" color="brick" onClick={() => setRemoves(true)}>
            {t('Delete')}
          </Button>
        </Group>
      ) : null}
      {removes ? (
        <ReasonDialog
          title={t('Delete this entry?')}
          body={own ? t('Your lead decides about it.') : t('Its versions stay in the history.')}
          action={own ? t('Ask for deletion') : t('Delete entry')}
          danger
          saving={remove.isPending}
          close={() => setRemoves(false)}
          run={reason => remove.mutate({ id: punch.id, body: { version: punch.version, reason } })}
        />
      ) : null}
    </Stack>
  )
}

/** The decision about a correction that someone asked for. */
function Decision({ punch }: { punch: PunchHistory }) {
  const t = useT()
  const decide = useSend(punchClock.decide, {
    refreshes,
    said: (_, { body }) => (body.accept ? t('Correction accepted') : t('Correction rejected')),
  })
  const [reason, setReason] = useState('')
  return (
    <>
      <TextInput label={t('Reason')} value={reason} onChange={event => setReason(event.currentTarget.value)} />
      <Group>
        <Button
          loading={decide.isPending}
          onClick={() => decide.mutate({ id: punch.id, body: { version: punch.version, accept: true, reason } })}
        >
          {t('Accept')}
        </Button>
        <Button
          variant="default"
          {...disabledBecause(reason.trim().length < 3 && t('Enter a reason first'))}
          loading={decide.isPending}
          onClick={() => decide.mutate({ id: punch.id, body: { version: punch.version, accept: false, reason } })}
        >
          {t('Reject')}
        </Button>
      </Group>
    </>
  )
}

/** The person knows the time: asked by mail and on the own page. */
function Ask({ punch: { id, user_name, asked_at } }: { punch: PunchHistory }) {
  const t = useT()
  const ask = useSend(punchClock.ask, { refreshes, said: t('Question sent') })
  const recent = asked_at !== null && Date.now() - Date.parse(asked_at) < askAgainMinutes * 60_000
  return (
    <Button
      size="compact-md"
      variant="default"
      loading={ask.isPending}
      {...disabledBecause(recent && t('Someone asked about this within the hour.'))}
      onClick={() => ask.mutate({ id })}
    >
      {t('Ask {{name}}', { name: firstName(user_name) })}
    </Button>
  )
}

/** Writes the time that is missing, without a reason. A time that the clock shows twice is written in the form of the entry. */
function Complete({ punch, date }: { punch: PunchHistory; date: string }) {
  const t = useT()
  const validate = useSend(punchClock.validate, { refreshes, said: t('Time saved') })
  const known = initialEntry(punch)
  const [from, setFrom] = useState(known.started_at)
  const [until, setUntil] = useState(known.ended_at)
  const span = writtenSpan(firstDay(date, punch), { from, until, from_pass: '', until_pass: '' }, timeZone())
  const start = punch.started_at ?? isoOf(span.from)
  const end = punch.ended_at ?? isoOf(span.until)
  return (
    <Group align="end">
      <TextInput
        type="time"
        label={t('From')}
        {...disabledBecause(punch.started_at !== null && t('This time was punched'))}
        value={from}
        onChange={event => setFrom(event.currentTarget.value)}
      />
      <TextInput
        type="time"
        label={t('Until')}
        {...disabledBecause(punch.ended_at !== null && t('This time was punched'))}
        value={until}
        onChange={event => setUntil(event.currentTarget.value)}
      />
      <Button
        {...disabledBecause((start === null || end === null) && t('Enter both times first'))}
        loading={validate.isPending}
        onClick={() =>
          start !== null &&
          end !== null &&
          validate.mutate({ id: punch.id, body: { version: punch.version, started_at: start, ended_at: end } })
        }
      >
        {t('Save time')}
      </Button>
      <SpanNote from={start} until={end} />
    </Group>
  )
}

const isoOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
