/** The station without an open order: the prompt, and a search for people without a scanner. */
import { Button, CloseButton, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconPrinterOff, IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { access } from '#contract/access.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { CameraButton } from '#ui/scanner/CameraButton.tsx'
import { choicesOf } from './choices.rules.ts'
import style from './IdleView.module.css'
import { haveLabel, isGreen, lacksLabel } from './label-state.rules.ts'
import type { LastOrder } from './packing-model.rules.ts'
import { packingStation } from './station.contract.ts'
import parts from './station-parts.module.css'
import { ByKey, Choices, Prompt, useStation } from './station-parts.tsx'

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
        <OrderSearch />
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

/** Several orders carry what was scanned. */
export function ChooseView() {
  const t = useT()
  const { dispatch, state, situation } = useStation()
  return (
    <div className={parts.middle}>
      <Prompt eyebrow={state.opening} detail={t('Select one, or go back.')}>
        {t('Which order is it?')}
      </Prompt>
      <Choices choices={choicesOf(state, situation)} onChoose={choice => dispatch(choice.event)} />
    </div>
  )
}

/** Finds orders while somebody types; the scanner never types into it. */
function OrderSearch() {
  const t = useT()
  const { dispatch } = useStation()
  const mayLook = useIsAllowed(access.parcels)
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  // The outside system is the person's pause.
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), 250)
    return () => clearTimeout(timer)
  }, [text])
  const words = useCall(orders.search, { query: asked, limit: 7, open: true }, { enabled: mayLook && asked.length > 1, keep: true })
  const exact = useCall(packing.find, { code: asked || '-' }, { enabled: !mayLook && asked.length > 1, keep: true })
  const rows = mayLook
    ? words.data?.rows.map(row => ({ order_id: row.id, order_no: row.order_no, customer_name: row.customer_name, beside: row.city }))
    : exact.data?.orders.map(row => ({
        order_id: row.order_id,
        order_no: row.order_no,
        customer_name: row.customer_name,
        beside: row.company,
      }))
  const shown = asked.length > 1 && text.trim() !== '' ? (rows ?? []) : []
  return (
    <form
      className={style.search}
      onSubmit={event => {
        event.preventDefault()
        const [only, second] = shown
        if (only && !second) dispatch({ type: 'open', order_id: only.order_id, order_no: only.order_no })
        else if (text.trim() !== '') dispatch({ type: 'find', code: text.trim() })
      }}
    >
      <TextInput
        size="md"
        aria-label={t('Find an order')}
        placeholder={mayLook ? t('Order number, name or phone') : t('Or type an order number')}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        leftSection={<IconSearch size={16} />}
        rightSection={text ? <CloseButton aria-label={t('Clear')} onClick={() => setText('')} /> : null}
        autoComplete="off"
        enterKeyHint="go"
      />
      {shown.length > 0 ? (
        <ul className={style.found}>
          {shown.map(row => (
            <li key={row.order_id}>
              <button type="button" onClick={() => dispatch({ type: 'open', order_id: row.order_id, order_no: row.order_no })}>
                <b>{row.order_no}</b>
                <span>{row.customer_name}</span>
                <small>{row.beside}</small>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </form>
  )
}
