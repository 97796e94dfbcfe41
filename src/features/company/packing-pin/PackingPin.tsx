/** The packing PIN: whether one is set, a new one, or none. It is never shown again. */
import { Button, Group, PasswordInput, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { confirm } from '#ui/kit/Confirm.tsx'
import { instant } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { packingPin } from './packing-pin.contract.ts'
import { Pin } from './packing-pin.schemas.ts'

export function PackingPin() {
  const t = useT()
  const pin = useCall(packingPin.pin, {})
  const [written, setWritten] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const set = useSend(packingPin.setPin, {
    refreshes: [packingPin.pin],
    said: t('The packing PIN is set'),
    quiet: true,
    done: () => setWritten(''),
  })
  const remove = useSend(packingPin.removePin, { refreshes: [packingPin.pin], said: t('Packing PIN removed') })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const fits = Pin.safeParse(written).success
    setWrong(fits ? null : t('A PIN has 4 to 8 digits'))
    if (fits) set.mutate({ body: { pin: written } })
  }
  const ask = async () => {
    const sure = await confirm({
      title: t('Remove packing PIN?'),
      body: t('Then nothing at the packing station asks for it any more.'),
      action: t('Remove PIN'),
      danger: true,
    })
    if (sure) remove.mutate({})
  }
  return (
    <SettingsSection title={t('Packing PIN')} help={t('Packers need it for what a lead should know of, such as counting by hand.')}>
      <QueryState of={pin} shape="form">
        {answer => (
          <form onSubmit={submit}>
            <Text size="sm" c="dimmed" mb="xs">
              {answer.set && answer.updated_at
                ? t('A PIN is set since {{time}}.', { time: instant(answer.updated_at) })
                : t('No PIN is set.')}
            </Text>
            <Group align="flex-start" gap="xs">
              <PasswordInput
                aria-label={t('New PIN')}
                placeholder={t('4 to 8 digits')}
                inputMode="numeric"
                autoComplete="off"
                maxLength={8}
                w={180}
                value={written}
                error={wrong ?? (set.error ? errorSentence(set.error) : null)}
                onChange={event => setWritten(event.currentTarget.value)}
                visibilityToggleButtonProps={{ 'aria-label': t('Show PIN') }}
              />
              <Button type="submit" variant="default" loading={set.isPending}>
                {answer.set ? t('Replace PIN') : t('Set the PIN')}
              </Button>
              {answer.set ? (
                <Button variant="subtle" color="brick" onClick={() => void ask()} loading={remove.isPending}>
                  {t('Remove')}
                </Button>
              ) : null}
            </Group>
          </form>
        )}
      </QueryState>
    </SettingsSection>
  )
}
