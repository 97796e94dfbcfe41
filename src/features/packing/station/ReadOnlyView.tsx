/** An order that cannot be packed here and now: why, who, since when, and what can be done about it. */
import { Button } from '@mantine/core'
import { IconBan, IconCircleCheck, IconHandStop, IconLock, IconPackage, IconUser } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { access } from '#contract/access.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { useDevice, useDevicePrinter } from '#ui/device/device-storage.ts'
import { instant, relative, time } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import big from './BigMessage.module.css'
import { choicesOf } from './choices.rules.ts'
import { mayDo } from './packing-step.rules.ts'
import style from './ReadOnlyView.module.css'
import { type Standing, standingOf } from './station.rules.ts'
import parts from './station-parts.module.css'
import { ByKey, Choices, CompanyTag, useSay, useStation } from './station-parts.tsx'

function useStanding(order: PackingOrder): Standing {
  const { user, station } = useStation().situation
  return standingOf(order, { user_id: user?.user_id ?? 0, station })
}

export default function ReadOnlyView({ order }: { order: PackingOrder }) {
  const standing = useStanding(order)
  switch (standing.kind) {
    case 'cancelled':
      return <Cancelled order={order} />
    case 'stopped':
      return <Stopped order={order} />
    case 'claimed':
      return <Claimed order={order} own={standing.own} free={standing.free} />
    case 'packed':
    case 'gone':
      return <Packed order={order} gone={standing.kind === 'gone'} />
    default:
      return <NotYet order={order} />
  }
}

/** One page: an icon, large words, what can be done, and the order to read below. */
function BigMessage({
  order,
  icon,
  tone,
  title,
  children,
  actions,
}: {
  order: PackingOrder
  icon: ReactNode
  tone: 'stop' | 'soon' | 'done' | 'plain'
  title: string
  children?: ReactNode
  actions?: ReactNode
}) {
  const t = useT()
  const { dispatch, state } = useStation()
  const asks = state.unpacking !== null
  return (
    <section className={`${big.message} ${big[`tone_${tone}`]}`} role={tone === 'stop' ? 'alert' : undefined}>
      <span className={big.icon}>{icon}</span>
      <p className={parts.eyebrow}>
        {t('Order {{order_no}}', { order_no: order.order_no })} · <CompanyTag order={order} />
      </p>
      <h2>{title}</h2>
      <div className={big.text}>{children}</div>
      <div className={parts.buttons}>
        {actions}
        <Button
          size="lg"
          variant={tone === 'stop' ? 'white' : 'default'}
          {...(tone === 'stop' && { c: 'var(--on-signal-soon)' })}
          onClick={() => dispatch({ type: asks ? 'back' : 'leave' })}
          rightSection={<ByKey keys="Esc" />}
        >
          {asks ? t('Back') : t('Next order')}
        </Button>
      </div>
    </section>
  )
}

function Claimed({ order, own, free }: { order: PackingOrder; own: boolean; free: boolean }) {
  const t = useT()
  const say = useSay()
  const { dispatch, state, situation } = useStation()
  const mayTake = mayDo(situation, access.scanAdmin, 'take_over')
  const { session } = order
  if (!session) return null
  const parked = session.state === 'parked'
  const may = own || free || mayTake
  return (
    <BigMessage
      order={order}
      icon={<IconUser size={64} />}
      tone="soon"
      title={
        parked
          ? t('{{name}} set it aside', { name: session.user_name })
          : own
            ? t('You have it at {{station}}', { station: session.station })
            : t('{{name}} has it at {{station}}', { name: session.user_name, station: session.station })
      }
      actions={
        may ? (
          <Button size="lg" loading={state.busy} onClick={() => dispatch({ type: 'primary' })} rightSection={<ByKey keys="Enter" />}>
            {own || free ? t('Continue here') : t('Take over')}
          </Button>
        ) : (
          <Button size="lg" onClick={() => dispatch({ type: 'primary' })} rightSection={<ByKey keys="Enter" />}>
            {t('Ask a lead')}
          </Button>
        )
      }
    >
      <p>
        {t('Since {{time}}, {{packed}} of {{to_pack}} items packed. Last scan {{ago}}.', {
          time: time(session.opened_at),
          packed: order.packed,
          to_pack: order.to_pack,
          ago: relative(session.last_scan_at),
        })}
      </p>
      {session.parked_reason ? <p>{say({ text: session.parked_reason })}</p> : null}
      {free && !parked ? <p>{t('Idle for 15 minutes. Anyone can continue.')}</p> : null}
      {may ? null : <p>{t('A lead can approve that you take it over: scan a lead’s badge here.')}</p>}
    </BigMessage>
  )
}

function Stopped({ order }: { order: PackingOrder }) {
  const t = useT()
  const say = useSay()
  const mayRelease = useIsAllowed(access.parcels)
  const { stopped } = order
  if (!stopped) return null
  return (
    <BigMessage
      order={order}
      icon={stopped.kind === 'hold' ? <IconHandStop size={64} /> : <IconLock size={64} />}
      tone="stop"
      title={stopped.kind === 'hold' ? t('STOP – on hold') : t('STOP – locked')}
      actions={mayRelease ? <Release order={order} /> : undefined}
    >
      <p className={big.lead}>{say(stopped)}</p>
      <p>
        {t('By {{actor}}, {{when}}', { actor: stopped.actor, when: instant(stopped.at) })}
        {stopped.until ? <> · {t('until {{when}}', { when: instant(stopped.until) })}</> : null}
      </p>
      {order.packed > 0 ? (
        <p>{t('{{count}} items are in the box. They stay counted; put the box aside.', { count: order.packed })}</p>
      ) : null}
    </BigMessage>
  )
}

/** Releases what stops the order, where this person may. */
function Release({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch } = useStation()
  const whole = useCall(orders.get, { id: order.order_id }, { live: ['order'] })
  const done = () => dispatch({ type: 'open', order_id: order.order_id })
  const unlock = useSend(orderLocks.unlock, { done, refreshes: [orders.get] })
  const unlockAuto = useSend(orderLocks.unlockAuto, { done, refreshes: [orders.get] })
  const release = useSend(orderLocks.releaseHold, { done, refreshes: [orders.get] })
  const locks = whole.data?.locks.filter(lock => lock.may_release) ?? []
  return locks.map(lock => (
    <Button
      key={lock.lock_id}
      size="lg"
      variant="white"
      c="var(--on-signal-soon)"
      onClick={() => {
        if (lock.kind === 'manual') unlock.mutate({ id: order.order_id })
        else if (lock.kind === 'auto') unlockAuto.mutate({ id: order.order_id })
        else release.mutate({ id: order.order_id, lock_id: lock.lock_id })
      }}
    >
      {lock.kind === 'hold' ? t('Release hold') : t('Unlock order')}
      {lock.note && locks.length > 1 ? `: ${lock.note}` : ''}
    </Button>
  ))
}

function Cancelled({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch, state } = useStation()
  const inBox = order.lines.filter(line => line.packed_qty > 0)
  const back = inBox.length > 0 ? inBox : order.lines
  return (
    <div className={`${style.cancelled} ${parts.wrapping}`} role="alert">
      <IconBan size={96} aria-hidden />
      <h2>{order.stopped ? t('STOP – cancelled {{time}}', { time: time(order.stopped.at) }) : t('STOP – cancelled')}</h2>
      <p className={big.lead}>
        {t('Order {{order_no}}', { order_no: order.order_no })} · {order.customer_name}
      </p>
      {order.put_back ? (
        <>
          <p>{t('Put everything back into its bin:')}</p>
          <ul className={style.putBack}>
            {back.map(line => (
              <li key={line.order_line_id}>
                <span className={parts.bigBin}>{line.bin ?? '–'}</span>
                <b>
                  {line.packed_qty > 0 ? line.packed_qty : line.qty} × {line.name}
                </b>
                <code>{line.sku}</code>
              </li>
            ))}
          </ul>
          <Button
            size="xl"
            variant="white"
            c="var(--on-signal-soon)"
            loading={state.busy}
            onClick={() => dispatch({ type: 'put_back' })}
            rightSection={<ByKey keys="Enter" />}
          >
            {t('All items are back')}
          </Button>
        </>
      ) : (
        <p>{t('Do not send this order. Put all items back.')}</p>
      )}
      <Button size="lg" variant="outline" color="white" onClick={() => dispatch({ type: 'leave' })} rightSection={<ByKey keys="Esc" />}>
        {t('Next order')}
      </Button>
    </div>
  )
}

function Packed({ order, gone }: { order: PackingOrder; gone: boolean }) {
  const t = useT()
  const { dispatch, state, situation } = useStation()
  const printer_id = useDevicePrinter('label')
  const station = useDevice('packingStation') ?? ''
  const extra = useSend(labels.create, { done: () => dispatch({ type: 'parcel_added', order_no: order.order_no }) })
  const sent = order.parcels.filter(parcel => !['cancelled', 'blocked', 'error', 'draft'].includes(parcel.state))
  const [first] = sent
  const unpacking = sent.find(parcel => parcel.shipment_id === state.unpacking)
  return (
    <BigMessage
      order={order}
      icon={unpacking ? <IconPackage size={64} /> : <IconCircleCheck size={64} />}
      tone={unpacking ? 'soon' : 'done'}
      title={unpacking ? t('Unpack parcel {{parcel}}?', { parcel: unpacking.parcel_no }) : gone ? t('Already shipped') : t('It is packed')}
      actions={
        first && !gone && !unpacking ? (
          <Button
            size="lg"
            variant="default"
            leftSection={<IconPackage size={20} />}
            loading={extra.isPending}
            onClick={() =>
              extra.mutate({
                agent_code: first.agent_code,
                shipping_method: first.shipping_method,
                operation_code: 'outbound',
                body: { order_id: order.order_id, printer_id, ...(station && { station }) },
              })
            }
          >
            {t('Another parcel')}
          </Button>
        ) : null
      }
    >
      {unpacking ? (
        <p>{t('Its label is cancelled, and its items wait to be packed again. Other parcels of the order stay as they are.')}</p>
      ) : (
        <p>
          {order.packed_by
            ? t('By {{name}} at {{station}}, {{when}}', {
                name: order.packed_by,
                station: order.packed_station ?? '–',
                when: order.packed_at ? instant(order.packed_at) : '–',
              })
            : order.packed_at
              ? instant(order.packed_at)
              : null}
        </p>
      )}
      <Choices choices={choicesOf(state, situation)} onChoose={choice => dispatch(choice.event)} />
    </BigMessage>
  )
}

/** Still being picked, or refused for another reason that the server gave. */
function NotYet({ order }: { order: PackingOrder }) {
  const t = useT()
  const say = useSay()
  const { dispatch, state } = useStation()
  const standing = useStanding(order)
  return (
    <BigMessage
      order={order}
      icon={<IconHandStop size={64} />}
      tone="soon"
      title={
        order.reported_missing.length > 0
          ? t('Items are missing')
          : standing.kind === 'in_pick'
            ? t('Still being picked')
            : t('It cannot be packed yet')
      }
      actions={
        <Button size="lg" loading={state.busy} onClick={() => dispatch({ type: 'primary' })} rightSection={<ByKey keys="Enter" />}>
          {t('Try again')}
        </Button>
      }
    >
      {order.reported_missing.map(({ name, bin, quantity, reported_by, reported_at }) => (
        <p key={`${name} ${reported_at}`} className={big.lead}>
          {t('Reported missing: {{quantity}} × {{name}} by {{person}}, {{when}}', {
            quantity,
            name,
            person: reported_by,
            when: instant(reported_at),
          })}
          {bin ? ` · ${bin}` : null}
        </p>
      ))}
      {order.reported_missing.length > 0 ? (
        <p>{t('Put the tote with the exceptions. It can be packed once someone has decided what happens to these items.')}</p>
      ) : state.refusal && standing.kind !== 'in_pick' ? (
        <p className={big.lead}>{say(state.refusal)}</p>
      ) : null}
      {standing.kind === 'in_pick' ? <WagonProgress order={order} /> : null}
    </BigMessage>
  )
}

/** Where the order is while it is picked: list, wagon, person and how far. */
function WagonProgress({ order: { wagon } }: { order: PackingOrder }) {
  const t = useT()
  if (!wagon) return null
  const place = { list: wagon.pick_list_id, wagon: wagon.wagon_no, slot: wagon.slot_no }
  return (
    <>
      <p className={big.lead}>{t('List {{list}}, wagon {{wagon}}, slot {{slot}}', place)}</p>
      <p>
        {wagon.picker
          ? wagon.since
            ? t('{{name}} picks it since {{time}}', { name: wagon.picker, time: instant(wagon.since) })
            : t('{{name}} picks it', { name: wagon.picker })
          : t('No picker has taken it yet')}
        {' · '}
        {t('{{decided}} of {{lines}} lines', { decided: wagon.decided, lines: wagon.lines })}
      </p>
    </>
  )
}
