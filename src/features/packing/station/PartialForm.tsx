/** What becomes of the rest: of all of it, of one line after the other, and what the recipient learns of it. */
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { useT } from '#ui/kit/translate.ts'
import { choicesOf } from './choices.rules.ts'
import style from './PackingView.module.css'
import { asksWhatToSay, undecidedLine } from './packing-partial.rules.ts'
import { isDone, missing } from './station.rules.ts'
import parts from './station-parts.module.css'
import { Choices, LinePicture, Prompt, useStation } from './station-parts.tsx'

export default function PartialForm({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch, state, situation } = useStation()
  const line = undecidedLine(order, state.partial)
  return (
    <div className={parts.asking}>
      {asksWhatToSay(state) ? (
        <Prompt
          detail={
            <>
              <LaterBy order={order} />
              <p>{t('It stands on the tracking page of the order.')}</p>
            </>
          }
        >
          {t('Notify the recipient?')}
        </Prompt>
      ) : line ? (
        <Prompt
          eyebrow={t('{{nth}} of {{all}} missing items', nthOf(order, line.order_line_id))}
          detail={[line.variant, line.sku, line.bin].filter(Boolean).join(' · ')}
        >
          <span className={style.ofLine}>
            <LinePicture line={line} size={72} />
            {missing(line)} × {line.name}
          </span>
        </Prompt>
      ) : (
        <Prompt detail={<Missing order={order} />}>{t('What about the rest?')}</Prompt>
      )}
      <Choices choices={choicesOf(state, situation)} onChoose={choice => dispatch(choice.event)} />
    </div>
  )
}

function nthOf({ lines }: PackingOrder, order_line_id: number): { nth: number; all: number } {
  const open = lines.filter(line => !isDone(line))
  return { nth: open.findIndex(line => line.order_line_id === order_line_id) + 1, all: open.length }
}

function Missing({ order }: { order: PackingOrder }) {
  const t = useT()
  const open = order.lines.filter(line => !isDone(line))
  return (
    <>
      <p>{t('{{packed}} of {{to_pack}} items are packed. These are missing:', { packed: order.packed, to_pack: order.to_pack })}</p>
      <ul className={style.missing}>
        {open.slice(0, 6).map(line => (
          <li key={line.order_line_id}>
            {missing(line)} × {line.name}
          </li>
        ))}
        {open.length > 6 ? <li>{t('and {{count}} more lines', { count: open.length - 6 })}</li> : null}
      </ul>
      <LaterBy order={order} />
    </>
  )
}

function LaterBy({ order }: { order: PackingOrder }) {
  const t = useT()
  const { later_by } = order.partial
  return later_by === null ? null : <p>{t('{{name}} has decided that they follow later', { name: later_by })}</p>
}
