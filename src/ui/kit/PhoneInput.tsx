/** A field for a telephone number. The list of prefixes is fetched apart, after the form stands. */
import { TextInput } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { PhoneInputProps } from './PhonePrefixInput.tsx'

const PhonePrefixInput = lazy(() => import('./PhonePrefixInput.tsx').then(module => ({ default: module.PhonePrefixInput })))

export function PhoneInput(props: PhoneInputProps) {
  const { value = '', onChange: _, country: __, ...field } = props
  return (
    <Suspense fallback={<TextInput {...field} value={value} type="tel" readOnly />}>
      <PhonePrefixInput {...props} />
    </Suspense>
  )
}
