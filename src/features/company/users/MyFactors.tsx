/** In the own settings: the code app with its recovery codes, and passkeys. */
import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import * as z from 'zod'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { instant } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useCommand } from '#ui/query/calls.ts'
import { changeUser } from '#ui/query/session.ts'
import { hasPasskeys, makePasskey } from './passkeys.client.ts'
import { mostPasskeys } from './second-factors.codes.ts'
import { secondFactors } from './second-factors.contract.ts'
import type { Passkey, SecondFactors, TotpSecret } from './second-factors.schemas.ts'
import { RecoveryCodes, TotpSetup } from './TotpSetup.tsx'

const refreshes = [secondFactors.mine]

export function MyFactors() {
  const t = useT()
  const mine = useCall(secondFactors.mine, {}, { live: ['user'] })
  return (
    <>
      <SettingsSection
        title={t('Code app')}
        help={t('After your password you type a code from an app on your phone. Somebody who knows your password cannot sign in alone.')}
      >
        <QueryState of={mine} shape="form">
          {factors => <CodeApp factors={factors} />}
        </QueryState>
      </SettingsSection>
      <SettingsSection
        title={t('Passkeys')}
        help={t('You sign in with the finger, face or PIN of your device, without a password. A passkey works at this address alone.')}
      >
        <QueryState of={mine} shape="rows">
          {factors => <Passkeys passkeys={factors.passkeys} />}
        </QueryState>
      </SettingsSection>
    </>
  )
}

type Step =
  | { at: 'password'; why: 'setup' | 'codes' | 'remove' }
  | { at: 'setup'; totp: TotpSecret }
  | { at: 'codes'; codes: readonly string[] }

function CodeApp({ factors }: { factors: SecondFactors }) {
  const t = useT()
  const [step, setStep] = useState<Step | null>(null)
  const close = () => setStep(null)
  const { totp_since, recovery_left, required } = factors
  const start = useCommand((password: string) => send(secondFactors.startTotp, { body: { password } }), { quiet: true })
  const confirm = useCommand((body: { challenge_id: string; code: string }) => send(secondFactors.confirmTotp, { body }), {
    quiet: true,
    refreshes,
    done: () => changeUser({ second_factor_by: null }),
  })
  const renew = useCommand((password: string) => send(secondFactors.newRecoveryCodes, { body: { password } }), { quiet: true, refreshes })
  const remove = useCommand((password: string) => send(secondFactors.removeTotp, { body: { password } }), {
    quiet: true,
    refreshes,
    said: t('Code app removed'),
  })
  const withPassword = {
    setup: {
      title: t('Set up code app'),
      action: t('Continue'),
      send: async (password: string) => setStep({ at: 'setup', totp: await start.mutateAsync(password) }),
    },
    codes: {
      title: t('Make new recovery codes'),
      action: t('Make codes'),
      send: async (password: string) => setStep({ at: 'codes', codes: (await renew.mutateAsync(password)).recovery_codes }),
    },
    remove: {
      title: t('Remove code app'),
      action: t('Remove code app'),
      send: async (password: string) => {
        await remove.mutateAsync(password)
        close()
      },
    },
  }
  return (
    <Stack gap="sm" align="flex-start">
      {totp_since === null ? (
        <Group gap="xs">
          <Text size="sm">{t('Not set up')}</Text>
          {required ? <StateBadge tone="soon">{t('Needed')}</StateBadge> : null}
        </Group>
      ) : (
        <>
          <Group gap="xs">
            <StateBadge tone="done">{t('On')}</StateBadge>
            <Text size="sm">{t('Since {{when}}', { when: instant(totp_since) })}</Text>
          </Group>
          <Text size="sm">{t('{{count}} recovery codes left', { count: recovery_left })}</Text>
        </>
      )}
      <Group gap="xs">
        <Button variant="default" onClick={() => setStep({ at: 'password', why: 'setup' })}>
          {totp_since === null ? t('Set up code app') : t('Change app')}
        </Button>
        {totp_since === null ? null : (
          <>
            <Button variant="default" onClick={() => setStep({ at: 'password', why: 'codes' })}>
              {t('New recovery codes')}
            </Button>
            <Button variant="subtle" color="brick" onClick={() => setStep({ at: 'password', why: 'remove' })}>
              {t('Remove')}
            </Button>
          </>
        )}
      </Group>
      {step?.at === 'password' ? <PasswordDialog key={step.why} {...withPassword[step.why]} close={close} /> : null}
      {step?.at === 'setup' ? (
        <Dialog opened onClose={close} title={t('Set up code app')}>
          <TotpSetup
            secret={step.totp.secret}
            uri={step.totp.uri}
            confirm={async code => {
              const { recovery_codes } = await confirm.mutateAsync({ challenge_id: step.totp.challenge_id, code })
              setStep({ at: 'codes', codes: recovery_codes })
            }}
          />
        </Dialog>
      ) : null}
      {step?.at === 'codes' ? (
        // Closed by its button alone: the codes are never shown again.
        <Dialog opened onClose={() => undefined} withCloseButton={false} title={t('Recovery codes')}>
          <RecoveryCodes codes={step.codes} done={close} />
        </Dialog>
      ) : null}
    </Stack>
  )
}

function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }) {
  const t = useT()
  const [asked, setAsked] = useState<{ what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey } | null>(null)
  const close = () => setAsked(null)
  const supported = hasPasskeys()
  return (
    <Stack gap="sm">
      {passkeys.map(passkey => (
        <Group key={passkey.id} justify="space-between" gap="sm">
          <div style={{ minWidth: 0 }}>
            <Text size="sm" truncate>
              {passkey.name}
            </Text>
            <Text size="xs" c="dimmed" component="div">
              {passkey.last_used_at === null ? (
                t('Added {{when}}', { when: instant(passkey.created_at) })
              ) : (
                <>
                  {t('Last used')} <RelativeTime at={passkey.last_used_at} as="age" />
                </>
              )}
            </Text>
          </div>
          <Group gap="xs">
            <Button size="compact-sm" variant="default" onClick={() => setAsked({ what: 'rename', passkey })}>
              {t('Rename')}
            </Button>
            <Button size="compact-sm" variant="subtle" color="brick" onClick={() => setAsked({ what: 'remove', passkey })}>
              {t('Remove')}
            </Button>
          </Group>
        </Group>
      ))}
      {passkeys.length === 0 ? <Text size="sm">{t('No passkeys yet')}</Text> : null}
      {supported ? (
        <Group>
          <Button
            variant="default"
            {...disabledBecause(passkeys.length >= mostPasskeys && t('There are {{count}} already', { count: mostPasskeys }))}
            onClick={() => setAsked({ what: 'add' })}
          >
            {t('Add passkey')}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {t('This browser, or a page without HTTPS, cannot use passkeys.')}
        </Text>
      )}
      {asked?.what === 'add' ? <AddPasskey close={close} /> : null}
      {asked?.what === 'rename' ? <RenamePasskey passkey={asked.passkey} close={close} /> : null}
      {asked?.what === 'remove' ? <RemovePasskey passkey={asked.passkey} close={close} /> : null}
    </Stack>
  )
}

const NewPasskey = z.object({ name: z.string().trim().min(1, 'Fill this in').max(60), password: z.string().min(1, 'Fill this in') })

function AddPasskey({ close }: { close: () => void }) {
  const t = useT()
  const edit = useEdit({
    schema: NewPasskey,
    initial: { name: '', password: '' },
    save: async ({ name, password }) => {
      const { challenge_id, options } = await send(secondFactors.startPasskey, { body: { password } })
      return send(secondFactors.addPasskey, { body: { challenge_id, name: name.trim(), passkey: await makePasskey(options) } })
    },
    refreshes,
    said: t('Passkey added'),
    done: () => {
      changeUser({ second_factor_by: null })
      close()
    },
  })
  return (
    <Dialog opened onClose={close} title={t('Add passkey')}>
      <Form edit={edit} action={t('Add passkey')} cancel={close} unguarded>
        <TextInput label={t('Name')} description={t('By which you know the device again')} {...edit.of('name')} />
        <PresentPassword {...edit.of('password')} />
      </Form>
    </Dialog>
  )
}

const PasskeyName = z.object({ name: NewPasskey.shape.name })

function RenamePasskey({ passkey, close }: { passkey: Passkey; close: () => void }) {
  const t = useT()
  const edit = useEdit({
    schema: PasskeyName,
    initial: { name: passkey.name },
    save: ({ name }) => send(secondFactors.renamePasskey, { id: passkey.id, body: { name: name.trim() } }),
    refreshes,
    said: t('Passkey renamed'),
    done: close,
  })
  return (
    <Dialog opened onClose={close} title={t('Rename passkey')}>
      <Form edit={edit} action={t('Rename')} cancel={close} unguarded>
        <TextInput label={t('Name')} {...edit.of('name')} />
      </Form>
    </Dialog>
  )
}

function RemovePasskey({ passkey, close }: { passkey: Passkey; close: () => void }) {
  const t = useT()
  const remove = useCommand((password: string) => send(secondFactors.removePasskey, { id: passkey.id, body: { password } }), {
    quiet: true,
    refreshes,
    done: () => void toastSuccess(t('Passkey removed')),
  })
  return (
    <PasswordDialog
      title={t('Remove the passkey {{name}}?', { name: passkey.name })}
      body={t('Delete it on your device too, or the device goes on offering it.')}
      action={t('Remove passkey')}
      send={async password => {
        await remove.mutateAsync(password)
        close()
      }}
      close={close}
    />
  )
}

const PasswordOnly = z.object({ password: NewPasskey.shape.password })

/** A change of what one signs in with asks for the password, because a session may have been left open. */
function PasswordDialog(props: {
  title: string
  body?: ReactNode
  action: string
  send: (password: string) => Promise<void>
  close: () => void
}) {
  const { title, body, action, send: sendPassword, close } = props
  const edit = useEdit({ schema: PasswordOnly, initial: { password: '' }, save: ({ password }) => sendPassword(password) })
  return (
    <Dialog opened onClose={close} title={title}>
      <Form edit={edit} action={action} cancel={close} unguarded>
        {body ? <Text size="sm">{body}</Text> : null}
        <PresentPassword {...edit.of('password')} />
      </Form>
    </Dialog>
  )
}

function PresentPassword(field: object) {
  const t = useT()
  return (
    <PasswordInput
      label={t('Present password')}
      autoComplete="current-password"
      visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
      {...field}
    />
  )
}
