/** Connecting a shop: system, address and keys, a test with the shop's own words, settings, and from when on. */
import { Alert, Button, Stack, Table, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { instantOf, number, today } from '#ui/kit/format.ts'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { Wizard } from '#ui/kit/Wizard.tsx'
import { CallError } from '#ui/query/call-error.ts'
import { useSend } from '#ui/query/calls.ts'
import { CommonSettings, ConnectorFields, errorsOf } from './ConnectionFields.tsx'
import style from './ShopConnections.module.css'
import { shopConnections } from './shop-connections.contract.ts'
import { meaningWords } from './shop-connections.labels.ts'
import type { SystemRow, TestAnswer } from './shop-connections.schemas.ts'

const fieldsOf = (error: unknown): Readonly<Record<string, string>> => (error instanceof CallError ? error.fields : {})

export function NewConnection({ systems, made }: { systems: readonly SystemRow[]; made: (id: number) => void }) {
  const t = useT()
  const [step, setStep] = useState(0)
  const [code, setCode] = useState<string | null>(null)
  const [base_url, setAddress] = useState('')
  const [credentials, setCredentials] = useState<Record<string, string>>({})
  const [settings, setSettings] = useState<Record<string, string>>({})
  const [name, setName] = useState('')
  const [shop, setShop] = useState('main')
  const [from, setFrom] = useState(today())
  const [client_id] = useState(() => crypto.randomUUID())
  const test = useSend(shopConnections.try, { quiet: true, done: () => setStep(2) })
  const create = useSend(shopConnections.create, {
    quiet: true,
    refreshes: [shopConnections.list],
    said: t('Shop connected'),
    done: row => made(row.id),
  })
  const system = systems.find(one => one.system === code)
  const pull_from = instantOf(`${from}T00:00`)
  const keyErrors = errorsOf(fieldsOf(test.error), 'credentials')
  const createFields = fieldsOf(create.error)
  const addressError = fieldsOf(test.error).base_url
  const steps = [t('System'), t('Address and keys'), t('Test'), t('Settings'), t('Start')].map((label, place) => ({
    label,
    ...(place < step && { go: () => setStep(place) }),
  }))
  const back = step > 0 ? () => setStep(step - 1) : undefined
  const runTest = () => {
    if (system) test.mutate({ body: { system: system.system, base_url, credentials, settings } })
  }

  if (step === 0 || !system)
    return (
      <Wizard steps={steps} at={0}>
        <div className={style.systems}>
          {systems.map(one => (
            <UnstyledButton
              key={one.system}
              className={style.system}
              onClick={() => {
                if (one.system !== code) setCredentials({})
                setCode(one.system)
                setStep(1)
              }}
            >
              <Text fw={600}>{one.title}</Text>
              <Text size="sm" c="dimmed">
                {one.address_example}
              </Text>
            </UnstyledButton>
          ))}
        </div>
      </Wizard>
    )
  if (step === 1)
    return (
      <Wizard
        steps={steps}
        at={1}
        back={back}
        action={
          <Button
            loading={test.isPending}
            {...disabledBecause(base_url === '' && t('Enter the address of the shop first'))}
            onClick={runTest}
          >
            {t('Test connection')}
          </Button>
        }
      >
        <Stack gap="md" maw={560}>
          <TextInput
            label={t('Address of the shop')}
            placeholder={system.address_example}
            value={base_url}
            error={addressError && t(addressError)}
            maxLength={500}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            onChange={event => setAddress(event.currentTarget.value.trim())}
          />
          <ConnectorFields
            fields={system.credentials}
            values={credentials}
            change={(field, value) => setCredentials({ ...credentials, [field]: value })}
            errors={keyErrors}
          />
          {test.error ? (
            <Alert color="brick" icon={<IconAlertTriangle size={16} />} role="alert" title={t('The test failed')}>
              {errorSentence(test.error)}
            </Alert>
          ) : null}
        </Stack>
      </Wizard>
    )
  if (step === 2 && test.data)
    return (
      <Wizard
        steps={steps}
        at={2}
        back={back}
        action={
          <Button
            onClick={() => {
              if (name === '') setName(test.data.words.slice(0, 100))
              setStep(3)
            }}
          >
            {t('Continue')}
          </Button>
        }
      >
        <TestResult answer={test.data} />
      </Wizard>
    )
  if (step === 4)
    return (
      <Wizard
        steps={steps}
        at={4}
        back={back}
        action={
          <Button
            loading={create.isPending}
            {...disabledBecause((name === '' || pull_from === null) && t('Fill in all fields first'))}
            onClick={() =>
              create.mutate({
                body: { client_id, system: system.system, shop, name, base_url, credentials, settings, pull_from: pull_from ?? '' },
              })
            }
          >
            {t('Connect shop')}
          </Button>
        }
      >
        <Stack gap="md" maw={560}>
          <TextInput
            label={t('Name')}
            value={name}
            error={createFields.name && t(createFields.name)}
            maxLength={100}
            onChange={event => setName(event.currentTarget.value)}
          />
          <TextInput
            label={t('Shop code')}
            description={t('The code that its orders have here. Use the code of its webhook, where there is one.')}
            value={shop}
            error={createFields.shop && t(createFields.shop)}
            maxLength={40}
            autoCapitalize="none"
            spellCheck={false}
            onChange={event => setShop(event.currentTarget.value)}
          />
          <TextInput
            type="date"
            label={t('Take orders from')}
            description={t('Orders that were placed before come in only when you ask for them.')}
            value={from}
            max={today()}
            onChange={event => setFrom(event.currentTarget.value)}
          />
          {create.error ? (
            <Text c="brick" role="alert">
              {errorSentence(create.error)}
            </Text>
          ) : null}
        </Stack>
      </Wizard>
    )
  return (
    <Wizard steps={steps} at={3} back={back} action={<Button onClick={() => setStep(4)}>{t('Continue')}</Button>}>
      <Stack gap="md" maw={560}>
        <CommonSettings system={system} values={settings} change={(field, value) => setSettings({ ...settings, [field]: value })} />
        <ConnectorFields
          fields={system.settings}
          values={settings}
          change={(field, value) => setSettings({ ...settings, [field]: value })}
          errors={errorsOf(createFields, 'settings')}
          {...(test.data && { statuses: test.data.statuses })}
        />
      </Stack>
    </Wizard>
  )
}

/** What the shop says, and its orders as they would come in. */
export function TestResult({ answer }: { answer: TestAnswer }) {
  const t = useT()
  return (
    <Stack gap="md" maw={720}>
      <Alert color="moss" icon={<IconCircleCheck size={16} />} role="status" title={t('The shop answers')}>
        {answer.words}
      </Alert>
      {answer.warnings.map(warning => (
        <Alert key={warning} color="amber" icon={<IconAlertTriangle size={16} />}>
          {t(warning)}
        </Alert>
      ))}
      {answer.sample.length === 0 ? (
        <Text c="dimmed">{t('The shop has no orders of the last 30 days.')}</Text>
      ) : (
        <>
          <Text fw={600}>{t('Its last orders, as they are read')}</Text>
          <Table.ScrollContainer minWidth={480}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('Order')}</Table.Th>
                  <Table.Th>{t('In the shop')}</Table.Th>
                  <Table.Th>{t('Here')}</Table.Th>
                  <Table.Th>{t('Customer')}</Table.Th>
                  <Table.Th ta="end">{t('Items')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {answer.sample.map(row => (
                  <Table.Tr key={row.order_no}>
                    <Table.Td>{row.order_no}</Table.Td>
                    <Table.Td>{row.shop_status}</Table.Td>
                    <Table.Td>{row.problem ?? t(meaningWords[row.status] ?? row.status)}</Table.Td>
                    <Table.Td>{row.customer}</Table.Td>
                    <Table.Td ta="end">{number(row.items)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </>
      )}
    </Stack>
  )
}
