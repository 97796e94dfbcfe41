/** Settings: the OpenID Connect provider by which users of the company sign in. */
import { Alert, Button, Group, Input, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useRef } from 'react'
import * as z from 'zod'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Copied } from '#ui/kit/CopyButton.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SecretInput } from '#ui/kit/SecretInput.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { signInProvider } from './sign-in-provider.contract.ts'
import { SignInProvider, SignInProviderChange } from './sign-in-provider.schemas.ts'

export function SignInProviderScreen() {
  const t = useT()
  const answer = useCall(signInProvider.get, {})
  return (
    <Page title={t('Company account')} narrow>
      <QueryState of={answer} shape="form">
        {({ provider, redirect_uri }) => <ProviderForm key={provider ? 'set' : 'new'} provider={provider} redirectUri={redirect_uri} />}
      </QueryState>
    </Page>
  )
}

interface Values extends Record<string, unknown> {
  name: string
  issuer: string
  client_id: string
  client_secret: string
  active: boolean
  second_factor: boolean
}

const valuesOf = (provider: SignInProvider | null): Values => ({
  name: provider?.name ?? '',
  issuer: provider?.issuer ?? '',
  client_id: provider?.client_id ?? '',
  client_secret: '',
  active: provider?.active ?? true,
  second_factor: provider?.second_factor ?? false,
})

/** Without a new secret the stored one stays. */
const bodyOf = ({ client_secret, ...values }: Values, version: number | null) => ({
  ...values,
  ...(client_secret === '' ? {} : { client_secret }),
  version,
})
const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values, null))
  .pipe(SignInProviderChange)

function ProviderForm({ provider, redirectUri }: { provider: SignInProvider | null; redirectUri: string }) {
  const t = useT()
  // Version at which this form was opened: a background refresh must not make an old form look current.
  const version = useRef(provider?.version ?? null)
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(provider),
    save: values => send(signInProvider.save, { body: bodyOf(values, version.current) }),
    refreshes: [signInProvider.get],
    said: t('Provider saved'),
    done: answer => {
      version.current = answer.provider.version
      edit.form.setValues(valuesOf(answer.provider))
      edit.form.resetDirty(valuesOf(answer.provider))
    },
    conflict: {
      schema: SignInProvider,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  const remove = useSend(signInProvider.remove, { refreshes: [signInProvider.get], said: t('Provider removed') })
  const askRemove = async () => {
    const body = t('Nobody signs in with it any more. Users without a password need an invitation.')
    if (await confirm({ title: t('Remove provider?'), body, action: t('Remove provider'), danger: true })) remove.mutate({})
  }
  const { issuer, client_id } = edit.values
  const moved = provider !== null && (issuer !== provider.issuer || client_id !== provider.client_id)
  return (
    <Form edit={edit}>
      <SettingsSection
        title={t('Provider')}
        help={t(
          'Microsoft Entra, Google, Okta, Keycloak or another one that speaks OpenID Connect. Register this program there as a web application.',
        )}
      >
        <Input.Wrapper label={t('Redirect address')} description={t('Enter it at the provider.')} labelElement="div">
          <Copied text={redirectUri} label={t('Copy address')} />
        </Input.Wrapper>
        <TextInput label={t('Name')} description={t('As the button of the sign-in page says it')} {...edit.of('name')} />
        <TextInput
          label={t('Issuer')}
          placeholder="https://login.example.com"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          {...edit.of('issuer')}
        />
        <TextInput label={t('Client ID')} autoCapitalize="none" autoComplete="off" spellCheck={false} {...edit.of('client_id')} />
        <SecretInput
          key={moved ? 'moved' : `stored ${provider?.version}`}
          label={t('Client secret')}
          last4={moved ? null : (provider?.secret_last4 ?? null)}
          value={edit.values.client_secret}
          error={edit.of('client_secret').error}
          onChange={client_secret => edit.form.setFieldValue('client_secret', client_secret)}
        />
        {provider ? (
          <Stack gap="xs" align="flex-start">
            <Group gap="xs">
              <Test key={provider.version} dirty={edit.dirty} />
              <Button variant="subtle" color="brick" loading={remove.isPending} onClick={() => void askRemove()}>
                {t('Remove provider')}
              </Button>
            </Group>
          </Stack>
        ) : null}
      </SettingsSection>
      <SettingsSection
        title={t('Sign-in')}
        help={t('Each user connects the own account in My settings, or by an invitation. An e-mail address connects nobody.')}
      >
        <Switch label={t('Users sign in with the provider')} {...edit.of('active', 'checkbox')} />
        <Switch
          label={t('The provider asks for a second factor')}
          description={t('Then none is asked for here.')}
          {...edit.of('second_factor', 'checkbox')}
        />
      </SettingsSection>
    </Form>
  )
}

function Test({ dirty }: { dirty: boolean }) {
  const t = useT()
  const test = useSend(signInProvider.test, {})
  return (
    <Stack gap="xs">
      <Group>
        <Button
          variant="default"
          loading={test.isPending}
          {...disabledBecause(dirty && t('Save the changes first.'))}
          onClick={() => test.mutate({})}
        >
          {t('Test provider')}
        </Button>
      </Group>
      {dirty ? (
        <Text size="sm" c="dimmed">
          {t('Save first: the test uses what is saved.')}
        </Text>
      ) : null}
      {test.data && !dirty ? (
        test.data.problem === null ? (
          <Alert color="moss" icon={<IconCircleCheck size={16} />} role="status" title={t('The provider answers')}>
            {t('The first sign-in shows whether client ID and secret are right.')}
          </Alert>
        ) : (
          <Alert
            color="brick"
            icon={<IconAlertTriangle size={16} />}
            role="alert"
            title={
              test.data.problem === 'no_pkce'
                ? t('The provider does not offer PKCE with S256')
                : t('The provider does not answer as it should')
            }
          >
            {test.data.detail}
          </Alert>
        )
      ) : null}
    </Stack>
  )
}
