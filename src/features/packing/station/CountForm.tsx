/** Counting by hand, where the product has no barcode or the person has the right. */
import { ActionIcon, Button } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { PackingLine } from '#features/packing/packing/packing.schemas.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import style from './NextItem.module.css'
import { missing } from './station.rules.ts'
import { ByKey, useStation } from './station-parts.tsx'

export function CountForm({ line }: { line: PackingLine }) {
  const t = useT()
  const { dispatch } = useStation()
  const [typed, setTyped] = useState<number | ''>('')
  const left = missing(line)
  return (
    <form
      className={style.countByHand}
      onSubmit={event => {
        event.preventDefault()
        if (typed !== '' && typed !== 0) dispatch({ type: 'count', order_line_id: line.order_line_id, quantity: typed })
        setTyped('')
      }}
    >
      <ActionIcon
        size="xl"
        variant="default"
        aria-label={t('One less')}
        {...disabledBecause(line.packed_qty === 0 && t('None is packed yet'))}
        onClick={() => dispatch({ type: 'count', order_line_id: line.order_line_id, quantity: -1 })}
      >
        <IconMinus size={20} />
      </ActionIcon>
      <WholeNumberInput
        w="8rem"
        size="md"
        hideControls
        min={-line.packed_qty}
        max={left}
        clampBehavior="strict"
        value={typed}
        onChange={value => setTyped(typeof value === 'number' ? value : '')}
        placeholder={t('How many')}
        aria-label={t('Count of {{name}}', { name: line.name })}
      />
      <ActionIcon
        size="xl"
        variant="default"
        aria-label={t('One more')}
        onClick={() => dispatch({ type: 'count', order_line_id: line.order_line_id, quantity: 1 })}
      >
        <IconPlus size={20} />
      </ActionIcon>
      {typed !== '' ? (
        <Button type="submit" size="md">
          {t('Count {{quantity}}', { quantity: typed })}
        </Button>
      ) : line.no_barcode ? (
        <Button
          size="md"
          onClick={() => dispatch({ type: 'count', order_line_id: line.order_line_id, quantity: left })}
          rightSection={<ByKey keys="Enter" />}
        >
          {t('Count all {{quantity}}', { quantity: left })}
        </Button>
      ) : null}
    </form>
  )
}
