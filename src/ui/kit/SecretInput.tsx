/** A secret that can be written and never read again; only its last four characters are shown. */
import { Button, Group, Input, PasswordInput, Text } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { useT } from './translate.ts'

export interface SecretInputProps {
  label: string
  description?: ReactNode
  /** The last four characters of what is stored; null when nothing is. */
  last4: string | null
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  /** Removes the stored secret; without it the secret can only be replaced. */
  remove?: () => void
}

export function SecretInput({ label, description, last4, value, onChange, error, remove }: SecretInputProps) {
  const t = useT()
  const id = useId()
  const [replacing, setReplacing] = useState(false)
  if (last4 === null || replacing || value !== '') {
    return (
      <PasswordInput
        label={label}
        description={description}
        value={value}
        error={error}
        onChange={event => onChange(event.currentTarget.value)}
        autoComplete="new-password"
        data-1p-ignore
        visibilityToggleButtonProps={{ 'aria-label': t('Show what is typed') }}
        spellCheck={false}
        {...(replacing ? { autoFocus: true, onBlur: () => value === '' && setReplacing(false) } : {})}
      />
    )
  }
  return (
    <Input.Wrapper label={label} description={description} error={error} id={id} labelElement="div">
      <Group gap="xs" mt={4}>
        <Text ff="monospace" aria-label={t('Stored, ends with {{last4}}', { last4 })}>
          •••• •••• {last4}
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => setReplacing(true)}>
          {t('Replace')}
        </Button>
        {remove ? (
          <Button size="compact-sm" variant="subtle" color="brick" onClick={remove}>
            {t('Remove')}
          </Button>
        ) : null}
      </Group>
    </Input.Wrapper>
  )
}
