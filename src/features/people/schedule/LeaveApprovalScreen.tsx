/** Leave to decide about, with what speaks for and against it, and offers of shifts. */
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from 'react'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { list } from '#ui/kit/format.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useShortcuts } from '#ui/kit/shortcuts.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { HolidayAccountsDrawer } from './HolidayAccount.tsx'
import { days } from './hours.client.ts'
import { schedule } from './schedule.contract.ts'
import type { ShiftOffer, WaitingLeave } from './schedule.schemas.ts'
import { daysWord, leaveStates, leaveWords, partWords } from './schedule-words.client.ts'
import style from './WeekBoard.module.css'

const LeavePreview = lazy(() => import('./LeavePreview.tsx').then(module => ({ default: module.LeavePreview })))

const refreshes = [schedule.waiting, schedule.board, schedule.list]

export function LeaveApprovalScreen() {
  const t = useT()
  const waiting = useCall(schedule.waiting, { limit: 200 }, { live: ['schedule'] })
  const [at, setAt] = useState(0)
  const wide = useMediaQuery('(min-width: 68em)') ?? true
  const [accounts, setAccounts] = useState(false)
  const [words, setWords] = useState<{ leave: WaitingLeave; kind: 'reject' | 'pass' } | null>(null)
  const decide = useCommand(
    ({ leave: { entry }, reason }: { leave: WaitingLeave; reason?: string }) =>
      send(schedule.update, {
        id: entry.id,
        body: {
          version: entry.version,
          state: entry.state === 'requested' ? 'approved' : entry.state === 'registered' ? 'seen' : 'cancelled',
          ...(reason && { reason }),
        },
      }),
    {
      refreshes,
      said: (_, { leave: { entry } }) =>
        entry.state === 'requested' ? t('Leave approved') : entry.state === 'registered' ? t('Marked as seen') : t('Leave cancelled'),
      done: () => setWords(null),
    },
  )
  const approve = (leave: WaitingLeave) =>
    leave.blocked && leave.entry.state === 'requested' ? setWords({ leave, kind: 'pass' }) : decide.mutate({ leave })
  const rows = waiting.data?.rows ?? []
  const row = rows[Math.min(at, rows.length - 1)]
  const acts = useRef({ approve, row })
  acts.current = { approve, row }
  const shortcuts = useMemo(
    () => [
      { keys: 'j', does: t('Next request'), run: () => setAt(one => one + 1) },
      { keys: 'k', does: t('Previous request'), run: () => setAt(one => Math.max(0, one - 1)) },
      { keys: 'a', does: t('Approve'), run: () => acts.current.row?.can_decide && acts.current.approve(acts.current.row) },
      {
        keys: 'r',
        does: t('Reject'),
        run: () => acts.current.row?.can_decide && setWords({ leave: acts.current.row, kind: 'reject' }),
      },
    ],
    [t],
  )
  useShortcuts(shortcuts)
  return (
    <Page
      title={t('Approve leave')}
      narrow={!wide}
      actions={
        <Button variant="default" onClick={() => setAccounts(true)}>
          {t('Holiday accounts')}
        </Button>
      }
    >
      <HolidayAccountsDrawer opened={accounts} close={() => setAccounts(false)} />
      <QueryState of={waiting} shape="rows">
        {({ rows: shown, offers }) => (
          <Stack gap="xl">
            {shown.length === 0 && offers.length === 0 ? <EmptyList title={t('Nothing to decide')} /> : null}
            <div className={row && wide ? style.split : undefined}>
              <div className={style.list}>
                {shown.map((leave, index) => (
                  <LeaveCard
                    key={leave.entry.id}
                    leave={leave}
                    current={leave === row}
                    focus={() => setAt(index)}
                    busy={decide.isPending}
                    approve={() => approve(leave)}
                    reject={() => setWords({ leave, kind: 'reject' })}
                  >
                    {wide || leave !== row ? null : (
                      <Suspense>
                        <LeavePreview leave={leave} />
                      </Suspense>
                    )}
                  </LeaveCard>
                ))}
              </div>
              {row && wide ? (
                <Suspense>
                  <LeavePreview key={row.entry.id} leave={row} />
                </Suspense>
              ) : null}
            </div>
            {offers.length > 0 ? (
              <section className={style.list} aria-label={t('Offers of shifts')}>
                <Text component="h2" fw={600} size="lg">
                  {t('Offers of shifts')}
                </Text>
                {offers.map(offer => (
                  <OfferCard key={offer.id} offer={offer} />
                ))}
              </section>
            ) : null}
          </Stack>
        )}
      </QueryState>
      {words ? (
        <WordsDialog
          {...words}
          busy={decide.isPending}
          close={() => setWords(null)}
          pass={reason => decide.mutate({ leave: words.leave, reason })}
        />
      ) : null}
    </Page>
  )
}

interface LeaveCardProps {
  leave: WaitingLeave
  current: boolean
  focus: () => void
  busy: boolean
  approve: () => void
  reject: () => void
  children: ReactNode
}

function LeaveCard({ leave, current, focus, busy, approve, reject, children }: LeaveCardProps) {
  const t = useT()
  const { entry, name, can_decide, cost_milli, balance_after_milli, away, forecast, shifts, blocked } = leave
  const state = leaveStates[entry.state]
  const action = entry.state === 'requested' ? t('Approve') : entry.state === 'registered' ? t('Mark as seen') : t('Grant cancellation')
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: J, K and the focus do the same
    <article
      className={style.line}
      onClick={focus}
      aria-label={`${name}, ${daysWord(entry.work_date, entry.date_to)}`}
      aria-current={current}
      onFocus={focus}
      style={current ? { borderColor: 'var(--action)' } : undefined}
    >
      <Group justify="space-between" align="start" wrap="nowrap">
        <div>
          <Text fw={600}>{name}</Text>
          <Text>
            {daysWord(entry.work_date, entry.date_to)}
            {entry.part && entry.part !== 'full' ? ` · ${t(partWords[entry.part])}` : ''}
            {entry.start_local ? ` · ${entry.start_local}–${entry.end_local}` : ''}
          </Text>
          <Text size="sm">{t(leaveWords[entry.reason_id ?? 0] ?? '')}</Text>
        </div>
        {state ? <StateBadge tone={state.tone}>{t(state.word)}</StateBadge> : null}
      </Group>
      {entry.note ? (
        <Text size="sm">
          <q>{entry.note}</q>
        </Text>
      ) : null}
      <Text size="sm" c="dimmed">
        {[
          balance_after_milli === null
            ? ''
            : entry.state === 'cancel_requested'
              ? t('Gives {{cost}} back to the account, then {{left}} days are left', {
                  cost: days(cost_milli),
                  left: days(balance_after_milli),
                })
              : t('Takes {{cost}} from the account, then {{left}} days are left', {
                  cost: days(cost_milli),
                  left: days(balance_after_milli),
                }),
          away.length > 0 ? t('Away then: {{names}}', { names: list(away) }) : t('No one else is away then'),
          forecast?.orders === null || forecast === null ? '' : t('{{count}} orders expected on the first day', { count: forecast.orders }),
          shifts.length > 0 ? t('{{count}} shifts become open', { count: shifts.length }) : '',
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {children}
      {blocked ? <Alert color="amber">{t('No holiday can be taken then: {{reason}}', { reason: blocked })}</Alert> : null}
      {balance_after_milli !== null && balance_after_milli < 0 ? (
        <Alert color="amber">{t('More days than the account holds')}</Alert>
      ) : null}
      {can_decide ? (
        <Group justify="flex-end" gap="sm">
          {entry.state === 'registered' ? null : (
            <Button variant="default" onClick={reject}>
              {t('Reject…')}
            </Button>
          )}
          <Button variant={current ? 'filled' : 'light'} loading={busy && current} onClick={approve}>
            {action}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {t('Someone else must decide about your own request.')}
        </Text>
      )}
    </article>
  )
}

function WordsDialog({
  leave,
  kind,
  busy,
  close,
  pass,
}: {
  leave: WaitingLeave
  kind: 'reject' | 'pass'
  busy: boolean
  close: () => void
  pass: (reason: string) => void
}) {
  const t = useT()
  const [reason, setReason] = useState('')
  const keeps = leave.entry.state === 'cancel_requested'
  const reject = useSend(schedule.reject, { refreshes, said: keeps ? t('Cancellation rejected') : t('Leave rejected'), done: close })
  const run = () => (kind === 'pass' ? pass(reason) : reject.mutate({ id: leave.entry.id, body: { version: leave.entry.version, reason } }))
  return (
    <Dialog
      opened
      onClose={close}
      title={kind === 'pass' ? t('Approve on a blocked day') : keeps ? t('Reject cancellation') : t('Reject leave')}
    >
      <Stack gap="md">
        <Text>
          {leave.name}, {daysWord(leave.entry.work_date, leave.entry.date_to)}
        </Text>
        <Textarea
          label={t('Reason')}
          description={kind === 'pass' ? t('Kept with the decision.') : t('{{name}} reads it.', { name: leave.name })}
          maxLength={500}
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button
            color={kind === 'reject' ? 'brick' : undefined}
            {...disabledBecause(reason.trim() === '' && t('Enter a reason first'))}
            loading={busy || reject.isPending}
            onClick={run}
          >
            {kind === 'pass' ? t('Approve leave') : keeps ? t('Reject cancellation') : t('Reject leave')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function OfferCard({ offer }: { offer: ShiftOffer }) {
  const t = useT()
  const accept = useSend(schedule.acceptOffer, { refreshes, said: t('Shift changed') })
  const refuse = useSend(schedule.refuseOffer, { refreshes, said: t('Offer rejected') })
  const [reason, setReason] = useState<string | null>(null)
  const shift = `${daysWord(offer.entry.work_date, null)} ${offer.entry.start_local}–${offer.entry.end_local}`
  const sentence =
    offer.kind === 'take'
      ? t('{{name}} takes the open shift {{shift}}', { name: offer.from_name, shift })
      : offer.kind === 'give'
        ? t('{{from}} gives {{to}} the shift {{shift}}', { from: offer.from_name, to: offer.to_name ?? '', shift })
        : t('{{from}} and {{to}} swap: {{shift}} for {{other}}', {
            from: offer.from_name,
            to: offer.to_name ?? '',
            shift,
            other: offer.with_entry
              ? `${daysWord(offer.with_entry.work_date, null)} ${offer.with_entry.start_local}–${offer.with_entry.end_local}`
              : '',
          })
  return (
    <article className={style.line}>
      <Text>{sentence}</Text>
      {offer.reason ? (
        <Text size="sm">
          <q>{offer.reason}</q>
        </Text>
      ) : null}
      {reason === null ? null : (
        <Textarea label={t('Reason')} maxLength={500} value={reason} onChange={event => setReason(event.currentTarget.value)} />
      )}
      <Group justify="flex-end" gap="sm">
        <Button
          variant="default"
          loading={refuse.isPending}
          {...disabledBecause(reason !== null && reason.trim() === '' && t('Enter a reason first'))}
          onClick={() => (reason === null ? setReason('') : refuse.mutate({ id: offer.id, body: { reason } }))}
        >
          {t('Reject')}
        </Button>
        <Button variant="light" loading={accept.isPending} onClick={() => accept.mutate({ id: offer.id })}>
          {t('Accept')}
        </Button>
      </Group>
    </article>
  )
}
