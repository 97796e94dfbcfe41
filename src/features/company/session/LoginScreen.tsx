/** Sign in: name and password, and in a demo a list of demo users. */
import { Alert, Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { session } from '#contract/session.ts'
import { ErrorDetails } from '#ui/kit/ErrorDetails.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { errorReference, errorSentence } from '#ui/kit/toasts.ts'
import { preferredLocale, speak, useT } from '#ui/kit/translate.ts'
import { returnTo } from '#ui/navigation/return-to.ts'
import { useAppConfig } from '#ui/query/app-config.ts'
import { CallError } from '#ui/query/call-error.ts'
import { useCall } from '#ui/query/calls.ts'
import { companyOfHost } from '#ui/query/request-context.ts'
import { signIn } from '#ui/query/session.ts'
import style from './Login.module.css'
import { LoginNameInput, LoginPage } from './LoginPage.tsx'

export function LoginScreen() {
  const t = useT()
  const { history } = useRouter()
  const conf = useAppConfig()
  const known = useCall(session.checkCompany, {}, { fresh: 60_000 })
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const passwordBox = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const code = companyOfHost()
  const demo = (conf?.demo_logins ?? []).filter(one => one.company === undefined || one.company === code)
  const unknown = known.error instanceof CallError && known.error.status === 404

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setPending(true)
    setError(null)
    try {
      await signIn({ login: login.trim(), password }, (user, init) => speak(preferredLocale({ user, init })))
      history.replace(returnTo.take())
    } catch (failure) {
      setError(failure)
      setPassword('')
      passwordBox.current?.focus()
    } finally {
      setPending(false)
    }
  }

  return (
    <LoginPage>
      {unknown ? (
        <Alert color="brick" icon={<IconAlertTriangle size={16} />} title={t('There is no company "{{code}}" here', { code })} mb="lg">
          {t('The company is the first part of the address, as in {{example}}.', {
            example: `demo.${conf?.base_domain ?? 'localhost'}`,
          })}
        </Alert>
      ) : null}
      <form onSubmit={event => void submit(event)}>
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
          <Button ref={button} type="submit" size="md" loading={pending} fullWidth>
            {t('Sign in')}
          </Button>
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
                onClick={() => {
                  setLogin(one.login)
                  setPassword(one.password)
                  setError(null)
                  button.current?.focus()
                }}
              >
                {one.name}
                <small>{t(one.role)}</small>
              </button>
            ))}
          </div>
        </Stack>
      ) : null}
    </LoginPage>
  )
}
