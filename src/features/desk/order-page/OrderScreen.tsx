/** One order: everything that somebody on the telephone asks about, without a click. */

import { Box, Button, Menu } from '@mantine/core'
import { IconDownload, IconHelpCircle, IconPackage, IconPin, IconPinnedOff, IconPrinter } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { access } from '#contract/access.ts'
import { EditableTags } from '#features/company/tags/TagPicker.tsx'
import { packingEvidence } from '#features/desk/packing-evidence/packing-evidence.contract.ts'
import { orderEdits } from '#features/orders/orders/edits/order-edits.contract.ts'
import type { ListProps } from '#features/orders/orders/OrderList.tsx'
import { actionOf, PhaseBadge, useCompanyName } from '#features/orders/orders/order.labels.tsx'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { SettableState } from '#features/orders/orders/orders.rules.ts'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { OrderTote, useMayNameTote } from '#features/warehouse/paperless/OrderTote.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { DetailPage, type DetailPageProps, type Fact, Panel } from '#ui/kit/DetailPage.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { instant, money, number, weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { MenuAction } from '#ui/kit/MenuAction.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useShortcuts } from '#ui/kit/shortcuts.ts'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useIsOffered } from '#ui/navigation/menu.ts'
import { saveFile, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { OrderAddress } from './OrderAddress.tsx'
import { OrderComments } from './OrderComments.tsx'
import { HoldButton, HoldItems, type HoldKind, OrderLocks, useRelease } from './OrderHolds.tsx'
import type { ItemsDeed } from './OrderItemsForm.tsx'
import { OrderLines } from './OrderLines.tsx'
import { OrderMethod, whyOf } from './OrderMethod.tsx'
import style from './OrderPage.module.css'
import { OrderParcels } from './OrderParcels.tsx'
import { OrderShipBy } from './OrderShipBy.tsx'
import { OrderStrip } from './OrderStrip.tsx'
import { OrderTimeline } from './OrderTimeline.tsx'
import { useOrderLabel } from './order-label.client.ts'
import { useOrderPapers } from './order-papers.client.ts'
import { mainActionOf } from './order-status.rules.ts'
import { orderRefreshes, useUndoToast } from './order-undo.client.ts'
import { whyNot } from './why-not.client.ts'

const OrderAdditions = lazy(() => import('#features/orders/additional-products/OrderAdditions.tsx'))
const OrderAlerts = lazy(() => import('#features/orders/order-alerts/OrderAlerts.tsx'))
const OrderCombination = lazy(() => import('./OrderCombination.tsx'))
const OrderCustoms = lazy(() => import('./OrderCustoms.tsx'))
const OrderPhotos = lazy(() => import('#features/packing/packing-photos/OrderPhotos.tsx'))
const OrderVideos = lazy(() => import('#features/packing/packing-video/OrderVideos.tsx'))
const OrderReturns = lazy(() => import('#features/returns/returns/OrderReturns.tsx'))
const OrderMessages = lazy(() => import('#features/messages/messages/OrderMessages.tsx'))
const OrderHoldDialog = lazy(() => import('./OrderHoldDialog.tsx'))
const OrderItemsForm = lazy(() => import('./OrderItemsForm.tsx'))
const OrderWhyNot = lazy(() => import('./OrderWhyNot.tsx'))
const OrderHistory = lazy(() => import('./OrderHistory.tsx'))
const OrderAddressForm = lazy(() => import('./OrderAddressForm.tsx'))

export default function OrderPage({ id, url, setUrl, urlWith, filters, path }: ListProps & { id: number; path: string }) {
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

function OpenOrder({ order, back, around }: { order: Order; back: DetailPageProps['back']; around: Around }) {
  const t = useT()
  const companyName = useCompanyName()
  const { init } = useSignedIn()
  const setState = useSend(orders.setState, { refreshes: orderRefreshes })
  const undoToast = useUndoToast(order.id)
  const pin = useSend(orders.pin, {
    refreshes: orderRefreshes,
    done: () => undoToast(t('The order is pinned'), { did: 'pinned' }),
  })
  const unpin = useSend(orders.unpin, {
    refreshes: orderRefreshes,
    done: () => undoToast(t('The order is unpinned'), { did: 'unpinned' }),
  })
  const mayNameTote = useMayNameTote(order)
  const mayEdit = actionOf(order, 'edit_address').allowed
  const [asksWhy, setAsksWhy] = useState(false)
  const [items, setItems] = useState<ItemsDeed | null>(null)
  const [holding, setHolding] = useState<HoldKind | null>(null)
  // The drawer stays once it was opened, so that it gives the focus back when it closes.
  const [drawer, setDrawer] = useState<'none' | 'open' | 'closed'>('none')
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

  const move = async (state: SettableState) => {
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
  const editAddress = () => setDrawer('open')

  return (
    <DetailPage
      title={order.order_no}
      documentTitle={t('Order {{number}}', { number: order.order_no })}
      copyLabel={t('Copy order number')}
      note={init.CompanyLookup.length > 1 ? companyName(order.company_id) : undefined}
      badge={
        <>
          <PhaseBadge phase={order.phase} />
          {pinned ? (
            <StateBadge tone="busy" icon={IconPin}>
              {t('Pinned')}
            </StateBadge>
          ) : null}
          {order.backorder ? <StateBadge tone="soon">{t('Backorder')}</StateBadge> : null}
        </>
      }
      back={back}
      steps={{
        previous: { label: t('Previous order in the list'), run: around.previous },
        next: { label: t('Next order in the list'), run: around.next },
      }}
      actions={<HoldButton order={order} ask={setHolding} />}
      primary={<MainButton order={order} move={state => void move(state)} moving={setState.isPending} />}
      more={
        <MoreItems
          order={order}
          move={state => void move(state)}
          togglePin={togglePin}
          hold={setHolding}
          items={setItems}
          why={() => setAsksWhy(true)}
        />
      }
      strip={<OrderStrip order={order} editAddress={editAddress} release={() => void move('ready')} />}
      facts={[
        { name: t('Ship by'), value: <OrderShipBy order={order} /> },
        { name: t('Shipping method'), value: <OrderMethod order={order} /> },
        { name: t('Payment'), value: paymentWord(t, order.payment_state) },
        { name: t('Total'), value: order.total_incl_vat === null ? '–' : money(order.total_incl_vat, order.currency) },
        { name: t('Items'), value: `${number(order.item_count)} · ${weight(order.weight_g)}` },
        { name: t('Ordered'), value: <RelativeTime at={order.ordered_at} /> },
      ]}
      details={detailsOf(order, t, mayNameTote)}
      side={
        <>
          <OrderLocks order={order} />
          <OrderAddress order={order} editAddress={editAddress} />
          <OrderComments order={order} />
          <Suspense>
            <OrderAlerts order_id={order.id} />
            <OrderHistory order={order} />
          </Suspense>
        </>
      }
    >
      <OrderRelations order={order} />
      <Suspense>
        <OrderCombination order={order} />
      </Suspense>
      <OrderLines order={order} />
      <Suspense>
        {crossesBorder(order) ? <OrderCustoms order={order} /> : null}
        <OrderAdditions order_id={order.id} />
      </Suspense>
      <OrderParcels order={order} />
      <Suspense>
        <OrderPhotos order_id={order.id} />
        <OrderVideos order_id={order.id} />
        <OrderReturnsIfSent order={order} />
        <OrderMessages order_id={order.id} />
      </Suspense>
      <OrderTimeline order={order} />
      <Suspense>
        {holding ? <OrderHoldDialog order={order} kind={holding} close={() => setHolding(null)} /> : null}
        {asksWhy ? <OrderWhyNot order={order} release={() => void move('ready')} items={setItems} close={() => setAsksWhy(false)} /> : null}
        {items ? <OrderItemsForm order={order} deed={items} close={() => setItems(null)} /> : null}
        {drawer === 'none' ? null : (
          <OrderAddressForm order={order} opened={drawer === 'open' && mayEdit} close={() => setDrawer('closed')} />
        )}
      </Suspense>
    </DetailPage>
  )
}

/** As the badge of the import says it. Inside Norway parcels may cross Sweden. */
const crossesBorder = ({ badges, ship_to }: Order): boolean =>
  ship_to.country === 'NO' || badges.some(one => one.kind === 'customs' && one.text !== 'No customs papers are needed')
/** Only what was sent can come back. */
function OrderReturnsIfSent({ order }: { order: Order }) {
  const reads = useIsAllowed(access.returns)
  return reads && order.lines.some(line => line.shipped_qty > 0) ? <OrderReturns order_id={order.id} /> : null
}

function detailsOf(order: Order, t: ReturnType<typeof useT>, mayNameTote: boolean): Fact[] {
  const shop = `${order.shop} (${order.source})`
  return [
    {
      name: t('Order code'),
      value: (
        <span className={style.pair}>
          <span>{order.order_code}</span>
          <CopyButton text={order.order_code} />
        </span>
      ),
    },
    {
      name: t('Shop'),
      value: order.shop_link ? (
        <a href={order.shop_link} target="_blank" rel="noopener noreferrer">
          {shop}
        </a>
      ) : (
        shop
      ),
    },
    ...(order.pickup ? [{ name: t('Pickup'), value: [order.pickup.deadline, instant(order.pickup.at)].filter(Boolean).join(' · ') }] : []),
    ...(order.method_why ? [{ name: t('Why this method'), value: whyOf(order.method_why) }] : []),
    ...(order.packing ? [{ name: t('Packing now'), value: `${order.packing.station}, ${order.packing.user_name}` }] : []),
    ...(order.packed_at ? [{ name: t('Packed'), value: <RelativeTime at={order.packed_at} /> }] : []),
    ...(order.goods_at && order.paperless.length === 0
      ? [{ name: t('Where the items are'), value: t('At station {{station}}', { station: order.goods_at }) }]
      : []),
    ...(order.paperless.length > 0 || mayNameTote ? [{ name: t('Tote'), value: <OrderTote order={order} mayName={mayNameTote} /> }] : []),
    {
      name: t('Tags'),
      value: <EditableTags object="order" id={order.id} names={order.tags} company_id={order.company_id} refreshes={orderRefreshes} />,
    },
  ]
}

interface MoveProps {
  order: Order
  move: (state: SettableState) => void
}

/** Orders that belong to this one. */
function OrderRelations({ order }: { order: Order }) {
  const t = useT()
  const words: Partial<Record<Order['relations'][number]['relation'], string>> = {
    whole: t('Part of'),
    part: t('Goes by itself'),
    replaces: t('Replaces'),
    replaced_by: t('Replaced by'),
  }
  // Those in the same parcel have a panel of their own.
  const related = order.relations.filter(one => words[one.relation] !== undefined)
  if (related.length === 0) return null
  return (
    <Panel title={t('Related orders')} flush place={1}>
      {related.map(one => (
        <div key={one.id} className={style.row}>
          <div className={style.rowHead}>
            <span className={style.by}>{words[one.relation]}</span>
            <Link to="/parcels/orders" search={{ id: String(one.id) }}>
              {one.order_no}
            </Link>
            <PhaseBadge phase={one.phase} />
          </div>
        </div>
      ))}
    </Panel>
  )
}

/** The one filled button: what the order asks for in its state. */
function MainButton({ order, move, moving }: MoveProps & { moving: boolean }) {
  const t = useT()
  const mayPack = useIsOffered('/')
  const label = useOrderLabel(order)
  const { release, releasing } = useRelease(order)
  const [lock] = order.locks
  switch (mainActionOf(order)) {
    case 'release_hold':
      return lock ? (
        <Button
          {...disabledBecause(!lock.may_release && t('You do not have permission to release this hold. Ask a lead.'))}
          loading={releasing}
          onClick={() => release(lock)}
        >
          {lock.kind === 'hold' ? t('Release hold') : t('Unlock')}
        </Button>
      ) : null
    case 'pack':
      return mayPack ? (
        <Button component={Link} to="/" search={{ order: order.id }} leftSection={<IconPackage size={16} />}>
          {t('Open at station')}
        </Button>
      ) : null
    case 'print':
      return label.hasPrinter ? (
        <Button leftSection={<IconPrinter size={16} />} loading={label.printing} onClick={label.print}>
          {t('Print label')}
        </Button>
      ) : (
        <Button leftSection={<IconDownload size={16} />} onClick={() => label.save('pdf')}>
          {t('Save as PDF')}
        </Button>
      )
    case 'release':
      return (
        <Button loading={moving} onClick={() => move('ready')}>
          {t('Release order')}
        </Button>
      )
    case 'close':
      return (
        <Button loading={moving} onClick={() => move('closed')}>
          {t('Close order')}
        </Button>
      )
    case null:
      return null
  }
}

/** Everything else that can be done to the order; what cannot says why. A phone has no button for holds. */
function MoreItems({
  order,
  move,
  togglePin,
  hold,
  items,
  why,
}: MoveProps & { togglePin: () => void; hold: (kind: HoldKind) => void; items: (deed: ItemsDeed) => void; why: () => void }) {
  const t = useT()
  const mayPack = useIsOffered('/')
  const main = mainActionOf(order)
  const papers = useOrderPapers(order)
  const mayReadEvidence = useIsAllowed(packingEvidence.download.access)
  const evidence = useCommand((asked: { id: number }) => send(packingEvidence.download, asked), { done: saveFile })
  const undoSplit = useSend(orderEdits.undoSplit, { refreshes: orderRefreshes, said: t('The part is back in its order') })
  const words: Record<ItemsDeed, string> = { edit: t('Edit items'), split: t('Split order'), copy: t('Copy as replacement') }
  const itemsRefusal = (deed: ItemsDeed): string | null => {
    if (deed === 'copy') return null
    if (order.cancelled_at !== null) return t('The order is cancelled')
    if (order.work_state === 'handed_over' || order.work_state === 'closed') return t('The parcel has left the warehouse')
    if (order.work_state === 'packed') return t('The order is packed. Reopen it first.')
    if (order.work_state === 'in_pack') return t('The order is being packed. Ask to stop packing first.')
    if (deed === 'edit') return null
    if (order.work_state !== 'new' && order.work_state !== 'ready') return t('The order is on a pick list. Take it off first.')
    if (order.relations.some(one => one.relation === 'whole')) return t('This is a part already. Split the whole order.')
    return order.item_count < 2 ? t('It has only one item.') : null
  }
  const item = (action: keyof typeof stateOf, label: string, danger = false) => {
    return (
      <MenuAction why={whyNot(actionOf(order, action))} {...(danger ? { color: 'brick' } : {})} onClick={() => move(stateOf[action])}>
        {label}
      </MenuAction>
    )
  }
  return (
    <>
      <Menu.Item leftSection={order.pinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />} onClick={togglePin}>
        {order.pinned ? t('Unpin') : t('Pin')}
      </Menu.Item>
      <Menu.Item leftSection={<IconHelpCircle size={16} />} onClick={why}>
        {t('Why not?')}
      </Menu.Item>
      {mayPack && main !== 'pack' ? (
        <Menu.Item component={Link} to="/" search={{ order: order.id }} leftSection={<IconPackage size={16} />}>
          {t('Open at station')}
        </Menu.Item>
      ) : null}
      <Menu.Divider />
      {(['edit', 'split', 'copy'] as const).map(deed => {
        return (
          <MenuAction key={deed} why={itemsRefusal(deed)} onClick={() => items(deed)}>
            {words[deed]}
          </MenuAction>
        )
      })}
      {order.relations.some(one => one.relation === 'whole') &&
      ['new', 'ready'].includes(order.work_state) &&
      order.cancelled_at === null ? (
        <Menu.Item onClick={() => undoSplit.mutate({ id: order.id })}>{t('Put back into the order')}</Menu.Item>
      ) : null}
      <Menu.Divider />
      <MenuAction
        leftSection={<IconPrinter size={16} />}
        why={papers.printer === null && t('Select an A4 printer for this device first.')}
        onClick={papers.print}
      >
        {t('Print order sheet')}
      </MenuAction>
      <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => papers.save('sheet')}>
        {t('Save order sheet')}
      </Menu.Item>
      <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => papers.save('slip')}>
        {t('Save packing slip')}
      </Menu.Item>
      {mayReadEvidence ? (
        <MenuAction
          leftSection={<IconDownload size={16} />}
          why={order.packed_at === null && t('The order is not packed yet')}
          onClick={() => evidence.mutate({ id: order.id })}
        >
          {t('Save packing evidence')}
        </MenuAction>
      ) : null}
      <Menu.Divider />
      <Box hiddenFrom="sm">
        <HoldItems order={order} ask={hold} first />
      </Box>
      <Menu.Divider />
      {main === 'release' ? null : item('release', t('Release order'))}
      {item('reopen', t('Reopen order'))}
      {main === 'close' ? null : item('close', t('Close order'))}
      <Menu.Divider />
      {item('cancel', t('Cancel order'), true)}
    </>
  )
}

/** The state that each action sets. */
const stateOf = { release: 'ready', reopen: 'picked', close: 'closed', cancel: 'cancelled' } as const

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
