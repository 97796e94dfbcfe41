/** One day of one person: what is paid and why, each entry with its versions, and what a lead does about it. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { punchClock } from '#features/people/punch-clock/punch-clock.contract.ts'
import type { PunchHistory } from '#features/people/punch-clock/punch-clock.schemas.ts'
import { hoursAndMinutes, stateWord, typeWord } from '#features/people/punch-clock/punch-words.client.ts'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { day, instant, instantOf, time } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { DayState, spanText } from './day-words.tsx'
import { timesheet } from './timesheet.contract.ts'
import type { TimesheetRow } from './timesheet.schemas.ts'

const refreshes = [timesheet.list, timesheet.day]

interface Props {
  /** A person and a day: `12 2026-11-24`. */
  id: string
  close: () => void
  approve: (row: TimesheetRow) => void
  approving: boolean
}

export function DayDrawer({ id, close, approve, approving }: Props) {
  const t = useT()
  const [user, date = ''] = id.split(' ')
  return (
    <Drawer opened={id !== ''} onClose={close} size={640} title={date === '' ? t('Day') : day(date)}>
      {id === '' ? null : <Day key={id} user_id={Number(user)} date={date} approve={approve} approving={approving} />}
    </Drawer>
  )
}

function Day({ user_id, date, approve, approving }: { user_id: number; date: string } & Pick<Props, 'approve' | 'approving'>) {
  const t = useT()
  const answer = useCall(timesheet.day, { user_id, day: date }, { live: ['punch', 'timesheet'] })
  return (
    <QueryState of={answer} shape="form">
      {({ row, punches, versions }) => (
        <Stack gap="md">
          {row ? (
            <>
              <Group justify="space-between">
                <Text fw={600}>{row.user_name}</Text>
                <DayState row={row} />
              </Group>
              <Text>
                {t('Planned')} {spanText(row.planned)} · {t('Clocked')} {spanText(row.punched)} · {t('Proposed')} {spanText(row.proposed)}{' '}
                <b>{hoursAndMinutes(row.proposed.paid_s)}</b>
              </Text>
              {row.early_s > 0 ? (
                <Text size="sm">{t('{{time}} before the shift is not paid', { time: hoursAndMinutes(row.early_s) })}</Text>
              ) : null}
              {row.short_s > 0 ? (
                <Text size="sm">{t('{{time}} less break than planned', { time: hoursAndMinutes(row.short_s) })}</Text>
              ) : null}
              {row.flags.includes('break_planned') ? (
                <Text size="sm">{t('No break was clocked: the planned one is taken off.')}</Text>
              ) : null}
              {row.punched !== null && (row.approved === null || row.approved.changed) && !row.own ? (
                <Button loading={approving} onClick={() => approve(row)}>
                  {t('Approve')}
                </Button>
              ) : null}
            </>
          ) : null}
          {punches.map(punch => (
            <Entry key={`${punch.id} ${punch.version}`} punch={punch} date={date} />
          ))}
          {versions.map(version => (
            <Text key={version.at + version.why} size="sm" c="dimmed">
              {instant(version.at)} · {version.by_name} · {whyWord(t, version.why)} {hoursAndMinutes(version.paid_s)} {version.reason}
            </Text>
          ))}
        </Stack>
      )}
    </QueryState>
  )
}

const whyWord = (t: ReturnType<typeof useT>, why: 'approved' | 'unapproved' | 'locked' | 'unlocked'): string =>
  ({ approved: t('Approved'), unapproved: t('Approval undone'), locked: t('Locked'), unlocked: t('Unlocked') })[why]

/** One entry: before and after of each change, and the decision about a correction. */
function Entry({ punch, date }: { punch: PunchHistory; date: string }) {
  const t = useT()
  const decide = useSend(punchClock.decide, { refreshes, said: t('Decided') })
  const asked = punch.state === 'correction_requested' ? punch.versions.findLast(version => version.why === 'request') : undefined
  const [reason, setReason] = useState('')
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
          {instant(version.at)} · {version.by_name} · {spanText({ from: version.started_at, to: version.ended_at })} {version.note ?? ''}
        </Text>
      ))}
      {asked ? (
        <>
          <Text>
            {t('Asked for')} {asked.removal ? t('Deleted') : spanText({ from: asked.started_at, to: asked.ended_at })}
          </Text>
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
      ) : punch.state === 'missing_out' || punch.state === 'time_unverified' ? (
        <Complete punch={punch} date={date} />
      ) : null}
    </Stack>
  )
}

/** Writes the time that is missing. */
function Complete({ punch, date }: { punch: PunchHistory; date: string }) {
  const t = useT()
  const validate = useSend(punchClock.validate, { refreshes, said: t('Time saved') })
  const clock = (at: string | null) => (at === null ? '' : time(at).replace('.', ':'))
  const [from, setFrom] = useState(clock(punch.started_at))
  const [to, setTo] = useState(clock(punch.ended_at))
  const started_at = instantOf(`${date}T${from}`)
  const sameDay = instantOf(`${date}T${to}`)
  const ended_at = started_at && sameDay && sameDay <= started_at ? new Date(Date.parse(sameDay) + 86_400_000).toISOString() : sameDay
  const start = punch.started_at ?? started_at
  const end = punch.ended_at ?? ended_at
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
        value={to}
        onChange={event => setTo(event.currentTarget.value)}
      />
      <Button
        {...disabledBecause((!start || !end) && t('Enter both times first'))}
        loading={validate.isPending}
        onClick={() =>
          start && end && validate.mutate({ id: punch.id, body: { version: punch.version, started_at: start, ended_at: end } })
        }
      >
        {t('Save time')}
      </Button>
    </Group>
  )
}
