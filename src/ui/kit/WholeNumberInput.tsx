/** A number without decimals. What is typed stays as it is, and the field says that it takes whole numbers: a sign that is left out makes 15 of 1.5. */
import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'
import { useT } from './translate.ts'

type Typed = string | number

export const isWhole = (typed: Typed): boolean => (typeof typed === 'number' ? Number.isInteger(typed) : !/[.,]/.test(typed))

export function WholeNumberInput({ value, error, onChange, ...field }: NumberInputProps<number>) {
  const t = useT()
  const [typed, setTyped] = useState<Typed | null>(null)
  // A value that was set from outside since replaces what was typed.
  const broken = typed !== null && Number(typed) === Number(value)
  return (
    <NumberInput
      inputMode="numeric"
      {...field}
      value={broken ? typed : value}
      error={broken ? t('A whole number') : error}
      onChange={next => {
        setTyped(isWhole(next) ? null : next)
        onChange?.(next)
      }}
    />
  )
}
