/** What rules added to an order: apart from its lines, since the shop did not sell it. */
import { Text } from '@mantine/core'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { additionalProducts } from './additional-products.contract.ts'
import { additionStateLabels, skipLabels } from './additional-products.labels.ts'
import type { OrderAddition } from './additional-products.schemas.ts'
import style from './OrderAdditions.module.css'

const tones = { planned: 'plain', packed: 'done', skipped: 'quiet', blocked: 'soon', released: 'quiet' } as const

export default function OrderAdditions({ order_id }: { order_id: number }) {
  const t = useT()
  const { data } = useCall(additionalProducts.ofOrder, { id: order_id }, { live: [{ topic: 'order', id: order_id }] })
  if (!data || data.rows.length === 0) return null
  return (
    <Panel title={t('Added by rules')} flush place={1}>
      {data.rows.map(row => (
        <div key={row.id} className={style.row}>
          <ImageView
            from={row.has_image ? { call: additionalProducts.picture, input: { id: row.additional_product_id } } : null}
            sku={row.barcode ?? ''}
            name={row.name}
            version={row.version}
            size={52}
          />
          <div className={style.what}>
            <Text fw={500}>{t('{{qty}} × {{name}}', { qty: row.qty, name: row.name })}</Text>
            <Text size="sm" c="dimmed">
              {moreOf(row, t)}
            </Text>
          </div>
          <StateBadge tone={tones[row.state]}>{t(additionStateLabels[row.state])}</StateBadge>
        </div>
      ))}
    </Panel>
  )
}

function moreOf({ state, skip_reason, decided_by, bin }: OrderAddition, t: ReturnType<typeof useT>): string {
  if (state === 'blocked') return t('The parcel passes customs, and no HS code and value are entered.')
  const place = bin === null ? '' : t('Bin {{bin}}', { bin })
  return [skip_reason ? t(skipLabels[skip_reason]) : place, decided_by ?? ''].filter(Boolean).join(' · ')
}
