/** E-mail settings: the mail server of the company, its sender, a test mail, and how the last mails went. */
import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useRef } from 'react'
import * as z from 'zod'
import { confirm } from '#ui/kit/Confirm.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { SecretInput } from '#ui/kit/SecretInput.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { type MailProblem, type MailSecurity, mailSecurities, usualPorts } from './mail.codes.ts'
import { mail } from './mail.contract.ts'
import { problemWords, securityWords } from './mail.labels.ts'
import { MailAccount, MailAccountChange } from './mail.schemas.ts'

export function MailSettings() {
  const answer = useCall(mail.account, {}, { every: 30_000 })
  return (
    <QueryState of={answer} shape="form">
      {({ account }) => (
        <>
          <AccountForm key={account ? 'set' : 'new'} account={account} />
          {account ? <Sending account={account} /> : null}
        </>
      )}
    </QueryState>
  )
}

interface Values extends Record<string, unknown> {
  host: string
  port: number | string
  security: MailSecurity
  user_name: string
  password: string
  from_name: string
  from_address: string
  reply_to: string
}

const valuesOf = (account: MailAccount | null, name: string): Values => ({
  host: account?.host ?? '',
  port: account?.port ?? usualPorts.starttls,
  security: account?.security ?? 'starttls',
  user_name: account?.user_name ?? '',
  password: '',
  from_name: account?.from_name ?? name,
  from_address: account?.from_address ?? '',
  reply_to: account?.reply_to ?? '',
})

/** An empty field is null; without a new password the stored one stays. */
const bodyOf = ({ password, ...values }: Values, version: number | null) => ({
  ...values,
  host: values.host.trim(),
  port: Number(values.port),
  user_name: values.user_name.trim() === '' ? null : values.user_name,
  reply_to: values.reply_to.trim() === '' ? null : values.reply_to,
  ...(password === '' ? {} : { password }),
  version,
})
const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values, null))
  .pipe(MailAccountChange)

function AccountForm({ account }: { account: MailAccount | null }) {
  const t = useT()
  const { user, init } = useSignedIn()
  // Version at which this form was opened: a background refresh must not make an old form look current.
  const version = useRef(account?.version ?? null)
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(account, init.settings.company_name),
    save: values => send(mail.save, { body: bodyOf(values, version.current) }),
    refreshes: [mail.account],
    said: t('E-mail account saved'),
    done: answer => {
      version.current = answer.account.version
      edit.form.setValues(valuesOf(answer.account, ''))
      edit.form.resetDirty(valuesOf(answer.account, ''))
    },
    conflict: {
      schema: MailAccount,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh, '')
      },
    },
  })
  const remove = useSend(mail.remove, { refreshes: [mail.account], said: t('E-mail account removed') })
  const askRemove = async () => {
    const body = t('Invitations and links for forgotten passwords are not sent any more. Mails that wait are dropped.')
    if (await confirm({ title: t('Remove e-mail account?'), body, action: t('Remove account'), danger: true })) remove.mutate({})
  }
  const { security, port, host, user_name } = edit.values
  const moved = account !== null && (host.trim() !== account.host || user_name.trim() !== (account.user_name ?? ''))
  const choose = (next: MailSecurity) => {
    // A port that was not chosen follows the encryption.
    if (Number(port) === usualPorts[security]) edit.form.setFieldValue('port', usualPorts[next])
    edit.form.setFieldValue('security', next)
  }
  return (
    <Form edit={edit}>
      <SettingsSection title={t('Mail server')} help={t('The provider of your mailbox names these under SMTP or outgoing mail.')}>
        <TextInput
          label={t('Server')}
          placeholder="smtp.example.com"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          {...edit.of('host')}
        />
        <Select
          label={t('Encryption')}
          data={mailSecurities.map(value => ({ value, label: t(securityWords[value]) }))}
          {...edit.of('security')}
          onChange={value => choose(mailSecurities.find(one => one === value) ?? 'starttls')}
        />
        <WholeNumberInput label={t('Port')} min={1} max={65_535} hideControls {...edit.of('port')} />
        <TextInput
          label={t('User name')}
          description={t('Often the address of the mailbox. Empty: the server asks for no sign-in.')}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          {...edit.of('user_name')}
        />
        {user_name.trim() === '' ? null : (
          <SecretInput
            key={moved ? 'moved' : `stored ${account?.version}`}
            label={t('Password')}
            last4={!moved && account?.has_password ? '' : null}
            value={edit.values.password}
            error={edit.of('password').error}
            onChange={password => edit.form.setFieldValue('password', password)}
          />
        )}
      </SettingsSection>
      <SettingsSection title={t('Sender')} help={t('What recipients see. The mail server must let this account send from the address.')}>
        <TextInput label={t('Name')} {...edit.of('from_name')} />
        <TextInput label={t('E-mail')} type="email" {...edit.of('from_address')} />
        <TextInput label={t('Answers go to')} description={t('Empty: to the sender.')} type="email" {...edit.of('reply_to')} />
        {account ? (
          <Group gap="xs">
            <TestMail key={account.version} email={user.email} dirty={edit.dirty} />
            <Button variant="subtle" color="brick" loading={remove.isPending} onClick={() => void askRemove()}>
              {t('Remove account')}
            </Button>
          </Group>
        ) : null}
      </SettingsSection>
    </Form>
  )
}

function TestMail({ email, dirty }: { email: string | null; dirty: boolean }) {
  const t = useT()
  const test = useSend(mail.test, {})
  const why = dirty ? t('Save first: the test uses what is saved.') : null
  return (
    <Stack gap="xs" w="100%">
      <Group gap="xs">
        <Button
          variant="default"
          loading={test.isPending}
          {...disabledBecause(why ?? (email === null && t('Your user has no e-mail address')))}
          onClick={() => test.mutate({})}
        >
          {t('Send test mail')}
        </Button>
        <Text size="sm" c="dimmed">
          {why ??
            (email === null
              ? t('Your user has no e-mail address. Enter one under Users: the test mail goes there.')
              : t('It goes to {{address}}.', { address: email }))}
        </Text>
      </Group>
      {test.data && !dirty ? <Result problem={test.data.problem} answer={test.data.answer} to={test.data.to} /> : null}
    </Stack>
  )
}

function Result({ problem, answer, to }: { problem: MailProblem | null; answer: string; to: string }) {
  const t = useT()
  if (problem === null)
    return (
      <Alert color="moss" icon={<IconCircleCheck size={16} />} role="status">
        {t('The mail server has taken the test mail for {{address}}.', { address: to })}
      </Alert>
    )
  return (
    <Alert color="brick" icon={<IconAlertTriangle size={16} />} title={t(problemWords[problem])} role="alert">
      <ServerAnswer answer={answer} />
    </Alert>
  )
}

function ServerAnswer({ answer }: { answer: string }) {
  const t = useT()
  return answer === '' ? null : (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {t('The server said: {{answer}}', { answer })}
    </Text>
  )
}

function Sending({ account: { state, waiting, last } }: { account: MailAccount }) {
  const t = useT()
  return (
    <SettingsSection
      title={t('Sent mails')}
      help={t('A mail that cannot be sent is tried again for three days, unless the mail server refuses it for good.')}
    >
      <Group gap="md">
        {state === 'paused' ? (
          <>
            <StateBadge tone="stop">{t('Paused')}</StateBadge>
            <Text size="sm">{t('Save the account to try again.')}</Text>
          </>
        ) : null}
        <StateBadge tone={waiting > 0 ? 'busy' : 'quiet'}>{t('{{count}} mails wait', { count: waiting })}</StateBadge>
      </Group>
      {last === null ? (
        <Text c="dimmed">{t('No mail has been sent yet. The test mail does not count.')}</Text>
      ) : (
        <Stack gap={4}>
          <Group gap="xs">
            <Text size="sm">{t('Last mail')}</Text>
            <StateBadge tone={last.state === 'delivered' ? 'done' : last.state === 'failed' ? 'stop' : 'soon'}>
              {last.state === 'delivered' ? t('Sent') : last.state === 'failed' ? t('Not sent') : t('Trying again')}
            </StateBadge>
            <RelativeTime at={last.at} as="age" />
          </Group>
          {last.problem === null || last.state === 'delivered' ? null : (
            <>
              <Text size="sm">{t(problemWords[last.problem])}</Text>
              <ServerAnswer answer={last.answer} />
            </>
          )}
        </Stack>
      )}
    </SettingsSection>
  )
}
