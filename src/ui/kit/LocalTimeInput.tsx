/** A box for a day and a time on the company's clock; `instantOf` reads what it holds. Where this device's clock shows another time, it says so. */
import { TextInput, type TextInputProps } from '@mantine/core'
import { otherZone } from './format.ts'
import { useT } from './translate.ts'

export function LocalTimeInput({ description, ...props }: Omit<TextInputProps, 'description'> & { description?: string }) {
  const t = useT()
  const zone = otherZone()
  return (
    <TextInput
      type="datetime-local"
      description={
        zone === null ? (
          description
        ) : (
          <>
            {description ? `${description.replace(/[.]?$/, '.')} ` : null}
            <strong>{t('Enter it by the company’s clock: {{zone}}.', { zone })}</strong>
          </>
        )
      }
      {...props}
    />
  )
}
