/** One order: everything that somebody on the telephone asks about, without a click. */
import { ActionIcon, Button, Group, Menu, Badge as Tag, Tooltip } from '@mantine/core'
import { IconChevronDown, IconChevronLeft, IconChevronRight, IconDots, IconPin, IconPinnedOff } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import type { ListProps } from '#features/orders/orders/OrderList.tsx'
import { actionOf, Deadline, PhaseBadge, useCompanyName } from '#features/orders/orders/order.labels.tsx'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Action } from '#features/orders/orders/orders.rules.ts'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { OrderTote, useMayNameTote } from '#features/warehouse/paperless/OrderTote.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { money, number, weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useShortcuts } from '#ui/kit/shortcuts.ts'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useIsOffered } from '#ui/navigation/menu.ts'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { OrderAddress } from './OrderAddress.tsx'
import { OrderComments } from './OrderComments.tsx'
import { OrderStops } from './OrderHolds.tsx'
import { OrderLines } from './OrderLines.tsx'
import { OrderMethod } from './OrderMethod.tsx'
import style from './OrderPage.module.css'
import { OrderParcels } from './OrderParcels.tsx'
import { OrderTimeline } from './OrderTimeline.tsx'

export function OrderPage({ id, url, setUrl, urlWith, filters, path }: ListProps & { id: number; path: string }) {
  const order = useCall(orders.get, { id }, { live: ['shipment', { topic: 'order', id }, { topic: 'packing', id }] })
  const around = useNeighbours({ id, url, setUrl, filters })
  const t = useT()
  const back = { to: path, search: urlWith({ id: 0 }), label: t('Back to the list') }
  if (order.data === undefined)
    return (
      <Page title={t('Order')} back={back}>
        <QueryState of={order}>{() => null}</QueryState>
      </Page>
    )
  return <OpenOrder order={order.data} back={back} around={around} />
}

interface Around {
  previous: (() => void) | null
  next: (() => void) | null
}

/** The orders before and after this one in the list that it was opened from; over the edge of a page they are looked up when wanted. */
function useNeighbours({ id, url, setUrl, filters }: Omit<ListProps, 'urlWith'> & { id: number }): Around {
  const limit = 50
  const asked = { ...filters, sort: url.sort, limit }
  const list = useCall(orders.search, { ...asked, page: url.page }, { fresh: 300_000, keep: true })
  const ids = (list.data?.rows ?? []).map(row => row.id)
  const place = ids.indexOf(id)
  if (place === -1) return { previous: null, next: null }
  const here = (to: number | undefined) => (to === undefined ? null : () => setUrl({ id: to }))
  const onPage = (page: number, which: 0 | -1) => async () => {
    try {
      const { rows } = await send(orders.search, { ...asked, page })
      const row = rows.at(which)
      if (row) setUrl({ page, id: row.id })
    } catch (error) {
      toastError(error)
    }
  }
  const isMore = list.data !== undefined && (list.data.total_is_more || list.data.total > url.page * limit)
  return {
    previous: here(ids[place - 1]) ?? (url.page > 1 ? () => void onPage(url.page - 1, -1)() : null),
    next: here(ids[place + 1]) ?? (isMore ? () => void onPage(url.page + 1, 0)() : null),
  }
}

function OpenOrder({ order, back, around }: { order: Order; back: { to: string; search: Record<string, unknown> }; around: Around }) {
  const t = useT()
  const companyName = useCompanyName()
  const { init } = useSignedIn()
  const refreshes = [orders.get, orders.search, orders.count, orders.timeline]
  const setState = useSend(orders.setState, { refreshes })
  const pin = useSend(orders.pin, { refreshes })
  const unpin = useSend(orders.unpin, { refreshes })
  const mayNameTote = useMayNameTote(order)
  const pinned = order.pinned
  const togglePin = () => (pinned ? unpin : pin).mutate({ id: order.id })

  useShortcuts(
    // biome-ignore lint/correctness/useExhaustiveDependencies: what the keys do follows the order and its neighbours
    useMemo(
      () => [
        { keys: 'j', does: t('Next order in the list'), run: () => around.next?.() },
        { keys: 'k', does: t('Previous order in the list'), run: () => around.previous?.() },
        { keys: 'p', does: t('Pin or unpin the order'), run: togglePin },
      ],
      [t, order.id, pinned, around.next === null, around.previous === null],
    ),
  )

  const move = async (state: 'ready' | 'picked' | 'cancelled' | 'closed') => {
    const questions = {
      cancelled: {
        title: t('Cancel order {{number}}?', { number: order.order_no }),
        body: ['new', 'ready'].includes(order.work_state)
          ? t('It is not packed or sent. This cannot be undone.')
          : t('Picked items have to go back to their bins. Packing in progress stops immediately. This cannot be undone.'),
        action: t('Cancel order'),
        keep: t('Keep order'),
        danger: true,
      },
      picked: {
        title: t('Reopen order {{number}}?', { number: order.order_no }),
        body: t('The parcel is unpacked: its label is taken back, and everything is scanned again.'),
        action: t('Reopen order'),
        danger: true,
      },
      closed: null,
      ready: null,
    }
    const question = questions[state]
    if (question && !(await confirm(question))) return
    setState.mutate({ id: order.id, state, version: order.version })
  }

  const first: [Action, 'ready' | 'closed', string] =
    order.work_state === 'handed_over' ? ['close', 'closed', t('Close order')] : ['release', 'ready', t('Release order')]
  const main = actionOf(order, first[0])
  return (
    <Page
      title={order.order_no}
      documentTitle={t('Order {{number}}', { number: order.order_no })}
      back={back}
      badge={
        <Group gap="xs">
          <CopyButton text={order.order_no} label={t('Copy order number')} />
          <PhaseBadge phase={order.phase} />
          {pinned ? (
            <StateBadge tone="busy" icon={IconPin}>
              {t('Pinned')}
            </StateBadge>
          ) : null}
          {order.backorder ? <StateBadge tone="soon">{t('Backorder')}</StateBadge> : null}
        </Group>
      }
      note={init.CompanyLookup.length > 1 ? companyName(order.company_id) : undefined}
      actions={
        <>
          <Group gap={4}>
            <Stepper label={t('Previous order in the list')} run={around.previous} icon={<IconChevronLeft size={16} />} />
            <Stepper label={t('Next order in the list')} run={around.next} icon={<IconChevronRight size={16} />} />
          </Group>
          <Button
            variant="default"
            leftSection={pinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
            onClick={togglePin}
            loading={pin.isPending || unpin.isPending}
          >
            {pinned ? t('Unpin') : t('Pin')}
          </Button>
          <StateMenu order={order} move={state => void move(state)} />
          {main.allowed ? (
            <Button loading={setState.isPending} onClick={() => void move(first[1])}>
              {first[2]}
            </Button>
          ) : null}
        </>
      }
    >
      <dl className={style.facts}>
        <Fact name={t('Ship by')}>
          <Deadline at={order.ship_by} phase={order.phase} />
        </Fact>
        <Fact name={t('Shipping method')}>
          <OrderMethod order={order} />
        </Fact>
        <Fact name={t('Payment')}>{paymentWord(t, order.payment_state)}</Fact>
        <Fact name={t('Total')}>{order.total_incl_vat === null ? '–' : money(order.total_incl_vat, order.currency)}</Fact>
        <Fact name={t('Items')}>
          {number(order.item_count)} · {weight(order.weight_g)}
        </Fact>
        <Fact name={t('Ordered')}>
          <RelativeTime at={order.ordered_at} />
        </Fact>
        {order.packing ? (
          <Fact name={t('Packing now')}>
            {order.packing.station}, {order.packing.user_name}
          </Fact>
        ) : null}
        {order.packed_at ? (
          <Fact name={t('Packed')}>
            <RelativeTime at={order.packed_at} />
          </Fact>
        ) : null}
        <Fact name={t('Order code')}>
          <span className={style.pair}>
            <span>{order.order_code}</span>
            <CopyButton text={order.order_code} />
          </span>
        </Fact>
        {order.goods_at && order.paperless.length === 0 ? (
          <Fact name={t('Items')}>{t('At station {{station}}', { station: order.goods_at })}</Fact>
        ) : null}
        {order.paperless.length > 0 || mayNameTote ? (
          <Fact name={t('Tote')}>
            <OrderTote order={order} mayName={mayNameTote} />
          </Fact>
        ) : null}
        <Fact name={t('Shop')}>
          {order.shop_link ? (
            <a href={order.shop_link} target="_blank" rel="noopener noreferrer">
              {order.shop} ({order.source})
            </a>
          ) : (
            `${order.shop} (${order.source})`
          )}
        </Fact>
        {order.tags.length > 0 ? (
          <Fact name={t('Tags')}>
            <Group gap={4}>
              {order.tags.map(tag => (
                <Tag key={tag} variant="outline" color="gray" tt="none">
                  {tag}
                </Tag>
              ))}
            </Group>
          </Fact>
        ) : null}
      </dl>
      <div className={style.columns}>
        <div className={style.column}>
          <OrderLines order={order} />
          <OrderParcels order={order} />
          <OrderTimeline order={order} />
        </div>
        <div className={style.column}>
          <OrderStops order={order} />
          <OrderComments order={order} />
          <OrderAddress order={order} />
        </div>
      </div>
    </Page>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={style.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Stepper({ label, run, icon }: { label: string; run: (() => void) | null; icon: ReactNode }) {
  return (
    <Tooltip label={label}>
      <ActionIcon size="lg" variant="default" aria-label={label} disabled={run === null} onClick={() => run?.()}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}

/** Everything that can be done to the order; what cannot says why. */
function StateMenu({ order, move }: { order: Order; move: (state: 'ready' | 'picked' | 'cancelled' | 'closed') => void }) {
  const t = useT()
  const bench = useIsOffered('/')
  const item = (action: Action, state: 'ready' | 'picked' | 'cancelled' | 'closed', label: string, danger = false) => {
    const { allowed, reason, values } = actionOf(order, action)
    return (
      <Menu.Item key={action} disabled={!allowed} {...(danger ? { color: 'brick' } : {})} onClick={() => move(state)}>
        {label}
        {reason ? <div className={style.by}>{t(reason, values)}</div> : null}
      </Menu.Item>
    )
  }
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDots size={16} />} rightSection={<IconChevronDown size={16} />}>
          {t('More')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {bench ? (
          <Menu.Item component={Link} to="/" search={{ order: order.id }}>
            {t('Open at the packing station')}
          </Menu.Item>
        ) : null}
        {item('release', 'ready', t('Release order'))}
        {item('reopen', 'picked', t('Reopen order'))}
        {item('close', 'closed', t('Close order'))}
        <Menu.Divider />
        {item('cancel', 'cancelled', t('Cancel order'), true)}
      </Menu.Dropdown>
    </Menu>
  )
}

function paymentWord(t: ReturnType<typeof useT>, state: string): string {
  const words: Record<string, string> = {
    pending: t('Not paid yet'),
    authorized: t('Authorised'),
    partially_paid: t('Partially paid'),
    paid: t('Paid'),
    partially_refunded: t('Partially refunded'),
    refunded: t('Refunded'),
    voided: t('Voided'),
  }
  return words[state] ?? state
}
