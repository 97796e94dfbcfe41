/** A telephone number with the list of international prefixes beside it. The value stays one text: `+45 12 34 56 78`. */
import { TextInput, type TextInputProps } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { joinPhone, phonePrefixes, splitPhone } from '#domain/phone-prefixes.ts'
import { useSession } from '#ui/query/session.ts'
import { compare, country as countryName } from './format.ts'
import style from './PhonePrefixInput.module.css'
import { useT } from './translate.ts'

export interface PhoneInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'leftSection' | 'leftSectionWidth'> {
  value?: string
  onChange?: (value: string) => void
  /** The country whose prefix an empty field begins with. */
  country?: string | null
}

/** The company's own choice stands first, in its order. */
const rankOf = (first: readonly string[] = [], code: string): number => {
  const at = first.indexOf(code)
  return at === -1 ? first.length : at
}

export function PhonePrefixInput({ value = '', onChange, country, ...props }: PhoneInputProps) {
  const t = useT()
  // What an empty field shows is not kept in the value.
  const [chosen, setChosen] = useState<string | null>(null)
  const settings = useSession()?.init.settings
  const preferred = chosen ?? (country || settings?.home_country)
  const split = splitPhone(value, preferred)
  const shown = value === '' ? (preferred ?? null) : split.country
  const prefix = shown === null ? undefined : phonePrefixes.get(shown)
  const countries = useMemo(
    () =>
      [...phonePrefixes]
        .map(([code, digits]) => ({ code, label: `${countryName(code)} +${digits}` }))
        .sort(
          (one, other) =>
            rankOf(settings?.phone_countries, one.code) - rankOf(settings?.phone_countries, other.code) || compare(one.label, other.label),
        ),
    [settings],
  )
  return (
    <TextInput
      {...props}
      type="tel"
      value={split.number}
      onChange={event => onChange?.(joinPhone({ country: shown, number: event.currentTarget.value }))}
      leftSectionWidth={72}
      leftSection={
        <span className={style.prefix}>
          {prefix ? `+${prefix}` : '+'}
          <IconChevronDown size={16} aria-hidden />
          <select
            aria-label={t('Country code')}
            value={shown ?? ''}
            disabled={props.disabled}
            onChange={event => {
              const next = event.currentTarget.value || null
              setChosen(next)
              onChange?.(joinPhone({ country: next, number: split.number }))
            }}
          >
            <option value="">{t('No country code')}</option>
            {countries.map(({ code, label }) => (
              <option key={code} value={code}>
                {label}
              </option>
            ))}
          </select>
        </span>
      }
    />
  )
}
