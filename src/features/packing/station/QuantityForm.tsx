/** How many pieces of the next line lie in the box at once: a case of twelve is one entry. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { missing, nextLine } from './station.rules.ts'
import parts from './station-parts.module.css'
import { ByKey, focusFirst, Prompt, useStation } from './station-parts.tsx'

export default function QuantityForm({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch, state } = useStation()
  const [quantity, setQuantity] = useState<number | ''>('')
  const line = nextLine(order.lines, state.asking)
  if (!line) return null
  return (
    <form
      className={parts.asking}
      onSubmit={event => {
        event.preventDefault()
        if (quantity !== '' && quantity !== 0) dispatch({ type: 'count', order_line_id: line.order_line_id, quantity })
      }}
    >
      <Prompt eyebrow={line.name} detail={t('{{count}} are still missing', { count: missing(line) })}>
        {t('How many are in the box?')}
      </Prompt>
      <div className={parts.fields}>
        <WholeNumberInput
          size="xl"
          hideControls
          min={1}
          max={missing(line)}
          clampBehavior="strict"
          value={quantity}
          onChange={value => setQuantity(typeof value === 'number' ? value : '')}
          aria-label={t('Count of {{name}}', { name: line.name })}
          ref={focusFirst}
        />
      </div>
      <div className={parts.buttons}>
        <Button
          size="lg"
          type="submit"
          {...disabledBecause(quantity === '' && t('Enter a quantity first'))}
          rightSection={<ByKey keys="Enter" />}
        >
          {t('Count')}
        </Button>
        <Button size="lg" variant="default" onClick={() => dispatch({ type: 'back' })} rightSection={<ByKey keys="Esc" />}>
          {t('Back')}
        </Button>
      </div>
    </form>
  )
}
