/** The own shifts, hours and leave of a person, made for the phone: ask for leave, take an open shift, give one away or swap it. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Copied } from '#ui/kit/CopyButton.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { type Received, useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { AvailabilityDialog } from './AvailabilityDialog.tsx'
import { MyHolidayAccountDrawer } from './HolidayAccount.tsx'
import { days as daysOf, hours } from './hours.client.ts'
import { LeaveDialog } from './LeaveDialog.tsx'
import { SwapDialog } from './SwapDialog.tsx'
import { schedule } from './schedule.contract.ts'
import type { ScheduleEntry, ShiftOffer } from './schedule.schemas.ts'
import { daysWord, leaveStates, leaveWords, partWords } from './schedule-words.client.ts'
import style from './WeekBoard.module.css'

type Mine = Received<typeof schedule.future>

export function MyShifts({ board }: { board?: () => void }) {
  const t = useT()
  const mine = useCall(schedule.future, {}, { live: ['schedule'] })
  const [dialog, setDialog] = useState<'leave' | 'availability' | null>(null)
  const [swap, setSwap] = useState<ScheduleEntry | null>(null)
  return (
    <Page
      title={t('My shifts')}
      narrow
      note={mine.data ? t('{{hours}} planned this week', { hours: hours(mine.data.week_s) }) : undefined}
      actions={
        <>
          {board ? (
            <Button variant="default" onClick={board}>
              {t('Show the plan')}
            </Button>
          ) : null}
          <Button variant="default" onClick={() => setDialog('availability')}>
            {t('Enter availability')}
          </Button>
          <Button onClick={() => setDialog('leave')}>{t('Ask for leave')}</Button>
        </>
      }
    >
      <QueryState of={mine} shape="rows">
        {data => (
          <Stack gap="xl">
            <Section title={t('Shifts')}>
              {data.shifts.length === 0 ? <EmptyList title={t('No shifts are published yet')} /> : null}
              {data.shifts.map(shift => (
                <OwnShift key={shift.id} shift={shift} offers={data.offers} swap={() => setSwap(shift)} />
              ))}
            </Section>
            {data.open.length > 0 ? (
              <Section title={t('Open shifts')}>
                {data.open.map(shift => (
                  <OpenShift key={shift.id} shift={shift} offers={data.offers} />
                ))}
              </Section>
            ) : null}
            <Offers offers={data.offers} />
            <Leave mine={data} />
            <Account />
            <Calendar />
          </Stack>
        )}
      </QueryState>
      {dialog === 'leave' ? <LeaveDialog close={() => setDialog(null)} /> : null}
      {dialog === 'availability' ? <AvailabilityDialog close={() => setDialog(null)} /> : null}
      {swap ? <SwapDialog shift={swap} close={() => setSwap(null)} /> : null}
    </Page>
  )
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title} className={style.list}>
      <Text component="h2" fw={600} size="lg">
        {title}
      </Text>
      {children}
    </section>
  )
}

const refreshes = [schedule.future, schedule.board, schedule.waiting]

function ShiftLine({ shift, children }: { shift: ScheduleEntry; children?: React.ReactNode }) {
  return (
    <div className={style.line}>
      <Group justify="space-between" gap="xs">
        <div>
          <Text fw={500}>{daysWord(shift.work_date, null)}</Text>
          <Text className="num">
            {shift.start_local}–{shift.end_local}
            {shift.station ? ` · ${shift.station}` : ''}
          </Text>
        </div>
        {children}
      </Group>
    </div>
  )
}

/** Such a shift can be given to no one. */
const hasBegun = ({ start_at }: ScheduleEntry): boolean => start_at !== null && Date.parse(start_at) <= Date.now()

function OwnShift({ shift, offers, swap }: { shift: ScheduleEntry; offers: readonly ShiftOffer[]; swap: () => void }) {
  const t = useT()
  const { user } = useSignedIn()
  const offer = offers.find(one => one.entry.id === shift.id && one.from_user_id === user.user_id)
  const withdraw = useSend(schedule.withdrawOffer, { refreshes, said: t('Offer withdrawn') })
  return (
    <ShiftLine shift={shift}>
      {offer ? (
        <Group gap="xs">
          <StateBadge tone="soon">{t('Offered')}</StateBadge>
          <Button size="compact-sm" variant="subtle" loading={withdraw.isPending} onClick={() => withdraw.mutate({ id: offer.id })}>
            {t('Withdraw')}
          </Button>
        </Group>
      ) : hasBegun(shift) ? null : (
        <Button variant="default" onClick={swap}>
          {t('Offer shift')}
        </Button>
      )}
    </ShiftLine>
  )
}

function OpenShift({ shift, offers }: { shift: ScheduleEntry; offers: readonly ShiftOffer[] }) {
  const t = useT()
  const asked = offers.some(one => one.entry.id === shift.id)
  const take = useSend(schedule.offer, {
    refreshes,
    said: answer => (answer.state === 'accepted' ? t('The shift is yours') : t('Asked for the shift')),
  })
  return (
    <ShiftLine shift={shift}>
      {asked ? (
        <StateBadge tone="soon">{t('Requested')}</StateBadge>
      ) : (
        <Button variant="default" loading={take.isPending} onClick={() => take.mutate({ body: { kind: 'take', entry_id: shift.id } })}>
          {t('Take shift')}
        </Button>
      )}
    </ShiftLine>
  )
}

function Offers({ offers }: { offers: readonly ShiftOffer[] }) {
  const t = useT()
  const { user } = useSignedIn()
  const take = useSend(schedule.takeOffer, { refreshes, said: t('Accepted. A lead decides.') })
  const shown = offers.filter(
    offer => offer.state === 'open' && offer.from_user_id !== user.user_id && (offer.kind === 'give' || offer.to_user_id === user.user_id),
  )
  if (shown.length === 0) return null
  return (
    <Section title={t('Offers of colleagues')}>
      {shown.map(offer => (
        <div key={offer.id}>
          <Text size="sm">
            {offer.kind === 'swap' && offer.with_entry
              ? t('{{name}} wants your shift on {{day}} for this one', {
                  name: offer.from_name,
                  day: daysWord(offer.with_entry.work_date, null),
                })
              : t('{{name}} gives this shift away', { name: offer.from_name })}
          </Text>
          <ShiftLine shift={offer.entry}>
            <Button variant="default" loading={take.isPending} onClick={() => take.mutate({ id: offer.id })}>
              {offer.kind === 'swap' ? t('Swap shifts') : t('Take shift')}
            </Button>
          </ShiftLine>
        </div>
      ))}
    </Section>
  )
}

function Leave({ mine }: { mine: Mine }) {
  const t = useT()
  const end = useSend(schedule.remove, { refreshes, said: t('Leave changed') })
  const ask = async (entry: ScheduleEntry) => {
    const sure = await confirm({
      title: entry.state === 'requested' ? t('Withdraw the request?') : t('Cancel the leave?'),
      body: daysWord(entry.work_date, entry.date_to),
      action: entry.state === 'requested' ? t('Withdraw request') : t('Cancel leave'),
      danger: true,
    })
    if (sure) end.mutate({ id: entry.id })
  }
  const all = [...mine.leave, ...mine.availability]
  if (all.length === 0) return null
  return (
    <Section title={t('Leave and availability')}>
      {all.map(entry => {
        const state = leaveStates[entry.state]
        const open = ['requested', 'approved', 'registered', 'available', 'unavailable'].includes(entry.state)
        return (
          <div key={entry.id} className={style.line}>
            <Group justify="space-between" gap="xs" align="start">
              <div>
                <Text fw={500}>{daysWord(entry.work_date, entry.date_to)}</Text>
                <Text size="sm">
                  {entry.kind === 'availability'
                    ? entry.state === 'available'
                      ? t('Can work')
                      : t('Cannot work')
                    : t(leaveWords[entry.reason_id ?? 0] ?? '')}
                  {entry.part && entry.part !== 'full' ? ` · ${t(partWords[entry.part])}` : ''}
                  {entry.start_local ? ` · ${entry.start_local}–${entry.end_local}` : ''}
                </Text>
                {entry.decision ? (
                  <Text size="sm" c="dimmed">
                    {entry.decided_by}: {entry.decision}
                  </Text>
                ) : null}
              </div>
              <Group gap="xs">
                {state ? <StateBadge tone={state.tone}>{t(state.word)}</StateBadge> : null}
                {open ? (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="brick"
                    onClick={() => (entry.kind === 'availability' ? end.mutate({ id: entry.id }) : void ask(entry))}
                  >
                    {entry.kind === 'availability' ? t('Remove') : entry.state === 'requested' ? t('Withdraw') : t('Cancel leave')}
                  </Button>
                ) : null}
              </Group>
            </Group>
          </div>
        )
      })}
    </Section>
  )
}

function Account() {
  const t = useT()
  const { user } = useSignedIn()
  const account = useCall(schedule.account, { user_id: user.user_id }, { live: ['schedule'] })
  const [shown, setShown] = useState(false)
  // What was only taken says nothing while it is not known what was earned.
  if (
    !account.data ||
    (account.data.employed_from === null && account.data.rows.every(row => row.kind === 'taken' || row.kind === 'returned'))
  )
    return null
  return (
    <Section title={t('Holiday account')}>
      {account.data.years.map(year => (
        <div key={year.year_start} className={style.line}>
          <Group justify="space-between">
            <Text>{t('{{count}} days until {{day}}', { count: year.left_milli / 1_000, day: daysWord(year.taken_until, null) })}</Text>
            <Text size="sm" c="dimmed">
              {t('{{earned}} earned, {{booked}} taken and adjusted', {
                earned: daysOf(year.earned_milli),
                booked: daysOf(year.booked_milli),
              })}
            </Text>
          </Group>
        </div>
      ))}
      <Text size="sm" c="dimmed">
        {t('2.08 days are earned in each full month, counted to the end of last month.')}
      </Text>
      <Group>
        <Button variant="default" onClick={() => setShown(true)}>
          {t('Show every row')}
        </Button>
      </Group>
      <MyHolidayAccountDrawer user_id={user.user_id} opened={shown} close={() => setShown(false)} />
    </Section>
  )
}

function Calendar() {
  const t = useT()
  const link = useCall(schedule.calendarLink, {})
  const make = useSend(schedule.makeCalendarLink, { refreshes: [schedule.calendarLink] })
  const revoke = useSend(schedule.revokeCalendarLink, {
    refreshes: [schedule.calendarLink],
    said: t('Calendar link ended'),
    done: () => make.reset(),
  })
  return (
    <Section title={t('Shifts in your calendar')}>
      <Text size="sm" c="dimmed">
        {t('A secret address for the calendar on your phone. It shows times and stations only. Do not share it.')}
      </Text>
      {make.data ? (
        <Alert color="moss">
          <Copied text={make.data.url} label={t('Copy address')} />
        </Alert>
      ) : null}
      <Group gap="sm">
        <Button variant="default" loading={make.isPending} onClick={() => make.mutate({})}>
          {link.data?.made_at ? t('Make a new address') : t('Make address')}
        </Button>
        {link.data?.made_at ? (
          <Button variant="subtle" color="brick" loading={revoke.isPending} onClick={() => revoke.mutate({})}>
            {t('End address')}
          </Button>
        ) : null}
      </Group>
    </Section>
  )
}
