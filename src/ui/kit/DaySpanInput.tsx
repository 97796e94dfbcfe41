/** A first and a last day in the past, both included. */
import { Group, TextInput } from '@mantine/core'
import { today } from './format.ts'
import { useT } from './translate.ts'

export interface DaySpan {
  from: string
  to: string
}

export function DaySpanInput({ value, min, onChange }: { value: DaySpan; min?: string; onChange: (span: DaySpan) => void }) {
  const t = useT()
  const ends = { type: 'date', max: today() } as const
  return (
    <Group grow>
      <TextInput
        {...ends}
        label={t('From')}
        value={value.from}
        min={min}
        onChange={event => onChange({ ...value, from: event.currentTarget.value })}
      />
      <TextInput
        {...ends}
        label={t('Until')}
        value={value.to}
        min={value.from || min}
        onChange={event => onChange({ ...value, to: event.currentTarget.value })}
      />
    </Group>
  )
}
