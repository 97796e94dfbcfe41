/** The next item, as large as the screen allows. */
import { Button } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { access } from '#contract/access.ts'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { useT } from '#ui/kit/translate.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import style from './NextItem.module.css'
import { missing, nextLine } from './station.rules.ts'
import parts from './station-parts.module.css'
import { ByKey, LinePicture, Prompt, useStation } from './station-parts.tsx'

const PackSerials = lazy(() => import('./PackSerials.tsx'))
const TypedSerial = lazy(() => import('./TypedSerial.tsx'))
const CountForm = lazy(() => import('./CountForm.tsx').then(module => ({ default: module.CountForm })))

/** Up to so many pieces are shown as marks. */
const mostPips = 6

export function NextItem({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch, state } = useStation()
  const mayCount = useIsAllowed(access.scanAdmin)
  const line = nextLine(order.lines, state.asking)
  if (!line)
    return (
      <div className={`${parts.asking} ${state.forecast ? style.waits : ''}`}>
        <Prompt
          detail={
            order.to_pack === 0
              ? t('This order holds nothing that has to be sent.')
              : state.forecast
                ? t('The label is made once the connection is back.')
                : null
          }
        >
          {order.to_pack === 0 ? t('No items to pack') : t('Everything is packed')}
        </Prompt>
        <div hidden={state.forecast !== null}>
          <Button size="lg" onClick={() => dispatch({ type: 'primary' })} rightSection={<ByKey keys="Enter" />}>
            {t('Close order')}
          </Button>
        </div>
      </div>
    )
  const serial = state.asking === line.order_line_id
  return (
    <div className={`${style.now} ${serial ? style.nowSerial : ''}`} key={line.order_line_id}>
      <div className={style.nowPicture}>
        <LinePicture line={line} size="100%" />
      </div>
      <div className={style.nowWords}>
        <p className={parts.eyebrow}>
          {serial ? t('Now its serial number') : line.no_barcode && !line.needs_serial ? t('No barcode: count by hand') : t('Scan next')}
        </p>
        <h2>{serial ? t('Scan the serial number') : line.name}</h2>
        <p className={style.nowMeta}>
          {serial ? <b>{line.name}</b> : null}
          {line.variant ? <b className={style.variant}>{line.variant}</b> : null}
          {line.sku ? <code>{line.sku}</code> : null}
        </p>
        <div className={style.nowFacts}>
          {line.bin ? <span className={parts.bigBin}>{line.bin}</span> : null}
          {/* Of a single piece there is nothing to count. */}
          {line.qty > 1 ? (
            <span className={style.count}>
              <b>
                {state.forecast?.unconfirmed.includes(line.order_line_id) ? <Unconfirmed /> : null}
                {missing(line)}
              </b>
              <span>{t('of {{qty}} left', { qty: line.qty })}</span>
              {line.qty <= mostPips ? (
                <span className={style.pips} aria-hidden>
                  {'●'.repeat(line.packed_qty)}
                  {'○'.repeat(missing(line))}
                </span>
              ) : null}
            </span>
          ) : null}
        </div>
        {serial && order.pack ? (
          <Suspense>
            <PackSerials pack={order.pack} />
          </Suspense>
        ) : null}
        {serial && order.may_type_serials ? (
          <Suspense>
            <TypedSerial key={`${line.order_line_id} ${state.answers}`} line={line} />
          </Suspense>
        ) : null}
        {!line.needs_serial && (line.no_barcode || mayCount) ? (
          <Suspense>
            <CountForm line={line} />
          </Suspense>
        ) : null}
      </div>
    </div>
  )
}

/** A count that the server has not confirmed. */
function Unconfirmed() {
  const t = useT()
  return (
    <span role="img" aria-label={t('Not confirmed yet')} title={t('Not confirmed yet')}>
      ◌{' '}
    </span>
  )
}
