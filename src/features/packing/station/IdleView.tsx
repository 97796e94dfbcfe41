/** The station without an open order: the prompt, and a search for people without a scanner. */
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconPrinterOff } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { CameraButton } from '#ui/scanner/CameraButton.tsx'
import { choicesOf } from './choices.rules.ts'
import style from './IdleView.module.css'
import { haveLabel, isGreen, lacksLabel } from './label-state.rules.ts'
import type { LastOrder } from './packing-model.rules.ts'
import { packingStation } from './station.contract.ts'
import parts from './station-parts.module.css'
import { ByKey, Choices, Prompt, useStation } from './station-parts.tsx'

const OrderSearch = lazy(() => import('./OrderSearch.tsx'))

export function IdleView() {
  const t = useT()
  const { dispatch, state, situation } = useStation()
  const { last } = state
  const green = isGreen(state)
  const lacking = lacksLabel(state)
  const unready = !green && !lacking && !situation.hasLabelPrinter
  const choices = choicesOf(state, situation)
  return (
    <section className={`${style.hero} ${green ? style.heroDone : lacking || unready ? style.heroSoon : ''}`}>
      {lacking && last ? (
        <Prompt detail={<NoLabelBecause last={last} />}>
          <IconAlertTriangle className={parts.doneMark} aria-hidden /> {t('No label yet')}
        </Prompt>
      ) : green && last ? (
        <Prompt
          eyebrow={t('Done')}
          detail={
            <>
              {t('Order {{order_no}}', { order_no: last.order.order_no })} · {last.order.customer_name}
              {last.closing.outcome === 'no_parcel' ? <> · {t('Nothing had to be sent')}</> : null}
              <QueueFigures />
            </>
          }
        >
          <IconCheck className={parts.doneMark} aria-hidden /> {t('Scan the next order')}
        </Prompt>
      ) : unready ? (
        <>
          <Prompt detail={t('This station cannot print labels. Orders can be opened and packed.')}>
            <IconPrinterOff className={parts.doneMark} aria-hidden /> {t('Select a label printer')}
          </Prompt>
          <div>
            <Button size="lg" onClick={() => dispatch({ type: 'choose_printer' })} rightSection={<ByKey keys="Enter" />}>
              {t('Select printer')}
            </Button>
          </div>
        </>
      ) : (
        <Prompt detail={<QueueFigures />}>{t('Scan an order code')}</Prompt>
      )}
      {choices.length > 0 ? <Choices choices={choices} onChoose={choice => dispatch(choice.event)} /> : null}
      <div className={style.byHand}>
        <Suspense fallback={<div className={`${style.search} ${style.searchLoads}`} />}>
          <OrderSearch />
        </Suspense>
        <div className={style.cameraOnly}>
          <CameraButton />
        </div>
      </div>
    </section>
  )
}

/** The packed order that has no label, and whether a label exists at all. */
function NoLabelBecause({ last }: { last: LastOrder }) {
  const t = useT()
  const { order_no } = last.order
  if (!haveLabel(last.closing.parcels)) return t('Order {{order_no}} is packed, but it has no label.', { order_no })
  return t('Order {{order_no}} is packed, but its label is not printed yet.', { order_no })
}

export const useQueue = () => useCall(packingStation.queue, {}, { live: ['order', 'packing'], keep: true })

/** How much waits, and what Enter does. */
function QueueFigures() {
  const t = useT()
  const queue = useQueue().data
  if (!queue) return null
  if (queue.waiting === 0) return <p>{t('No order waits to be packed')}</p>
  return (
    <p className={style.figures}>
      <b>{t('{{count}} waiting', { count: queue.waiting })}</b>
      {queue.late > 0 ? <b className={style.late}>{t('{{count}} overdue', { count: queue.late })}</b> : null}
      <span>
        {t('Open oldest')} <ByKey keys="Enter" />
      </span>
    </p>
  )
}
