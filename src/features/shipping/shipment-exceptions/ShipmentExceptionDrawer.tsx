/** One shipment exception beside the list: what is wrong, who sees to it, what comes next, and what ends it. */
import { Alert, Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { Call } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { OrderLink } from '#features/shipping/labels/OrderLink.tsx'
import { ShipmentBadge } from '#features/shipping/labels/shipment.labels.tsx'
import { DescriptionItem, DescriptionList } from '#ui/kit/DescriptionList.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { country, instantOf, localOf } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { LocalTimeInput } from '#ui/kit/LocalTimeInput.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import style from './ShipmentExceptions.module.css'
import {
  NextStepDue,
  personResolutionWord,
  ShipmentExceptionBadge,
  shipmentExceptionHelp,
  shipmentExceptionWord,
} from './shipment-exception.labels.tsx'
import { personResolutions } from './shipment-exceptions.codes.ts'
import { shipmentExceptions } from './shipment-exceptions.contract.ts'
import type { ShipmentException } from './shipment-exceptions.schemas.ts'

interface Effects {
  refreshes: readonly Call[]
  /** Shows in the list what was changed here. */
  changed: () => void
}

export function ShipmentExceptionDrawer({ id, close, ...effects }: { id: number; close: () => void } & Effects) {
  const t = useT()
  const exception = useCall(shipmentExceptions.get, { id }, { enabled: id > 0, live: ['shipment_exception', 'shipment'] })
  return (
    <Drawer opened={id > 0} onClose={close} position="right" title={exception.data?.tracking_no ?? t('Shipment exception')}>
      {id > 0 ? (
        <QueryState of={exception}>{shown => <Details key={shown.id} exception={shown} {...effects} close={close} />}</QueryState>
      ) : null}
    </Drawer>
  )
}

function Details({ exception, close, ...effects }: { exception: ShipmentException; close: () => void } & Effects) {
  const t = useT()
  const { init } = useSignedIn()
  const open = exception.resolved_at === null
  const courier = init.ParcelAgentCode.find(agent => agent.agent_code === exception.agent_code)?.name ?? exception.agent_code
  return (
    <Stack gap="md">
      <Group gap="sm">
        <ShipmentExceptionBadge of={exception} />
        <ShipmentBadge state={exception.shipment_state} />
      </Group>
      <Alert color={open ? 'amber' : 'gray'} title={shipmentExceptionWord(exception.kind)}>
        <p className={style.note}>{shipmentExceptionHelp(exception.kind)}</p>
        {exception.note ? <p className={style.note}>{exception.note}</p> : null}
      </Alert>
      <DescriptionList>
        <DescriptionItem name={exception.order_id === null ? t('Reference') : t('Order')}>
          <OrderLink shipment={exception} />
        </DescriptionItem>
        <DescriptionItem name={t('Courier')}>{t(courier)}</DescriptionItem>
        {exception.country ? <DescriptionItem name={t('Country')}>{country(exception.country)}</DescriptionItem> : null}
        <DescriptionItem name={t('Since')}>
          <RelativeTime at={exception.opened_at} />
        </DescriptionItem>
        {open ? (
          <DescriptionItem name={t('Due')}>
            <NextStepDue of={exception} />
          </DescriptionItem>
        ) : (
          <DescriptionItem name={t('Resolved')}>
            {exception.resolved_by} · <RelativeTime at={exception.resolved_at} />
          </DescriptionItem>
        )}
      </DescriptionList>
      <Group gap="xs">
        <Button
          component={Link}
          to="/parcels/shipments"
          search={{ id: exception.shipment_id }}
          variant="default"
          size="compact-md"
          rightSection={<IconArrowRight size={16} />}
        >
          {t('Open shipment')}
        </Button>
        {exception.order_id === null ? null : (
          <Button
            component={Link}
            to="/parcels/orders"
            search={{ id: exception.order_id }}
            variant="default"
            size="compact-md"
            rightSection={<IconArrowRight size={16} />}
          >
            {t('Open order')}
          </Button>
        )}
        <Button
          component={Link}
          to="/parcels/shipments/claims"
          search={{ shipment: exception.shipment_id }}
          variant="default"
          size="compact-md"
          rightSection={<IconArrowRight size={16} />}
        >
          {t('Open claim')}
        </Button>
      </Group>
      {open ? (
        <>
          <Owner exception={exception} {...effects} />
          <Step key={exception.version} exception={exception} {...effects} />
          <Resolve exception={exception} {...effects} close={close} />
        </>
      ) : null}
    </Stack>
  )
}

function Owner({ exception, refreshes, changed }: { exception: ShipmentException } & Effects) {
  const t = useT()
  const { user } = useSignedIn()
  const owners = useCall(shipmentExceptions.owners, {}, { fresh: 60_000 })
  const assign = useSend(shipmentExceptions.assign, { refreshes, said: t('Owner changed'), done: changed })
  const set = (user_id: number | null) => assign.mutate({ id: exception.id, body: { user_id, version: exception.version } })
  const { owner_user_id, owner_name } = exception
  const people = (owners.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const own =
    owner_user_id !== null && !people.some(one => one.value === String(owner_user_id))
      ? [{ value: String(owner_user_id), label: owner_name ?? '' }]
      : []
  return (
    <Group gap="xs" align="end">
      <NativeSelect
        label={t('Owner')}
        value={String(owner_user_id ?? '')}
        disabled={assign.isPending}
        data={[{ value: '', label: t('No one') }, ...own, ...people]}
        onChange={event => set(Number(event.currentTarget.value) || null)}
      />
      {owner_user_id === user.user_id ? null : (
        <Button variant="default" loading={assign.isPending} onClick={() => set(user.user_id)}>
          {t('Assign to me')}
        </Button>
      )}
    </Group>
  )
}

function Step({ exception, refreshes, changed }: { exception: ShipmentException } & Effects) {
  const t = useT()
  const [step, setStep] = useState(exception.next_step)
  const [at, setAt] = useState(exception.next_at === null ? '' : localOf(exception.next_at))
  const plan = useSend(shipmentExceptions.step, { refreshes, said: t('Next step saved'), done: changed })
  const next_at = at === '' ? null : instantOf(at)
  const same = step.trim() === exception.next_step && (at === '' ? exception.next_at === null : at === localOf(exception.next_at ?? ''))
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        plan.mutate({ id: exception.id, body: { next_step: step, next_at, version: exception.version } })
      }}
    >
      <Stack gap="xs">
        <TextInput label={t('Next step')} maxLength={200} value={step} onChange={event => setStep(event.currentTarget.value)} />
        <Group gap="xs" align="end">
          <LocalTimeInput label={t('Due')} value={at} onChange={event => setAt(event.currentTarget.value)} />
          <Button type="submit" variant="default" loading={plan.isPending} {...disabledBecause(same && t('Nothing has been changed yet'))}>
            {t('Save next step')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Resolve({ exception, refreshes, changed, close }: { exception: ShipmentException; close: () => void } & Effects) {
  const t = useT()
  const [note, setNote] = useState('')
  const [resolution, setResolution] = useState<(typeof personResolutions)[number]>('solved')
  const resolve = useSend(shipmentExceptions.resolve, {
    refreshes,
    said: t('Exception resolved'),
    done: () => {
      close()
      changed()
    },
  })
  const add = useSend(shipmentExceptions.note, { refreshes, said: t('Note added'), done: () => setNote('') })
  const busy = resolve.isPending || add.isPending
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        resolve.mutate({ id: exception.id, body: { resolution, note, version: exception.version } })
      }}
    >
      <Stack gap="sm">
        <Textarea
          label={t('Note')}
          autosize
          minRows={2}
          maxLength={limits.note}
          value={note}
          onChange={event => setNote(event.currentTarget.value)}
        />
        <Group gap="xs" align="end">
          <NativeChoice
            label={t('Outcome')}
            data={personResolutions.map(value => ({ value, label: personResolutionWord(value) }))}
            value={resolution}
            choose={setResolution}
            {...(resolution === 'lost' && { description: t('The shipment gets the status Lost.') })}
          />
          <Button type="submit" loading={resolve.isPending} disabled={busy}>
            {t('Resolve')}
          </Button>
          <Button
            variant="default"
            loading={add.isPending}
            disabled={busy}
            {...disabledBecause(note.trim() === '' && t('Enter a note first'))}
            onClick={() => add.mutate({ id: exception.id, body: { note } })}
          >
            {t('Add note')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
