/** One exception beside the list: what is wrong, where the goods are, and what ends it. */
import { Alert, Button, Group, NativeSelect, Radio, Stack, Textarea } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { Call } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { Deadline, PhaseBadge } from '#features/orders/orders/order.labels.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { DescriptionItem, DescriptionList } from '#ui/kit/DescriptionList.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Link } from '#ui/kit/Link.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { submitKey } from '#ui/kit/submit-key.ts'
import { toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import style from './Exceptions.module.css'
import { Due, decisionWords, ExceptionBadge, kindWord } from './exception.labels.tsx'
import { type DecidedResolution, decidedResolutions, isOfLabel, isRetry } from './exceptions.codes.ts'
import { exceptions } from './exceptions.contract.ts'
import type { Exception, ExceptionDetails } from './exceptions.schemas.ts'
import { LabelCorrection, useWhyNotCorrected } from './LabelCorrection.tsx'

const OrderPhotos = lazy(() => import('#features/packing/packing-photos/OrderPhotos.tsx'))
const OrderVideos = lazy(() => import('#features/packing/packing-video/OrderVideos.tsx'))

interface Effects {
  refreshes: readonly Call[]
  /** Shows in the list what was changed here. */
  changed: () => void
}

export function ExceptionDrawer({ id, close, ...effects }: { id: number; close: () => void } & Effects) {
  const t = useT()
  const exception = useCall(exceptions.get, { id }, { enabled: id > 0, live: ['exception', 'order'] })
  const title = exception.data ? t('Exception of order {{order_no}}', { order_no: exception.data.order_no }) : t('Exception')
  return (
    <Drawer opened={id > 0} onClose={close} position="right" title={title}>
      {id > 0 ? (
        <QueryState of={exception}>{shown => <Details key={shown.id} exception={shown} {...effects} close={close} />}</QueryState>
      ) : null}
    </Drawer>
  )
}

function Details({ exception, close, ...effects }: { exception: ExceptionDetails; close: () => void } & Effects) {
  const t = useT()
  const open = exception.resolved_at === null
  return (
    <Stack gap="md">
      <Group gap="sm">
        <ExceptionBadge of={exception} />
        <PhaseBadge phase={exception.phase} />
      </Group>
      <Alert color={open ? 'amber' : 'gray'} title={kindWord(exception.kind)}>
        {exception.item ? <p className={style.note}>{exception.item}</p> : null}
        {exception.note ? <p className={style.note}>{exception.note}</p> : null}
      </Alert>
      <DescriptionList>
        <DescriptionItem name={t('Order')}>
          <Link to="/parcels/orders" search={{ id: exception.order_id }}>
            {exception.order_no}
          </Link>
        </DescriptionItem>
        <DescriptionItem name={t('Customer')}>{exception.customer_name}</DescriptionItem>
        <DescriptionItem name={t('Ship by')}>
          <Deadline at={exception.ship_by} phase={exception.phase} />
        </DescriptionItem>
        {exception.totes.length > 0 ? (
          <DescriptionItem name={t('Tote')}>{exception.totes.map(digits => `PP${digits}`).join(', ')}</DescriptionItem>
        ) : null}
        <DescriptionItem name={t('Reported')}>
          {[exception.reported_by, exception.station].filter(Boolean).join(', ')} · <RelativeTime at={exception.reported_at} />
        </DescriptionItem>
        {exception.reports > 1 ? <DescriptionItem name={t('Times reported')}>{exception.reports}</DescriptionItem> : null}
        {open ? (
          <DescriptionItem name={t('Due')}>
            <Due of={exception} />
          </DescriptionItem>
        ) : (
          <DescriptionItem name={t('Resolved')}>
            {exception.resolved_by} · <RelativeTime at={exception.resolved_at} />
          </DescriptionItem>
        )}
      </DescriptionList>
      <Suspense>
        <OrderPhotos order_id={exception.order_id} bare />
        <OrderVideos order_id={exception.order_id} bare />
      </Suspense>
      {open ? (
        <>
          <Owner exception={exception} {...effects} />
          <Resolve exception={exception} {...effects} close={close} />
        </>
      ) : null}
    </Stack>
  )
}

/** What stands in the choice for the group that it waits for: it is given to people alone. */
const ofGroup = 'group'

function Owner({ exception, refreshes, changed }: { exception: Exception } & Effects) {
  const t = useT()
  const { user } = useSignedIn()
  const owners = useCall(exceptions.owners, {}, { fresh: 60_000 })
  const assign = useSend(exceptions.assign, { refreshes, said: t('Owner changed'), done: changed })
  const set = (user_id: number | null) => assign.mutate({ id: exception.id, body: { user_id, version: exception.version } })
  const { owner_user_id, owner_name } = exception
  const people = (owners.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  // A packer who went on with the order may not be in the list.
  const group = exception.owner_group_id === null ? [] : [{ value: ofGroup, label: owner_name ?? '' }]
  const own =
    owner_user_id !== null && !people.some(one => one.value === String(owner_user_id))
      ? [{ value: String(owner_user_id), label: owner_name ?? '' }]
      : []
  return (
    <Group gap="xs" align="end">
      <NativeSelect
        label={t('Owner')}
        value={exception.owner_group_id === null ? String(owner_user_id ?? '') : ofGroup}
        disabled={assign.isPending}
        data={[{ value: '', label: t('No one') }, ...group, ...own, ...people]}
        onChange={event => event.currentTarget.value !== ofGroup && set(Number(event.currentTarget.value) || null)}
      />
      {owner_user_id === user.user_id ? null : (
        <Button variant="default" loading={assign.isPending} onClick={() => set(user.user_id)}>
          {t('Assign to me')}
        </Button>
      )}
    </Group>
  )
}

function Resolve({ exception, refreshes, changed, close }: { exception: ExceptionDetails; close: () => void } & Effects) {
  const t = useT()
  const [note, setNote] = useState('')
  const [chosen, setChosen] = useState<Decision | null>(null)
  const resolve = useSend(exceptions.resolve, {
    refreshes,
    done: answer => {
      setNote('')
      changed()
      // Refused again before the courier was asked, it says so in its own words.
      if (answer.resolved_at === null && answer.retry === null) return
      toastSuccess(answer.resolved_at === null ? t('The label is tried again') : t('Exception resolved'))
      if (answer.resolved_at !== null) close()
    },
  })
  const add = useSend(exceptions.note, { refreshes, said: t('Note added'), done: () => setNote('') })
  const busy = resolve.isPending || add.isPending
  const options = useDecisions(exception)
  // What was possible when it was chosen may be refused by now.
  const resolution = (options.find(one => one.resolution === chosen && !one.why) ?? options.find(one => !one.why))?.resolution ?? 'solved'
  const send = (weight_g?: number) =>
    resolve.mutate({
      id: exception.id,
      body: { note, version: exception.version, resolution, ...(weight_g !== undefined && { weight_g }) },
    })
  const run = async () => {
    const isFinal = resolution === 'cancel_lines' || resolution === 'order_cancelled'
    const { title, effect } = decisionWords(resolution)
    if (
      isFinal &&
      !(await confirm({
        title: resolution === 'cancel_lines' ? t('Cancel missing items?') : t('Cancel order?'),
        body: effect,
        action: title,
        danger: true,
      }))
    )
      return
    send()
  }
  const corrects = resolution === 'corrected_and_retried'
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t('What happens to the order?')}
        value={resolution}
        onChange={value => setChosen(decidedResolutions.find(one => one === value) ?? 'solved')}
      >
        <Stack gap="xs" mt="xs">
          {options.map(({ resolution: one, why }) => {
            const { title, effect } = decisionWords(one)
            return <Radio key={one} value={one} label={title} description={why ?? effect} {...disabledBecause(why)} />
          })}
        </Stack>
      </Radio.Group>
      {corrects && exception.label ? (
        <LabelCorrection exception={exception} label={exception.label} retry={send} busy={resolve.isPending} />
      ) : null}
      <form
        onSubmit={event => {
          event.preventDefault()
          if (!corrects) void run()
        }}
      >
        <Stack gap="sm">
          <Textarea
            label={t('Note')}
            description={
              isOfLabel(exception.kind) && resolution === 'solved'
                ? t('Correct the order first. The label is made when a packer scans the order again.')
                : t('What was done, for the next packer.')
            }
            autosize
            minRows={2}
            maxLength={limits.note}
            value={note}
            onChange={event => setNote(event.currentTarget.value)}
            onKeyDown={submitKey}
          />
          <Group gap="xs">
            {corrects ? null : (
              <Button type="submit" loading={resolve.isPending} disabled={busy}>
                {resolution === 'retry_label' ? t('Try again') : t('Resolve')}
              </Button>
            )}
            <Button
              variant="default"
              loading={add.isPending}
              disabled={busy}
              {...disabledBecause(note.trim() === '' && t('Enter a note first'))}
              onClick={() => add.mutate({ id: exception.id, body: { note } })}
            >
              {t('Add note')}
            </Button>
            <Button
              component={Link}
              to="/parcels/orders"
              search={{ id: exception.order_id }}
              variant="subtle"
              rightSection={<IconArrowRight size={16} />}
            >
              {t('Open order')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  )
}

type Decision = 'solved' | DecidedResolution

/** What can be decided, the likeliest first, and why the others cannot. */
function useDecisions({ possible, label }: ExceptionDetails): { resolution: Decision; why: string | null }[] {
  const t = useT()
  const uncorrected = useWhyNotCorrected(label)
  const decisions = possible.map(({ resolution, refused }) => ({
    resolution,
    why: refused ? t(refused.key, refused.values) : resolution === 'corrected_and_retried' ? uncorrected : null,
  }))
  const first = decisions.filter(one => isRetry(one.resolution)).toReversed()
  return [...first, { resolution: 'solved', why: null }, ...decisions.filter(one => !isRetry(one.resolution))]
}
