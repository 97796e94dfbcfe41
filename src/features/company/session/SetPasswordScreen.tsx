/** Sets a password by the link of a mail, or in place of one that an administrator gave. */
import { Alert, Anchor, Button, PasswordInput, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import * as z from 'zod'
import { goToProvider } from '#features/company/sign-in-provider/provider-return.client.ts'
import { passwordLinks } from '#features/company/users/password-links.contract.ts'
import { shortestPassword } from '#features/company/users/passwords.rules.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { LoginPage } from './LoginPage.tsx'
import { providerLogin } from './provider-login.contract.ts'

export function SetPasswordScreen() {
  const t = useT()
  // Behind the sign #, the token is sent to no server and stands in no log.
  const [token] = useState(() => window.location.hash.slice(1))
  const [login, setLogin] = useState<string | null>(null)
  const link = useCall(passwordLinks.find, { body: { token } }, { fresh: Number.POSITIVE_INFINITY })
  return (
    <LoginPage>
      <Stack gap="md">
        <h1>{t('Choose a password')}</h1>
        {login !== null ? (
          <>
            <Alert color="moss" icon={<IconCircleCheck size={16} />} role="status" title={t('Your password is set')}>
              {t('You sign in as {{login}}. All earlier sessions have ended.', { login })}
            </Alert>
            <Button component={Link} to="/login" size="md" fullWidth>
              {t('Sign in')}
            </Button>
          </>
        ) : link.error ? (
          <>
            <Alert color="brick" icon={<IconAlertTriangle size={16} />} title={errorSentence(link.error)} role="alert" />
            <Anchor component={Link} to="/login/forgotten" size="sm">
              {t('Ask for a new link')}
            </Anchor>
          </>
        ) : link.data ? (
          <>
            <Text c="dimmed">{t('For {{name}}, who signs in as {{login}}.', { name: link.data.name, login: link.data.login })}</Text>
            {link.data.purpose === 'given' ? (
              <Text>{t('Your password was given to you by an administrator. Choose your own: from then on only that one works.')}</Text>
            ) : null}
            {link.data.purpose === 'invitation' ? <AtProvider invitation={token} /> : null}
            <PasswordForm token={token} login={link.data.login} done={setLogin} />
          </>
        ) : (
          <Text c="dimmed">{t('Loading')}</Text>
        )}
      </Stack>
    </LoginPage>
  )
}

/** An invited user signs in by the provider of the company from the beginning, without a password. */
function AtProvider({ invitation }: { invitation: string }) {
  const t = useT()
  const provider = useCall(providerLogin.offered, {}, { fresh: 60_000 }).data?.name ?? null
  const start = useSend(providerLogin.start, { done: begun => goToProvider({ purpose: 'sign_in', ...begun }) })
  if (provider === null) return null
  return (
    <Button variant="default" size="md" loading={start.isPending} onClick={() => start.mutate({ body: { invitation } })}>
      {t('Sign in with {{provider}}', { provider })}
    </Button>
  )
}

const Passwords = z
  .object({
    password: z.string().min(shortestPassword, 'A password has at least 15 characters. A few words in a row are easy to remember.'),
    again: z.string(),
  })
  .refine(values => values.password === values.again, { path: ['again'], message: 'The two are not the same' })

function PasswordForm({ token, login, done }: { token: string; login: string; done: (login: string) => void }) {
  const t = useT()
  const edit = useEdit({
    schema: Passwords,
    initial: { password: '', again: '' },
    save: ({ password }) => send(passwordLinks.setPassword, { body: { token, password } }),
    done: answer => done(answer.login),
  })
  const eye = { visibilityToggleButtonProps: { 'aria-label': t('Show password') } }
  return (
    <Form edit={edit} action={t('Set password')} unguarded>
      {/* Password managers store the password under this name. */}
      <VisuallyHidden>
        <input type="text" name="username" autoComplete="username" value={login} readOnly tabIndex={-1} aria-hidden />
      </VisuallyHidden>
      <PasswordInput
        label={t('New password')}
        description={t('At least 15 characters. A few words in a row are easy to remember.')}
        autoComplete="new-password"
        autoFocus
        {...eye}
        {...edit.of('password')}
      />
      <PasswordInput label={t('New password once more')} autoComplete="new-password" {...eye} {...edit.of('again')} />
    </Form>
  )
}
