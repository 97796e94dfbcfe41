/** Fields of a connection: keys of the shop system, its own settings, and those that all systems share. */
import { Autocomplete, NativeSelect, PasswordInput, Stack, Switch, TextInput } from '@mantine/core'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { useT } from '#ui/kit/translate.ts'
import type { PushMoment } from './shop-connections.codes.ts'
import type { ConnectorFieldRow, SystemRow } from './shop-connections.schemas.ts'

export type FieldValues = Readonly<Record<string, string>>

interface FieldsProps {
  fields: readonly ConnectorFieldRow[]
  values: FieldValues
  change: (name: string, value: string) => void
  /** By the names of the fields. */
  errors: FieldValues
  /** What is stored stays where nothing is typed. */
  stored?: boolean
  statuses?: readonly { code: string; name: string }[]
}

export function ConnectorFields({ fields, values, change, errors, stored = false, statuses = [] }: FieldsProps) {
  const t = useT()
  return (
    <Stack gap="md">
      {fields.map(({ name, label, hint, secret, required, choices, status }) => {
        const shared = {
          label: t(label),
          description: hint === null ? undefined : t(hint),
          error: errors[name] === undefined ? undefined : t(errors[name]),
          value: values[name] ?? '',
          autoCapitalize: 'none',
          autoComplete: 'off',
          spellCheck: false,
        }
        if (choices.length > 0)
          return (
            <NativeSelect
              key={name}
              {...shared}
              data={choices.map(choice => ({ value: choice.value, label: t(choice.name) }))}
              onChange={event => change(name, event.currentTarget.value)}
            />
          )
        if (secret)
          return (
            <PasswordInput
              key={name}
              {...shared}
              autoComplete="new-password"
              data-1p-ignore
              visibilityToggleButtonProps={{ 'aria-label': t('Show what is typed') }}
              required={required && !stored}
              {...(stored && { placeholder: t('Stored – type to replace it') })}
              onChange={event => change(name, event.currentTarget.value)}
            />
          )
        if (status)
          return <Autocomplete key={name} {...shared} data={statuses.map(({ code }) => code)} onChange={value => change(name, value)} />
        return (
          <TextInput
            key={name}
            {...shared}
            required={required && !stored}
            maxLength={2_000}
            onChange={event => change(name, event.currentTarget.value)}
          />
        )
      })}
    </Stack>
  )
}

/** The settings of every system, where it can do what they say. */
export function CommonSettings({ system, values, change }: { system: SystemRow; values: FieldValues; change: FieldsProps['change'] }) {
  const t = useT()
  const moments: { value: PushMoment; label: string }[] = [
    { value: 'packed', label: t('When the order is packed') },
    { value: 'handed_over', label: t('When the courier has the parcel') },
  ]
  return (
    <Stack gap="md">
      <NativeChoice
        label={t('Report parcels to the shop')}
        data={moments}
        value={values.push_at === 'handed_over' ? 'handed_over' : 'packed'}
        choose={value => change('push_at', value)}
      />
      {system.notifies_customer ? (
        <Switch
          label={t('The shop tells the customer')}
          description={t('Off: the shop sends no mail about the parcel where it can be asked not to.')}
          checked={values.notify_customer === 'true'}
          onChange={event => change('notify_customer', String(event.currentTarget.checked))}
        />
      ) : null}
      {system.cancels ? (
        <Switch
          label={t('Cancel in the shop too')}
          description={system.cancel_warning === null ? t('An order that is cancelled here is cancelled there.') : t(system.cancel_warning)}
          checked={values.cancel_in_shop === 'true'}
          onChange={event => change('cancel_in_shop', String(event.currentTarget.checked))}
        />
      ) : null}
    </Stack>
  )
}

/** Errors of a refused call by the names of the fields of one part, such as `credentials`. */
export const errorsOf = (fields: FieldValues, part: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([path, words]) => {
      const name = path.replace(/^body\./, '')
      return name.startsWith(`${part}.`) ? [[name.slice(part.length + 1), words]] : []
    }),
  )
