/** The lines of an order: what is bought, where it lies, and how far each is. */
import { ActionIcon, Text, Tooltip } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { ProductLinks } from '#features/catalog/product-links/ProductLinks.tsx'
import { products } from '#features/catalog/products/products.contract.ts'
import { bundlesFirst, completeBundles, partsOf } from '#features/orders/orders/bundles.rules.ts'
import type { Order, OrderLine } from '#features/orders/orders/orders.schemas.ts'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { country, money, number, weight } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import style from './OrderPage.module.css'

const OrderLineForm = lazy(() => import('./OrderLineForm.tsx'))

export function OrderLines({ order }: { order: Order }) {
  const t = useT()
  // A line of which all pieces went with a part is not shown.
  const goods = bundlesFirst(order.lines.filter(line => line.type === 'item' && line.qty > 0))
  const charges = order.lines.filter(line => line.type !== 'item')
  const gone = order.cancelled_at !== null || order.work_state === 'handed_over' || order.work_state === 'closed'
  return (
    <Panel title={t('Products')} count={`${number(order.item_count)} · ${weight(order.weight_g)}`} flush place={1}>
      {goods.length === 0 ? <div className={style.inset}>{t('There is nothing to pack in this order.')}</div> : null}
      {goods.map(line => (
        <Line
          key={line.order_item_id}
          order_id={order.id}
          company_id={order.company_id}
          line={line}
          goods={goods}
          currency={order.currency}
          open={!gone}
        />
      ))}
      <div className={style.charges}>
        {charges.map(line => (
          <div key={line.order_item_id} className={style.charge}>
            <span>{line.name}</span>
            <span>{priceOf(line, order.currency) ?? '–'}</span>
          </div>
        ))}
        {order.total_incl_vat === null ? null : (
          <div className={`${style.charge} ${style.total}`}>
            <span>
              {order.total_vat === null ? t('Total') : t('Total, of which VAT {{vat}}', { vat: money(order.total_vat, order.currency) })}
            </span>
            <span>{money(order.total_incl_vat, order.currency)}</span>
          </div>
        )}
      </div>
    </Panel>
  )
}

/** Null where the shop sent none. */
function priceOf(line: OrderLine, currency: string): string | null {
  const unit = line.unit_price_incl_vat ?? line.unit_price_excl_vat
  return unit === null ? null : money(unit * line.qty, currency)
}

interface LineProps {
  order_id: number
  company_id: number
  line: OrderLine
  /** Of the order: among them are the lines that are packed in place of a bundle. */
  goods: readonly OrderLine[]
  currency: string
  open: boolean
}

function Line({ order_id, company_id, line, goods, currency, open }: LineProps) {
  const t = useT()
  const price = priceOf(line, currency)
  const [editing, setEditing] = useState(false)
  const sku = line.sku ?? '–'
  const from = line.product_id !== null && line.has_picture ? { call: products.picture, input: { id: line.product_id } } : null
  const asked = line.qty - line.cancelled_qty
  const parts = partsOf(goods, line)
  const bundle = parts.length > 0 && !line.requires_shipping
  const packed = bundle ? completeBundles(line, goods, 'packed_qty') : line.packed_qty
  const picked = bundle ? completeBundles(line, goods, 'picked_qty') : line.picked_qty
  const done = asked > 0 && packed === asked
  return (
    <div className={`${style.line} ${line.part_of === null ? '' : style.part}`}>
      <ImageView from={from} sku={sku} name={line.name} size={52} />
      <div className={style.lineText}>
        <div className={style.lineName}>
          {line.name}
          {line.variant ? <Text span c="dimmed">{` ${line.variant}`}</Text> : null}
          <ProductLinks company_id={company_id} sku={line.sku} barcode={line.barcode} />
        </div>
        <div className={style.lineMore}>
          {line.of_order ? <StateBadge tone="plain">{t('Order {{number}}', { number: line.of_order })}</StateBadge> : null}
          <span>{sku}</span>
          {line.bin ? <span>{t('Bin {{bin}}', { bin: line.bin })}</span> : null}
          {line.barcode ? <span>{line.barcode}</span> : null}
          {line.weight_g === null ? null : <span>{weight(line.weight_g)}</span>}
          {line.hs_code ? <span>{t('Tariff {{code}}', { code: line.hs_code })}</span> : null}
          {line.origin ? <span>{t('From {{country}}', { country: country(line.origin) })}</span> : null}
          {price ? <span>{price}</span> : null}
          {bundle ? <span>{t('Bundle of {{count}} parts', { count: parts.length })}</span> : null}
          {line.requires_shipping || bundle ? null : <span>{t('Is not sent')}</span>}
          {open && line.requires_shipping ? (
            <Tooltip label={t('Correct weight and customs data')}>
              <ActionIcon size="sm" variant="subtle" aria-label={t('Correct weight and customs data')} onClick={() => setEditing(true)}>
                <IconPencil size={16} />
              </ActionIcon>
            </Tooltip>
          ) : null}
        </div>
        {line.serials.length > 0 ? (
          <div className={style.lineMore}>
            {line.serials.map(serial => (
              <span key={serial}>{t('Serial number {{serial}}', { serial })}</span>
            ))}
          </div>
        ) : null}
        {line.cancelled_qty > 0 ? <StateBadge tone="quiet">{t('{{count}} cancelled', { count: line.cancelled_qty })}</StateBadge> : null}
      </div>
      <dl className={style.quantities}>
        <Quantity name={t('Ordered')} count={line.qty} />
        <Quantity name={t('Picked')} count={picked} />
        <Quantity name={t('Packed')} count={packed} done={done} />
        {line.returned_qty > 0 ? <Quantity name={t('Returned')} count={line.returned_qty} /> : null}
      </dl>
      {editing ? (
        <Suspense>
          <OrderLineForm order_id={order_id} line={line} close={() => setEditing(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

function Quantity({ name, count, done = false }: { name: string; count: number; done?: boolean }) {
  return (
    <div className={style.quantity}>
      <dt>{name}</dt>
      <dd style={done ? { color: 'var(--done)' } : count === 0 ? { color: 'var(--ink-dim)' } : undefined}>{number(count)}</dd>
    </div>
  )
}
