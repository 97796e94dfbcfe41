/** A field for a postcode, which says below it when the text does not look like a postcode of the country. It is saved all the same. */
import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { plainPostcode } from '#domain/order/postcodes.ts'
import { country as countryName } from './format.ts'
import { useT } from './translate.ts'

const doubt = { description: { color: 'var(--soon)' } }

/** `country` is its two-letter code. While the person writes, nothing is said. */
export function PostcodeInput({ country, onBlur, onFocus, ...field }: TextInputProps & { country: string }) {
  const t = useT()
  const [isWriting, setWriting] = useState(false)
  const postcode = String(field.value ?? '').trim()
  const doubtful = !isWriting && !field.error && postcode !== '' && plainPostcode(postcode, country).fits === false
  return (
    <TextInput
      {...field}
      styles={doubt}
      description={doubtful && t('{{postcode}} does not look like a postcode of {{country}}', { postcode, country: countryName(country) })}
      onFocus={event => {
        setWriting(true)
        onFocus?.(event)
      }}
      onBlur={event => {
        setWriting(false)
        onBlur?.(event)
      }}
    />
  )
}
