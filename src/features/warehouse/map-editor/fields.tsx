/** Small fields of the map editor: numbers that take effect as they are typed, and the sides of a cell. */
import { Checkbox, Group, type NumberInputProps } from '@mantine/core'
import { sides } from '#features/warehouse/warehouse-maps/drawing.codes.ts'
import type { Side } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { sideArrows, sideLabels } from './map.labels.ts'

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'min' | 'max'> {
  label: string
  value: number
  min: number
  max: number
  set: (value: number) => void
}

/** What is not a number between the two is not taken; leaving the field shows what counts. */
export function NumberField({ value, min, max, set, ...props }: NumberFieldProps) {
  return (
    <WholeNumberInput
      size="xs"
      value={value}
      min={min}
      max={max}
      allowNegative={min < 0}
      clampBehavior="blur"
      onChange={typed => {
        if (typeof typed === 'number' && typed >= min && typed <= max) set(typed)
      }}
      {...props}
    />
  )
}

export function SidesField({ value, set }: { value: readonly Side[]; set: (sides: Side[]) => void }) {
  const t = useT()
  return (
    <Group gap="sm" role="group" aria-label={t('Picked from')}>
      {sides.map(side => (
        <Checkbox
          key={side}
          size="xs"
          radius="xs"
          label={sideArrows[side]}
          aria-label={t(sideLabels[side])}
          title={t(sideLabels[side])}
          checked={value.includes(side)}
          onChange={event => set(sides.filter(one => (one === side ? event.currentTarget.checked : value.includes(one))))}
        />
      ))}
    </Group>
  )
}
