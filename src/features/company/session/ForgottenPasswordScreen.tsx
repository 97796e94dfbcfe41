/** Forgotten password: asks for a link by mail. */
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconMail } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { passwordLinks } from '#features/company/users/password-links.contract.ts'
import { Link } from '#ui/kit/Link.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCommand } from '#ui/query/calls.ts'
import { LoginNameInput, LoginPage } from './LoginPage.tsx'

export function ForgottenPasswordScreen() {
  const t = useT()
  const [login, setLogin] = useState('')
  const ask = useCommand((typed: string) => send(passwordLinks.forgotten, { body: { login: typed } }), { quiet: true })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate(login.trim())
  }
  return (
    <LoginPage>
      <form onSubmit={submit}>
        <Stack gap="md">
          <div>
            <h1>{t('Forgotten password')}</h1>
            <Text c="dimmed">{t('A link to choose a new one is sent to the e-mail address of your user.')}</Text>
          </div>
          {ask.error ? <Alert color="brick" icon={<IconAlertTriangle size={16} />} title={errorSentence(ask.error)} role="alert" /> : null}
          {ask.isSuccess ? (
            <Alert color="moss" icon={<IconMail size={16} />} role="status" title={t('Look into your mailbox')}>
              {t(
                'If this user has an e-mail address, a link is on its way. It works for 30 minutes. No mail? Ask an administrator of your company.',
              )}
            </Alert>
          ) : (
            <>
              <LoginNameInput value={login} onChange={setLogin} />
              <Button type="submit" size="md" loading={ask.isPending} fullWidth>
                {t('Send link')}
              </Button>
            </>
          )}
          <Anchor component={Link} to="/login" size="sm">
            {t('Back to sign in')}
          </Anchor>
        </Stack>
      </form>
    </LoginPage>
  )
}
