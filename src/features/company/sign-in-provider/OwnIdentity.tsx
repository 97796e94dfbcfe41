/** The field for the own password, with what users who sign in without one do instead. */
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { hasPasskeys, provePasskey } from '#features/company/users/passkeys.client.ts'
import { time } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useCommand } from '#ui/query/calls.ts'
import { identityProofs } from './identity-proofs.contract.ts'
import { goToProvider } from './provider-return.client.ts'

/** Milliseconds between two looks at whether the proof still holds. */
const every = 30_000

/** `field`: the props of the field of the form, `edit.of('password')`. A proof that holds leaves it empty. */
export function OwnIdentity({ field, focused = false }: { field: { error?: ReactNode }; focused?: boolean }) {
  const t = useT()
  const proof = useCall(identityProofs.get, {}, { every, live: ['user'] })
  const passkey = useCommand(
    async () => {
      const { challenge_id, options } = await send(identityProofs.passkeyOptions, {})
      return send(identityProofs.passkey, { body: { challenge_id, passkey: await provePasskey(options) } })
    },
    { refreshes: [identityProofs.get] },
  )
  const provider = useCommand(async () => goToProvider({ purpose: 'prove', ...(await send(identityProofs.startProvider, {})) }))
  const until = proof.data?.proved_until ?? null
  if (until !== null && !field.error)
    return <Text size="sm">{t('You have shown who you are. No password is needed until {{time}}.', { time: time(until) })}</Text>
  const byPasskey = (proof.data?.passkey ?? false) && hasPasskeys()
  const at = proof.data?.provider ?? null
  return (
    <Stack gap="xs">
      <PasswordInput
        label={t('Your password')}
        autoComplete="current-password"
        {...(focused && { 'data-autofocus': true })}
        visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
        {...field}
      />
      {byPasskey || at !== null ? (
        <Group gap="xs">
          {byPasskey ? (
            <Button size="compact-md" variant="default" loading={passkey.isPending} onClick={() => passkey.mutate()}>
              {t('Use passkey')}
            </Button>
          ) : null}
          {at === null ? null : (
            <Button size="compact-md" variant="default" loading={provider.isPending} onClick={() => provider.mutate()}>
              {t('Sign in again at {{provider}}', { provider: at })}
            </Button>
          )}
        </Group>
      ) : null}
    </Stack>
  )
}
