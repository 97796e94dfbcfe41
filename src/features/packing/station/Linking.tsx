/** An unknown code becomes a product's: chosen once, and proved by scanning it again. */
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { useT } from '#ui/kit/translate.ts'
import { choicesOf } from './choices.rules.ts'
import parts from './station-parts.module.css'
import { Choices, LinePicture, Prompt, useStation } from './station-parts.tsx'

export default function Linking({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch, state, situation } = useStation()
  if (!state.linking) return null
  const { code, line_id } = state.linking
  const line = order.lines.find(one => one.order_line_id === line_id)
  return (
    <div className={parts.asking}>
      <Prompt eyebrow={<code>{code}</code>} detail={line ? line.name : t('From then on this code means that product.')}>
        {line ? t('Scan again to confirm') : t('Which product is it?')}
      </Prompt>
      {line ? (
        <LinePicture line={line} size={180} />
      ) : (
        <Choices choices={choicesOf(state, situation)} onChoose={choice => dispatch(choice.event)} lines={order.lines} />
      )}
    </div>
  )
}
