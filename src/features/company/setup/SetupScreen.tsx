/** Setup: the page of the one-time link that creates operator, main company and first admin of an installation. */
import { Alert, Anchor, Button, Checkbox, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import type * as z from 'zod'
import { LoginPage } from '#features/company/session/LoginPage.tsx'
import { shortestPassword } from '#features/company/users/passwords.rules.ts'
import { ErrorDetails } from '#ui/kit/ErrorDetails.tsx'
import { fieldErrors } from '#ui/kit/form-labels.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { errorReference, errorSentence } from '#ui/kit/toasts.ts'
import { useLocale, useT } from '#ui/kit/translate.ts'
import { CallError, errorFrom, noAnswer } from '#ui/query/call-error.ts'
import { setupPath } from './setup.contract.ts'
import { codeFrom } from './setup.rules.ts'
import { Founded, Founding, SetupState } from './setup.schemas.ts'

async function ask<T>(path: string, read: { parse: (answer: unknown) => T }, init?: RequestInit): Promise<T> {
  let response: Response
  try {
    response = await fetch(path, {
      ...init,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      cache: 'no-store',
    })
  } catch {
    throw noAnswer()
  }
  if (!response.ok) throw errorFrom(response.status, response.headers.get('content-type') ?? '', await response.text())
  return read.parse(await response.json())
}

export function SetupScreen() {
  const t = useT()
  const state = useSetupState()
  // The fragment never leaves the browser; the token is read once.
  const [token] = useState(() => location.hash.slice(1))
  const [code, setCode] = useState<string | null>(null)
  return (
    <LoginPage>
      {code !== null ? (
        <Done code={code} />
      ) : (
        <QueryState of={state} shape="form">
          {({ open, ip }) =>
            !open ? (
              <Stack>
                <h1>{t('Setup is complete')}</h1>
                <Text>{t('Sign in at your company’s address.')}</Text>
              </Stack>
            ) : token === '' ? (
              <NotYet />
            ) : (
              <FoundingForm token={token} ip={ip} founded={setCode} />
            )
          }
        </QueryState>
      )}
    </LoginPage>
  )
}

/** True when this installation waits for its first company. */
export const useSetupState = () =>
  useQuery<z.infer<typeof SetupState>, CallError>({
    queryKey: ['setup'],
    queryFn: () => ask(`${setupPath}/state`, SetupState),
    refetchOnWindowFocus: false,
  })

/** Shown to visitors without the link. */
export function NotYet() {
  const t = useT()
  return (
    <Stack>
      <h1>{t('Nothing is set up yet')}</h1>
      <Text>{t('Open the link that the server printed when it started. It also lies in its data folder, in setup-link.txt.')}</Text>
    </Stack>
  )
}

/** A company answers at its code before this host. */
export const addressAt = (code: string): string => `${location.protocol}//${code}.${location.host}/`

function Done({ code }: { code: string }) {
  const t = useT()
  return (
    <Stack>
      <h1>{t('Everything is set up')}</h1>
      <Text>{t('Your company answers at this address. Sign in there with the name and the password that you chose.')}</Text>
      <Anchor href={addressAt(code)} size="lg">
        {addressAt(code)}
      </Anchor>
      <Button component="a" href={`${addressAt(code)}settings/first-steps`} size="md">
        {t('Go to sign-in')}
      </Button>
    </Stack>
  )
}

interface Written {
  operator: string
  code: string
  name: string
  user_name: string
  password: string
  packing_here: boolean
}

/** Position of each form field in the request. */
const places: Readonly<Record<string, keyof Written>> = {
  operator: 'operator',
  'company.code': 'code',
  'company.name': 'operator',
  'admin.name': 'name',
  'admin.user_name': 'user_name',
  'admin.password': 'password',
}

function FoundingForm({ token, ip, founded }: { token: string; ip: string; founded: (code: string) => void }) {
  const t = useT()
  const locale = useLocale()
  const [written, setWritten] = useState<Written>({ operator: '', code: '', name: '', user_name: '', password: '', packing_here: true })
  const [errors, setErrors] = useState<Partial<Record<keyof Written, string>>>({})
  const [failure, setFailure] = useState<unknown>(null)
  const [pending, setPending] = useState(false)
  const body = (): Founding => ({
    token,
    operator: written.operator,
    company: { code: written.code, name: written.operator },
    admin: { name: written.name, user_name: written.user_name, password: written.password },
    locale,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    packing_here: written.packing_here,
  })
  const placed = (fields: Record<string, string>) => {
    const found: typeof errors = {}
    for (const [path, sentence] of Object.entries(fields)) {
      const place = places[path.replace(/^body\./, '')]
      if (place) found[place] ??= sentence
    }
    return found
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wrong = placed(fieldErrors(Founding, body()))
    if ([...written.password].length < shortestPassword)
      wrong.password = t('A password has at least 15 characters. A few words in a row are easy to remember.')
    setErrors(wrong)
    setFailure(null)
    if (Object.keys(wrong).length > 0) {
      focusFirstWrong()
      return
    }
    setPending(true)
    try {
      const { code } = await ask(setupPath, Founded, { method: 'POST', body: JSON.stringify(body()) })
      history.replaceState(null, '', setupPath)
      founded(code)
    } catch (error) {
      const fields =
        error instanceof CallError
          ? placed(Object.fromEntries(Object.entries(error.fields).map(([field, sentence]) => [field, t(sentence)])))
          : {}
      setErrors(fields)
      if (Object.keys(fields).length === 0) setFailure(error)
      else focusFirstWrong()
    } finally {
      setPending(false)
    }
  }
  const form = useRef<HTMLFormElement>(null)
  const focusFirstWrong = () => setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), 30)
  const of = (field: Exclude<keyof Written, 'packing_here'>) => ({
    value: written[field],
    error: errors[field],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setWritten(before => ({
        ...before,
        // The code follows the name until the user edits it.
        ...(field === 'operator' && before.code === codeFrom(before.operator) && { code: codeFrom(value) }),
        [field]: value,
      }))
    },
  })
  return (
    <form ref={form} onSubmit={event => void submit(event)} noValidate>
      <Stack gap="md">
        <div>
          <h1>{t('Set up your warehouse')}</h1>
          <Text c="dimmed">{t('Five answers; everything can be changed later, except the code.')}</Text>
        </div>
        {failure ? (
          <Alert color="brick" icon={<IconAlertTriangle size={16} />} title={errorSentence(failure)} role="alert">
            <ErrorDetails reference={errorReference(failure)} />
          </Alert>
        ) : null}
        <TextInput label={t('Name of the warehouse')} autoComplete="organization" autoFocus {...of('operator')} />
        <TextInput
          label={t('Code')}
          description={t('The first part of its address: {{example}}', { example: addressAt(written.code || 'code') })}
          autoCapitalize="none"
          spellCheck={false}
          {...of('code')}
        />
        <TextInput label={t('Your name')} autoComplete="name" {...of('name')} />
        <TextInput label={t('User name')} autoComplete="username" autoCapitalize="none" spellCheck={false} {...of('user_name')} />
        <PasswordInput
          label={t('Password')}
          // The error says the same rule: once is enough.
          {...(errors.password ? {} : { description: t('At least 15 characters. A few words in a row are easy to remember.') })}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
          {...of('password')}
        />
        <Checkbox
          label={t('I am in the warehouse: packing works from this network')}
          description={t('Your address is {{ip}}.', { ip })}
          checked={written.packing_here}
          onChange={event => {
            const { checked } = event.currentTarget
            setWritten(before => ({ ...before, packing_here: checked }))
          }}
        />
        <Button type="submit" size="md" loading={pending}>
          {t('Set up warehouse')}
        </Button>
      </Stack>
    </form>
  )
}
