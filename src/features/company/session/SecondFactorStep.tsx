/** The second step of signing in: a code, a recovery code or a passkey; or setting up a code app that the company asks for. */
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { hasPasskeys, provePasskey } from '#features/company/users/passkeys.client.ts'
import { CodeForm, RecoveryCodes, TotpSetup } from '#features/company/users/TotpSetup.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useCommand } from '#ui/query/calls.ts'
import type { SignedIn } from '#ui/query/session.ts'
import { secondFactorLogin } from './second-factor-login.contract.ts'

export interface NextStep {
  challenge_id: string
  /** How the user may go on; none: a code app is set up now. */
  methods: readonly string[]
}

interface StepProps {
  step: NextStep
  start: (signedIn: SignedIn) => Promise<void>
  back: () => void
}

export function SecondFactorStep({ step, start, back }: StepProps) {
  const t = useT()
  return (
    <Stack gap="md">
      {step.methods.length === 0 ? <SetUp step={step} start={start} /> : <SecondFactor step={step} start={start} />}
      <Anchor component="button" type="button" size="sm" ta="start" onClick={back}>
        {t('Back to sign in')}
      </Anchor>
    </Stack>
  )
}

function SecondFactor({ step: { challenge_id, methods }, start }: Pick<StepProps, 'step' | 'start'>) {
  const t = useT()
  const codes = methods.filter(one => one === 'totp' || one === 'recovery_code')
  const [way, setWay] = useState(codes[0] ?? 'passkey')
  const passkey = useCommand(
    async () => {
      const { options } = await send(secondFactorLogin.secondFactorOptions, { body: { challenge_id } })
      await start(await send(secondFactorLogin.secondFactor, { body: { challenge_id, passkey: await provePasskey(options) } }))
    },
    { quiet: true },
  )
  return (
    <>
      <div>
        <h1>{t('Second factor')}</h1>
        <Text c="dimmed">{way === 'passkey' ? t('Use your passkey.') : t('Your password is right. One more step.')}</Text>
      </div>
      {way === 'totp' ? (
        <CodeForm
          key="totp"
          label={t('Code from your app')}
          action={t('Sign in')}
          wide
          send={async code => start(await send(secondFactorLogin.secondFactor, { body: { challenge_id, code } }))}
        />
      ) : null}
      {way === 'recovery_code' ? (
        <CodeForm
          key="recovery"
          label={t('Recovery code')}
          action={t('Sign in')}
          digits={false}
          wide
          send={async recovery_code => start(await send(secondFactorLogin.secondFactor, { body: { challenge_id, recovery_code } }))}
        />
      ) : null}
      {passkey.error ? (
        <Alert color="brick" icon={<IconAlertTriangle size={16} />} title={errorSentence(passkey.error)} role="alert" />
      ) : null}
      {methods.includes('passkey') && hasPasskeys() ? (
        <Button
          size="md"
          fullWidth
          variant={way === 'passkey' ? 'filled' : 'default'}
          loading={passkey.isPending}
          onClick={() => passkey.mutate(undefined)}
        >
          {t('Use passkey')}
        </Button>
      ) : null}
      {way === 'totp' && methods.includes('recovery_code') ? (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setWay('recovery_code')}>
          {t('Use a recovery code')}
        </Anchor>
      ) : null}
      {way === 'recovery_code' && methods.includes('totp') ? (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setWay('totp')}>
          {t('Use a code from the app')}
        </Anchor>
      ) : null}
      <Text size="sm" c="dimmed">
        {t('All lost? An administrator of your company can reset your second factor.')}
      </Text>
    </>
  )
}

function SetUp({ step: { challenge_id }, start }: Pick<StepProps, 'step' | 'start'>) {
  const t = useT()
  const made = useCall(secondFactorLogin.setUp, { body: { challenge_id } }, { fresh: Number.POSITIVE_INFINITY })
  const [kept, setKept] = useState<{ codes: readonly string[]; signedIn: SignedIn } | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const error = made.error ?? failure
  return (
    <>
      <div>
        <h1>{t('Set up code app')}</h1>
        <Text c="dimmed">{t('Your company asks for a second factor. Set one up to sign in.')}</Text>
      </div>
      {error ? <Alert color="brick" icon={<IconAlertTriangle size={16} />} title={errorSentence(error)} role="alert" /> : null}
      {kept ? (
        <RecoveryCodes codes={kept.codes} wide done={() => void start(kept.signedIn).catch(setFailure)} />
      ) : made.data ? (
        <TotpSetup
          secret={made.data.secret}
          uri={made.data.uri}
          wide
          confirm={async code => {
            const { recovery_codes, ...signedIn } = await send(secondFactorLogin.confirmSetUp, { body: { challenge_id, code } })
            setKept({ codes: recovery_codes, signedIn })
          }}
        />
      ) : null}
    </>
  )
}
