/** The red screen after a wrong, surplus or unknown scan. */
import { Button } from '@mantine/core'
import { access } from '#contract/access.ts'
import { products } from '#features/catalog/products/products.contract.ts'
import type { PackingOrder, ScanResult } from '#features/packing/packing/packing.schemas.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import style from './ScanError.module.css'
import { nextLine } from './station.rules.ts'
import { LinePicture, useSay, useStation } from './station-parts.tsx'

const wrongTitles: Partial<Record<ScanResult, string>> = {
  wrong: 'Wrong item',
  wrong_shop: 'Wrong shop',
  unknown: 'Unknown barcode',
  over: 'Too many',
  serial_refused: 'Not this serial number',
  blocked_label: 'Do not use this label',
}

/** The title and the scanned code say it already. */
const titleAgain = 'Unknown barcode: {{code}}'

/** The red screen: what was scanned, and what is expected. */
export function ScanError({ order }: { order: PackingOrder }) {
  const t = useT()
  const say = useSay()
  const { dispatch, state } = useStation()
  const mayLink = useIsAllowed(access.scanAdmin)
  const { wrong } = state
  if (!wrong) return null
  const expected = nextLine(order.lines, state.asking)
  const meant = wrong.product ?? null
  const surplus = wrong.result === 'over' ? order.lines.find(one => one.order_line_id === wrong.line?.order_line_id) : undefined
  const serial = wrong.result === 'serial_refused'
  const label = wrong.result === 'blocked_label'
  return (
    <div className={style.wrong} role="alert">
      <h2>{t(wrongTitles[wrong.result] ?? 'Stop')}</h2>
      {wrong.text === titleAgain ? null : <p className={style.wrongText}>{say(wrong)}</p>}
      <div className={style.versus}>
        <figure>
          <figcaption>{t('You scanned')}</figcaption>
          {meant ? (
            <ImageView
              from={meant.has_picture ? { call: products.picture, input: { id: meant.product_id } } : null}
              sku={meant.sku}
              name={meant.name}
              size="100%"
            />
          ) : surplus ? (
            <LinePicture line={surplus} size="100%" />
          ) : (
            <div className={style.rawCode}>
              <code>{wrong.code}</code>
            </div>
          )}
          <b>{meant?.name ?? surplus?.name ?? (serial || label ? null : t('No known product'))}</b>
          <small>{meant?.sku ?? [surplus?.variant, surplus?.sku].filter(Boolean).join(' · ')}</small>
        </figure>
        {expected ? (
          <figure>
            <figcaption>{serial ? t('Scan the serial number of') : t('Next is')}</figcaption>
            <LinePicture line={expected} size="100%" />
            <b>{expected.name}</b>
            <small>{[expected.variant, expected.sku, expected.bin].filter(Boolean).join(' · ')}</small>
          </figure>
        ) : null}
      </div>
      <p className={style.wrongWay}>
        {serial
          ? t('Scan the serial number of this item, or go back.')
          : label
            ? t('Take this label off its parcel, then go on.')
            : t('Scan the right item, or go back.')}
        {wrong.result === 'unknown' && mayLink && order.lines.some(one => one.product_id !== null) ? (
          <Button variant="white" c="var(--on-signal-soon)" onClick={() => dispatch({ type: 'begin_linking', code: wrong.code })}>
            {t('Link to product')}
          </Button>
        ) : null}
      </p>
    </div>
  )
}
