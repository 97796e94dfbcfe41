/** Sign in: name and password or a passkey, then a second factor where one is asked for; in a demo a list of demo users. */
import { Alert, Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, lazy, Suspense, useRef, useState } from 'react'
import { session } from '#contract/session.ts'
import { goToProvider } from '#features/company/sign-in-provider/provider-return.client.ts'
import { hasPasskeys, provePasskey } from '#features/company/users/passkeys.client.ts'
import { ErrorDetails } from '#ui/kit/ErrorDetails.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { errorReference, errorSentence } from '#ui/kit/toasts.ts'
import { preferredLocale, speak, useT } from '#ui/kit/translate.ts'
import { returnTo } from '#ui/navigation/return-to.ts'
import { useAppConfig } from '#ui/query/app-config.ts'
import { CallError } from '#ui/query/call-error.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { companyOfHost } from '#ui/query/request-context.ts'
import { type Prepare, type SignedIn, signIn, startSession } from '#ui/query/session.ts'
import style from './Login.module.css'
import { LoginNameInput, LoginPage } from './LoginPage.tsx'
import { nextStepOf, ownPasswordPath } from './next-step.client.ts'
import { providerLogin } from './provider-login.contract.ts'
import type { NextStep } from './SecondFactorStep.tsx'
import { secondFactorLogin } from './second-factor-login.contract.ts'

const SecondFactorStep = lazy(() => import('./SecondFactorStep.tsx').then(module => ({ default: module.SecondFactorStep })))

/** The language of the user is there before the first screen. */
const prepare: Prepare = (user, init) => speak(preferredLocale({ user, init }))

/** “Owner” alone is who sees to a thing, in most languages another word. */
const roleName = (role: string): string => (/owner$/i.test(role) ? 'Company owner' : role)

export function LoginScreen() {
  const t = useT()
  const { history } = useRouter()
  const conf = useAppConfig()
  const known = useCall(session.checkCompany, {}, { fresh: 60_000 })
  const provider = useCall(providerLogin.offered, {}, { fresh: 60_000 }).data?.name ?? null
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [step, setStep] = useState<NextStep | null>(null)
  const passwordBox = useRef<HTMLInputElement>(null)
  const code = companyOfHost()
  const demo = (conf?.demo_logins ?? []).filter(one => one.company === undefined || one.company === code)
  const unknown = known.error instanceof CallError && known.error.status === 404

  const enter = () => history.replace(returnTo.take())
  const attempt = async (ask: () => Promise<SignedIn>) => {
    setPending(true)
    setError(null)
    try {
      await signIn(ask, prepare)
      enter()
    } catch (failure) {
      const own = ownPasswordPath(failure)
      if (own) return history.push(own)
      const next = nextStepOf(failure)
      setStep(next)
      setError(next ? null : failure)
      setPassword('')
      passwordBox.current?.focus()
    } finally {
      setPending(false)
    }
  }
  const withPassword = (login: string, password: string) => void attempt(() => send(session.login, { body: { login, password } }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    withPassword(login.trim(), password)
  }
  const withPasskey = () =>
    void attempt(async () => {
      const { challenge_id, options } = await send(secondFactorLogin.passkeyOptions, {})
      return send(secondFactorLogin.passkey, { body: { challenge_id, passkey: await provePasskey(options) } })
    })
  const atProvider = async () => {
    setPending(true)
    setError(null)
    try {
      goToProvider({ purpose: 'sign_in', ...(await send(providerLogin.start, { body: {} })) })
    } catch (failure) {
      setError(failure)
      setPending(false)
    }
  }
  const start = async (signedIn: SignedIn) => {
    await startSession(signedIn, prepare)
    enter()
  }

  if (step)
    return (
      <LoginPage>
        <Suspense fallback={<Text c="dimmed">{t('Loading')}</Text>}>
          <SecondFactorStep step={step} start={start} back={() => setStep(null)} />
        </Suspense>
      </LoginPage>
    )
  return (
    <LoginPage>
      {unknown ? (
        <Alert color="brick" icon={<IconAlertTriangle size={16} />} title={t('There is no company "{{code}}" here', { code })} mb="lg">
          {t('The company is the first part of the address, as in {{example}}.', {
            example: `demo.${conf?.base_domain ?? 'localhost'}`,
          })}
        </Alert>
      ) : null}
      <form onSubmit={submit}>
        <Stack gap="md">
          <div>
            <h1>{t('Sign in')}</h1>
            <Text c="dimmed">{t('Company: {{code}}', { code: code.charAt(0).toUpperCase() + code.slice(1) })}</Text>
          </div>
          {error ? (
            <Alert color="brick" icon={<IconAlertTriangle size={16} />} title={errorSentence(error)} role="alert">
              <ErrorDetails reference={errorReference(error)} />
            </Alert>
          ) : null}
          <LoginNameInput value={login} onChange={setLogin} />
          <PasswordInput
            ref={passwordBox}
            label={t('Password')}
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            size="md"
            value={password}
            onChange={event => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
          />
          <Button type="submit" size="md" loading={pending} fullWidth>
            {t('Sign in')}
          </Button>
          {provider === null ? null : (
            <Button variant="default" size="md" disabled={pending} fullWidth onClick={() => void atProvider()}>
              {t('Sign in with {{provider}}', { provider })}
            </Button>
          )}
          {hasPasskeys() ? (
            <Button variant="default" size="md" disabled={pending} fullWidth onClick={withPasskey}>
              {t('Sign in with a passkey')}
            </Button>
          ) : null}
          <Anchor component={Link} to="/login/forgotten" size="sm">
            {t('Forgotten your password?')}
          </Anchor>
        </Stack>
      </form>
      {demo.length > 0 ? (
        <Stack gap={8} mt="xl">
          <Text size="sm" c="dimmed">
            {t('Demo. Sign in as:')}
          </Text>
          <div className={style.logins}>
            {demo.map(one => (
              <button
                key={one.login}
                type="button"
                className={style.login}
                disabled={pending}
                onClick={() => {
                  setLogin(one.login)
                  setPassword(one.password)
                  withPassword(one.login, one.password)
                }}
              >
                {one.name}
                <small>{t(roleName(one.role))}</small>
              </button>
            ))}
          </div>
        </Stack>
      ) : null}
    </LoginPage>
  )
}
