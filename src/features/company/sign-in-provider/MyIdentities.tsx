/** In the own settings: accounts at the provider of the company, by which one signs in. */
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import * as z from 'zod'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { instant } from '#ui/kit/format.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { goToProvider } from './provider-return.client.ts'
import { signInProvider } from './sign-in-provider.contract.ts'
import type { Identity } from './sign-in-provider.schemas.ts'

export function MyIdentities() {
  const t = useT()
  const mine = useCall(signInProvider.mine, {}, { live: ['user'] })
  const [asked, setAsked] = useState<{ identity: Identity | null } | null>(null)
  const close = () => setAsked(null)
  // Where the company has no provider there is nothing to connect, and no section.
  if (!mine.data || (mine.data.provider === null && mine.data.identities.length === 0)) return null
  const { provider, identities } = mine.data
  return (
    <SettingsSection title={t('Company account')} help={t('You sign in with your account at the provider of your company.')}>
      <Stack gap="sm">
        {identities.map(identity => (
          <Group key={identity.id} justify="space-between" gap="sm" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" truncate title={`${identity.issuer} ${identity.subject}`}>
                {new URL(identity.issuer).host} · {identity.subject}
              </Text>
              <Text size="xs" c="dimmed" component="div">
                {identity.last_used_at === null ? (
                  t('Connected {{when}}', { when: instant(identity.linked_at) })
                ) : (
                  <>
                    {t('Last used')} <RelativeTime at={identity.last_used_at} as="age" />
                  </>
                )}
              </Text>
            </div>
            <Button size="compact-sm" variant="subtle" color="brick" onClick={() => setAsked({ identity })}>
              {t('Disconnect')}
            </Button>
          </Group>
        ))}
        {identities.length === 0 ? <Text size="sm">{t('No account connected')}</Text> : null}
        {provider === null ? null : (
          <Group>
            <Button variant="default" onClick={() => setAsked({ identity: null })}>
              {t('Connect account')}
            </Button>
          </Group>
        )}
      </Stack>
      {asked ? <AskPassword identity={asked.identity} close={close} /> : null}
    </SettingsSection>
  )
}

const Password = z.object({ password: z.string().min(1, 'Fill this in') })

function AskPassword({ identity, close }: { identity: Identity | null; close: () => void }) {
  const t = useT()
  const edit = useEdit({
    schema: Password,
    initial: { password: '' },
    save: async body => {
      if (identity) await send(signInProvider.unlink, { id: identity.id, body })
      else goToProvider({ purpose: 'link', ...(await send(signInProvider.startLink, { body })) })
    },
    refreshes: [signInProvider.mine],
    done: () => {
      if (!identity) return
      toastSuccess(t('Account disconnected'))
      close()
    },
  })
  const title = identity ? t('Disconnect account?') : t('Connect account')
  return (
    <Dialog opened onClose={close} title={title}>
      <Form edit={edit} action={identity ? t('Disconnect') : t('Continue')} cancel={close} unguarded>
        <PasswordInput
          label={t('Present password')}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
          {...edit.of('password')}
        />
      </Form>
    </Dialog>
  )
}
