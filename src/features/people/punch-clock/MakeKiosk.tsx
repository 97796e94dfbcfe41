/** A tablet becomes the kiosk: it signs in as a device of its own, and the person who set it up is signed out. */
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { access } from '#contract/access.ts'
import { limits } from '#contract/limits.ts'
import { deviceSessions } from '#features/company/session/device-sessions.contract.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCommand } from '#ui/query/calls.ts'
import { startSession, useIsAllowed, useSession } from '#ui/query/session.ts'

export function MakeKiosk() {
  const t = useT()
  const may = useIsAllowed(access.users)
  const session = useSession()
  const [name, setName] = useState<string | null>(null)
  const make = useCommand(
    async (given: string) => {
      const begun = await send(deviceSessions.begin, { body: { name: given, preset: 'kiosk' } })
      await startSession(begun, async () => undefined)
      // Everything that was read for the person is forgotten.
      location.reload()
    },
    { quiet: true },
  )
  if (!may || session?.user.device) return null
  return (
    <>
      <Button variant="subtle" color="gray" onClick={() => setName(t('Kiosk'))}>
        {t('Make this a kiosk')}
      </Button>
      <Dialog opened={name !== null} onClose={() => setName(null)} title={t('Make this device a kiosk')}>
        <form
          onSubmit={event => {
            event.preventDefault()
            make.mutate((name ?? '').trim())
          }}
        >
          <Stack gap="md">
            <Text size="sm">
              {t('It stays signed in as a device and only clocks people in, inside the warehouse network. You are signed out here.')}
            </Text>
            <TextInput
              label={t('Name')}
              data-autofocus
              maxLength={limits.name}
              value={name ?? ''}
              error={make.error ? errorSentence(make.error) : undefined}
              onChange={event => setName(event.currentTarget.value)}
            />
            <Button type="submit" loading={make.isPending} {...disabledBecause((name ?? '').trim() === '' && t('Enter a name first'))}>
              {t('Make this a kiosk')}
            </Button>
          </Stack>
        </form>
      </Dialog>
    </>
  )
}
