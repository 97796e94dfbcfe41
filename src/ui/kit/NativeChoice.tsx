/** The browser's own select box with typed choices: it passes on only a value that it offers. */
import { NativeSelect, type NativeSelectProps } from '@mantine/core'

interface NativeChoiceProps<V extends string> extends Omit<NativeSelectProps, 'data' | 'value' | 'onChange'> {
  data: readonly { value: V; label: string }[]
  value: V
  choose: (value: V) => void
}

export function NativeChoice<V extends string>({ data, value, choose, ...rest }: NativeChoiceProps<V>) {
  return (
    <NativeSelect
      {...rest}
      data={[...data]}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = data.find(one => one.value === currentTarget.value)
        if (chosen) choose(chosen.value)
      }}
    />
  )
}
