/** The gateway of the company's text messages: account, sender, price, balance and a test message. */
import { Alert, Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import * as z from 'zod'
import { decimalsOf, isCurrency } from '#domain/money.ts'
import { type SmsProvider, smsProviders } from '#domain/sms-codes.ts'
import { minorOfMicro } from '#features/deliveries/sms/sms-price.rules.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { money } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { SecretInput } from '#ui/kit/SecretInput.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { sms } from './sms.contract.ts'
import { providerWords, smsProblemWords } from './sms.labels.ts'
import { SmsAccount, SmsAccountChange } from './sms.schemas.ts'

export function SmsSettings() {
  const answer = useCall(sms.account, {})
  return (
    <QueryState of={answer} shape="form">
      {account => <AccountForm key={account.version === 0 ? 'new' : 'set'} account={account} />}
    </QueryState>
  )
}

interface Values extends Record<string, unknown> {
  provider: SmsProvider
  api: 'classic' | 'messaging'
  region: 'com' | 'eu'
  user_name: string
  sender: string
  /** In units of the currency. */
  price: number | ''
  currency: string
  warn_below: number | ''
  secret: string
  callback_secret: string
}
const unit = 1_000_000
const valuesOf = (account: SmsAccount): Values => ({
  provider: account.provider,
  api: account.api,
  region: account.region,
  user_name: account.user_name,
  sender: account.sender,
  price: account.price_micro / unit,
  currency: account.currency,
  warn_below: account.warn_below_micro === null ? '' : account.warn_below_micro / unit,
  secret: '',
  callback_secret: '',
})
const bodyOf = ({ price, warn_below, secret, callback_secret, ...values }: Values, version: number) => ({
  ...values,
  user_name: values.provider === 'twilio' ? values.user_name : '',
  price_micro: price === '' ? 0 : Math.round(price * unit),
  warn_below_micro: warn_below === '' ? null : Math.round(warn_below * unit),
  ...(secret === '' ? {} : { secret }),
  ...(callback_secret === '' ? {} : { callback_secret }),
  version,
})
const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values, 0))
  .pipe(SmsAccountChange)

function AccountForm({ account }: { account: SmsAccount }) {
  const t = useT()
  const version = useRef(account.version)
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(account),
    save: values => send(sms.save, { body: bodyOf(values, version.current) }),
    refreshes: [sms.account, sms.balance],
    said: t('Text messages saved'),
    done: saved => {
      version.current = saved.version
      edit.form.setValues(valuesOf(saved))
      edit.form.resetDirty(valuesOf(saved))
    },
    conflict: {
      schema: SmsAccount,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  const remove = useSend(sms.remove, { refreshes: [sms.account, sms.balance], said: t('SMS gateway removed') })
  const askRemove = async () => {
    const body = t('From now on text messages are only logged. Messages that wait are logged too.')
    if (await confirm({ title: t('Remove SMS gateway?'), body, action: t('Remove gateway'), danger: true })) remove.mutate({})
  }
  const { provider } = edit.values
  const stored = account.version > 0 && account.provider === provider
  return (
    <Form edit={edit}>
      <SettingsSection title={t('Gateway')} help={t('Who carries the text messages. Without a gateway they are only logged.')}>
        <NativeChoice
          label={t('Gateway')}
          data={smsProviders.map(value => ({ value, label: t(providerWords[value]) }))}
          value={provider}
          choose={value => edit.form.setFieldValue('provider', value)}
        />
        {provider === 'gatewayapi' ? (
          <Group grow align="start">
            <NativeChoice
              label={t('Interface')}
              data={[
                { value: 'classic' as const, label: 'REST' },
                { value: 'messaging' as const, label: 'Messaging API' },
              ]}
              value={edit.values.api}
              choose={value => edit.form.setFieldValue('api', value)}
            />
            <NativeChoice
              label={t('Region')}
              data={[
                { value: 'com' as const, label: 'gatewayapi.com' },
                { value: 'eu' as const, label: 'gatewayapi.eu' },
              ]}
              value={edit.values.region}
              choose={value => edit.form.setFieldValue('region', value)}
            />
          </Group>
        ) : null}
        {provider === 'twilio' ? (
          <TextInput label={t('Account SID')} spellCheck={false} autoComplete="off" {...edit.of('user_name')} />
        ) : null}
        {provider === 'log' ? null : (
          <SecretInput
            key={`secret ${provider} ${account.version}`}
            label={provider === 'twilio' ? t('Auth token') : t('API key')}
            last4={stored ? account.secret_last4 : null}
            value={edit.values.secret}
            error={edit.of('secret').error}
            onChange={secret => edit.form.setFieldValue('secret', secret)}
          />
        )}
        {provider === 'gatewayapi' ? (
          <SecretInput
            key={`callback ${account.version}`}
            label={t('Secret of the callbacks')}
            description={t('Without it reports and answers are not accepted.')}
            last4={stored ? account.callback_secret_last4 : null}
            value={edit.values.callback_secret}
            error={edit.of('callback_secret').error}
            onChange={secret => edit.form.setFieldValue('callback_secret', secret)}
          />
        ) : null}
        {stored && account.callback_url !== null ? (
          <Stack gap={4}>
            <Text size="sm" fw={500}>
              {t('Address for callbacks')}
            </Text>
            <Group gap="xs" wrap="nowrap">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {account.callback_url}
              </Text>
              <CopyButton text={account.callback_url} />
            </Group>
            <Text size="xs" c="dimmed">
              {t('Enter it at the gateway for incoming messages, else answers do not come back.')}
            </Text>
          </Stack>
        ) : null}
        {account.problem ? (
          <Alert color="brick" icon={<IconAlertTriangle size={20} />} title={t(smsProblemWords[account.problem.problem])}>
            {account.problem.answer} <RelativeTime at={account.problem.at} />
          </Alert>
        ) : null}
      </SettingsSection>
      <SettingsSection
        title={t('Sender and price')}
        help={t('The price is shown before each sending; what the gateway bills takes its place.')}
      >
        <TextInput
          label={t('Sender')}
          description={t('At most 11 letters and digits, or a number. Only numbers can be answered.')}
          {...edit.of('sender')}
        />
        <Group grow align="start">
          <NumberInput label={t('Price of one part')} min={0} decimalScale={6} hideControls {...edit.of('price')} />
          <TextInput label={t('Currency')} spellCheck={false} {...edit.of('currency')} />
        </Group>
        <NumberInput
          label={t('Warn below a balance of')}
          description={t('Empty: no warning.')}
          min={0}
          decimalScale={2}
          hideControls
          {...edit.of('warn_below')}
        />
        {account.version > 0 ? (
          <>
            <Balance />
            <TestMessage key={account.version} dirty={edit.dirty} />
            <Group>
              <Button variant="subtle" color="brick" loading={remove.isPending} onClick={() => void askRemove()}>
                {t('Remove gateway')}
              </Button>
            </Group>
          </>
        ) : null}
      </SettingsSection>
    </Form>
  )
}

const amount = (micro: number, currency: string): string =>
  isCurrency(currency) ? money(minorOfMicro(micro, decimalsOf(currency)), currency) : ''

function Balance() {
  const t = useT()
  const balance = useCall(sms.balance, {}, { fresh: 60_000 })
  if (!balance.data || balance.data.provider === 'log') return null
  const { balance_micro, currency, warn, error } = balance.data
  if (error !== null) return <Text size="sm">{t(smsProblemWords[error])}</Text>
  if (balance_micro === null)
    return (
      <Text size="sm" c="dimmed">
        {t('This gateway names no balance.')}
      </Text>
    )
  return (
    <Group gap="xs">
      {warn ? <IconAlertTriangle size={16} color="var(--soon)" /> : null}
      <Text size="sm">{t('Balance: {{amount}}', { amount: amount(balance_micro, currency) })}</Text>
    </Group>
  )
}

function TestMessage({ dirty }: { dirty: boolean }) {
  const t = useT()
  const [to, setTo] = useState('')
  const test = useSend(sms.test, {})
  return (
    <Stack gap="xs">
      <Group align="end" gap="xs">
        <TextInput label={t('Number for a test')} type="tel" value={to} onChange={event => setTo(event.currentTarget.value)} />
        <Button
          variant="default"
          {...disabledBecause(dirty ? t('Save the changes first.') : to.trim().length < 3 && t('Enter a phone number first'))}
          loading={test.isPending}
          onClick={() => test.mutate({ body: { to } })}
        >
          {t('Send test message')}
        </Button>
      </Group>
      {dirty ? (
        <Text size="sm" c="dimmed">
          {t('Save first: the test uses what is saved.')}
        </Text>
      ) : null}
      {test.data && !dirty ? (
        <Alert
          color={test.data.problem === null ? 'moss' : 'brick'}
          icon={test.data.problem === null ? <IconCircleCheck size={20} /> : <IconAlertTriangle size={20} />}
        >
          {test.data.problem === null ? t('The gateway has taken the message.') : t(smsProblemWords[test.data.problem])} {test.data.answer}
        </Alert>
      ) : null}
    </Stack>
  )
}
