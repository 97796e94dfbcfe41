/** The page to which the provider sends people back: it finishes a sign-in, connects an account of a signed-in user, or proves who they are. */
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { identityProofs } from '#features/company/sign-in-provider/identity-proofs.contract.ts'
import { takeProviderAnswer } from '#features/company/sign-in-provider/provider-return.client.ts'
import { signInProvider } from '#features/company/sign-in-provider/sign-in-provider.contract.ts'
import { ErrorDetails } from '#ui/kit/ErrorDetails.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { errorReference, errorSentence, toastSuccess } from '#ui/kit/toasts.ts'
import { preferredLocale, speak, useT } from '#ui/kit/translate.ts'
import { returnTo } from '#ui/navigation/return-to.ts'
import { send } from '#ui/query/calls.ts'
import { type Prepare, signIn, startSession } from '#ui/query/session.ts'
import { LoginPage } from './LoginPage.tsx'
import { nextStepOf } from './next-step.client.ts'
import { providerLogin } from './provider-login.contract.ts'
import { type NextStep, SecondFactorStep } from './SecondFactorStep.tsx'

const prepare: Prepare = (user, init) => speak(preferredLocale({ user, init }))

export function ProviderReturnScreen() {
  const t = useT()
  const { history } = useRouter()
  const [answer] = useState(takeProviderAnswer)
  const [error, setError] = useState<unknown>(null)
  const [step, setStep] = useState<NextStep | null>(null)
  const purpose = answer?.begun.purpose ?? 'sign_in'
  // The outside system is the server, which takes an answer of the provider once.
  useEffect(() => {
    if (!answer) return
    const { begun, query, from } = answer
    const body = { challenge_id: begun.challenge_id, query }
    const finished =
      begun.purpose === 'link'
        ? send(signInProvider.link, { body }).then(() => {
            history.replace('/settings/me')
            toastSuccess(t('Account connected'))
          })
        : begun.purpose === 'prove'
          ? send(identityProofs.provider, { body }).then(() => {
              history.replace(from)
              toastSuccess(t('You have shown who you are. Go on where you were.'))
            })
          : signIn(() => send(providerLogin.finish, { body }), prepare).then(() => history.replace(returnTo.take()))
    finished.catch((failure: unknown) => {
      const next = nextStepOf(failure)
      if (next) setStep(next)
      else setError(failure)
    })
  }, [answer, history, t])
  if (step)
    return (
      <LoginPage>
        <SecondFactorStep
          step={step}
          back={() => history.replace('/login')}
          start={async signedIn => {
            await startSession(signedIn, prepare)
            history.replace(returnTo.take())
          }}
        />
      </LoginPage>
    )
  return (
    <LoginPage>
      <Stack gap="md">
        <h1>{purpose === 'link' ? t('Connect account') : t('Sign in')}</h1>
        {answer === null ? (
          <>
            <Text c="dimmed">{t('This page is reached from the sign-in only.')}</Text>
            <Button component={Link} to="/login" size="md" fullWidth>
              {t('Sign in')}
            </Button>
          </>
        ) : error ? (
          <>
            <Alert color="brick" icon={<IconAlertTriangle size={16} />} title={errorSentence(error)} role="alert">
              <ErrorDetails reference={errorReference(error)} />
            </Alert>
            <Anchor component={Link} to={purpose === 'link' ? '/settings/me' : purpose === 'prove' ? answer.from : '/login'} size="sm">
              {purpose === 'link' ? t('Back to my settings') : purpose === 'prove' ? t('Back') : t('Back to sign in')}
            </Anchor>
          </>
        ) : (
          <Text c="dimmed">{t('Loading')}</Text>
        )}
      </Stack>
    </LoginPage>
  )
}
