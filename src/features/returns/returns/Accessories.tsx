/** The parts that belong to a returned item, to tick. */
import { Checkbox, Group } from '@mantine/core'
import { useT } from '#ui/kit/translate.ts'
import type { ReturnItem } from './returns.schemas.ts'

interface AccessoriesProps {
  item: Pick<ReturnItem, 'accessories'>
  ticked: string[]
  tick: (names: string[]) => void
}

export function Accessories({ item, ticked, tick }: AccessoriesProps) {
  const t = useT()
  if (item.accessories.length === 0) return null
  return (
    <Checkbox.Group label={t('Accessories')} value={ticked} onChange={tick}>
      <Group gap="md" mt={4}>
        {item.accessories.map(({ name }) => (
          <Checkbox key={name} value={name} label={name} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}
