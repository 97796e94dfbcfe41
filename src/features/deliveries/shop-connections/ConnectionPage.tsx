/** One connection: its health, one order fetched again, what waits for the shop, its log, and its settings. */
import { Alert, Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { DaySpanInput } from '#ui/kit/DaySpanInput.tsx'
import { DescriptionItem, DescriptionList } from '#ui/kit/DescriptionList.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { daysAgo, duration, instantOf, number, today } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { Progress } from '#ui/kit/Progress.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { CallError } from '#ui/query/call-error.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { CommonSettings, ConnectorFields, errorsOf } from './ConnectionFields.tsx'
import { ConnectionLog } from './ConnectionLog.tsx'
import { TestResult } from './NewConnection.tsx'
import style from './ShopConnections.module.css'
import { shopConnections } from './shop-connections.contract.ts'
import { pushWords, stateTones, stateWords } from './shop-connections.labels.ts'
import type { ConnectionRow, SystemRow, WaitingPush } from './shop-connections.schemas.ts'

const refreshes = [shopConnections.list, shopConnections.log, shopConnections.waiting]

interface ConnectionPageProps {
  row: ConnectionRow
  system: SystemRow | undefined
  back: { to: string; label: string }
  gone: () => void
}

export function ConnectionPage({ row, system, back, gone }: ConnectionPageProps) {
  const t = useT()
  const { id, version } = row
  const [opened, setOpened] = useState<'settings' | 'backfill' | 'test' | null>(null)
  const [job_id, setJob] = useState<number | null>(null)
  const close = () => setOpened(null)
  const pause = useSend(shopConnections.pause, { refreshes, said: t('Connection paused') })
  const resume = useSend(shopConnections.resume, { refreshes, said: t('Connection resumed') })
  const remove = useSend(shopConnections.remove, { refreshes, said: t('Connection removed'), done: gone })
  const test = useSend(shopConnections.test, { refreshes, done: () => setOpened('test') })
  const askPause = async () => {
    const body = t('Nothing is read or reported meanwhile. All of it follows when you resume.')
    if (await confirm({ title: t('Pause connection?'), body, action: t('Pause') })) pause.mutate({ id, body: { version } })
  }
  const askRemove = async () => {
    const body = t('Its keys, its log and {{count}} waiting reports go. Its orders stay.', { count: number(row.waiting) })
    if (await confirm({ title: t('Remove connection?'), body, action: t('Remove connection'), danger: true })) remove.mutate({ id })
  }
  return (
    <Page
      title={row.name}
      note={`${row.title} · ${row.base_url}`}
      badge={<StateBadge tone={stateTones[row.state]}>{t(stateWords[row.state])}</StateBadge>}
      back={back}
      actions={
        <>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default" rightSection={<IconChevronDown size={16} />}>
                {t('More')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setOpened('settings')}>{t('Change settings')}</Menu.Item>
              <Menu.Item onClick={() => setOpened('backfill')}>{t('Read old orders')}</Menu.Item>
              {row.state === 'active' ? <Menu.Item onClick={() => void askPause()}>{t('Pause')}</Menu.Item> : null}
              <Menu.Item color="brick" onClick={() => void askRemove()}>
                {t('Remove connection')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ id })}>
            {t('Test connection')}
          </Button>
          {row.state === 'paused' ? (
            <Button loading={resume.isPending} onClick={() => resume.mutate({ id, body: { version } })}>
              {t('Resume')}
            </Button>
          ) : null}
        </>
      }
    >
      {row.state === 'broken' ? (
        <Alert color="brick" icon={<IconAlertTriangle size={16} />} role="alert" mb="md" title={t('Nothing is read or reported')}>
          {t('Check the address and the keys, then test the connection: it resumes by itself.')}
        </Alert>
      ) : null}
      <DescriptionList>
        <DescriptionItem name={t('Last order')}>
          <RelativeTime at={row.last_order_at} as="age" />
        </DescriptionItem>
        <DescriptionItem name={t('Behind')}>{row.lag_s === 0 ? t('Up to date') : duration(row.lag_s)}</DescriptionItem>
        <DescriptionItem name={t('Orders read today')}>{number(row.pulled_today)}</DescriptionItem>
        <DescriptionItem name={t('Reported today')}>{number(row.pushed_today)}</DescriptionItem>
        <DescriptionItem name={t('Found at night')}>{number(row.swept_today)}</DescriptionItem>
        <DescriptionItem name={t('Last webhook')}>
          <RelativeTime at={row.webhook_at} as="age" />
        </DescriptionItem>
        <DescriptionItem name={t('Last error')}>
          {row.error === null ? (
            '–'
          ) : (
            <>
              {t(row.error)} <RelativeTime at={row.error_at} as="age" />
            </>
          )}
        </DescriptionItem>
      </DescriptionList>
      {job_id === null ? null : <BackfillProgress job_id={job_id} />}
      <FetchOrder id={id} />
      <Waiting id={id} />
      <section className={style.part}>
        <h2>{t('Log of 30 days')}</h2>
        <ConnectionLog id={id} />
      </section>
      {system ? (
        <Drawer opened={opened === 'settings'} onClose={close} title={t('Settings of the connection')}>
          <EditConnection row={row} system={system} done={close} />
        </Drawer>
      ) : null}
      <Dialog opened={opened === 'backfill'} onClose={close} title={t('Read old orders')}>
        <Backfill
          id={id}
          limit={system?.backfill_limit ?? null}
          begun={started => {
            setJob(started)
            close()
          }}
        />
      </Dialog>
      <Dialog opened={opened === 'test'} onClose={close} title={t('Test')} size="lg">
        {test.data ? <TestResult answer={test.data} /> : null}
      </Dialog>
    </Page>
  )
}

/** Reads one order again, and says what came of it. */
function FetchOrder({ id }: { id: number }) {
  const t = useT()
  const [order, setOrder] = useState('')
  const fetch = useSend(shopConnections.fetch, { quiet: true, refreshes })
  const words = {
    created: t('The order has come in'),
    updated: t('The order was changed'),
    unchanged: t('The order is as it is in the shop'),
    refused: t('The order was not taken'),
    ignored: t('The order was not taken'),
    not_found: t('The shop has no such order'),
  }
  const answer = fetch.data
  return (
    <section className={style.part}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (order !== '') fetch.mutate({ id, body: { order } })
        }}
      >
        <Group align="end" gap="xs">
          <TextInput
            label={t('Order number in the shop')}
            value={order}
            maxLength={60}
            autoComplete="off"
            onChange={event => setOrder(event.currentTarget.value.trim())}
          />
          <Button
            type="submit"
            variant="default"
            loading={fetch.isPending}
            {...disabledBecause(order === '' && t('Enter an order number first'))}
          >
            {t('Fetch this order again')}
          </Button>
        </Group>
      </form>
      <Text size="sm" role="status" mt="xs" component="div">
        {fetch.error ? errorSentence(fetch.error) : null}
        {answer ? (
          <>
            {answer.order_id === null ? (
              words[answer.result]
            ) : (
              <Link to="/parcels/orders" search={{ id: answer.order_id }}>
                {words[answer.result]}
              </Link>
            )}
            {answer.words !== null && answer.result !== 'not_found' ? ` – ${t(answer.words)}` : null}
          </>
        ) : null}
      </Text>
    </section>
  )
}

function Waiting({ id }: { id: number }) {
  const t = useT()
  const answer = useCall(shopConnections.waiting, { id }, { live: ['shop_connection'], keep: true })
  const retry = useSend(shopConnections.retry, { refreshes, said: t('It is reported again now') })
  const [dropping, setDropping] = useState<WaitingPush | null>(null)
  const rows = answer.data?.rows ?? []
  if (rows.length === 0) return null
  return (
    <section className={style.part}>
      <h2>{t('Not reported yet')}</h2>
      {rows.map(row => (
        <div key={row.id} className={style.waiting}>
          <div>
            <Text component="div">
              {row.order_id === null ? null : (
                <Link to="/parcels/orders" search={{ id: row.order_id }}>
                  {row.order_no}
                </Link>
              )}{' '}
              {t(pushWords[row.event] ?? row.event)} · <RelativeTime at={row.at} as="age" />
            </Text>
            <Text size="sm" c="dimmed" component="div">
              {row.given_up ? t('Abandoned') : t('Attempts: {{count}}', { count: number(row.attempts) })}
              {row.answer ? ` · ${t(row.answer)}` : null}
            </Text>
          </div>
          <Group gap="xs">
            <Button size="compact-sm" variant="default" onClick={() => retry.mutate({ id, delivery: row.id })}>
              {t('Report now')}
            </Button>
            {row.given_up ? null : (
              <Button size="compact-sm" variant="subtle" color="brick" onClick={() => setDropping(row)}>
                {t('Do not report')}
              </Button>
            )}
          </Group>
        </div>
      ))}
      <Dialog opened={dropping !== null} onClose={() => setDropping(null)} title={t('Do not report')}>
        {dropping ? <Drop id={id} row={dropping} done={() => setDropping(null)} /> : null}
      </Dialog>
    </section>
  )
}

function Drop({ id, row, done }: { id: number; row: WaitingPush; done: () => void }) {
  const t = useT()
  const [reason, setReason] = useState('')
  const drop = useSend(shopConnections.drop, { refreshes, said: t('The shop is not told'), done })
  return (
    <Stack gap="md">
      <Text>{t('The shop is not told of order {{order_no}}. The reason is in the log.', { order_no: row.order_no ?? '' })}</Text>
      <TextInput label={t('Reason')} value={reason} maxLength={200} onChange={event => setReason(event.currentTarget.value)} />
      <Group justify="flex-end">
        <Button
          color="brick"
          loading={drop.isPending}
          {...disabledBecause(reason.trim() === '' && t('Enter a reason first'))}
          onClick={() => drop.mutate({ id, delivery: row.id, body: { reason } })}
        >
          {t('Do not report')}
        </Button>
      </Group>
    </Stack>
  )
}

function Backfill({ id, limit, begun }: { id: number; limit: string | null; begun: (job_id: number) => void }) {
  const t = useT()
  const [span, setSpan] = useState({ from: daysAgo(30), to: today() })
  const start = useSend(shopConnections.backfill, { quiet: true, done: ({ job_id }) => begun(job_id) })
  const begin = instantOf(`${span.from}T00:00`)
  const end = instantOf(`${span.to}T23:59`)
  return (
    <Stack gap="md">
      <Text>{t('Orders that were placed on these days come in. What the shop has sent already comes in as closed.')}</Text>
      {limit === null ? null : <Alert color="amber">{t(limit)}</Alert>}
      <DaySpanInput value={span} onChange={setSpan} />
      {start.error ? (
        <Text c="brick" role="alert">
          {errorSentence(start.error)}
        </Text>
      ) : null}
      <Group justify="flex-end">
        <Button
          loading={start.isPending}
          {...disabledBecause((begin === null || end === null) && t('Select both days first'))}
          onClick={() => start.mutate({ id, body: { from: begin ?? '', to: end ?? '' } })}
        >
          {t('Read orders')}
        </Button>
      </Group>
    </Stack>
  )
}

/** How far the reading of old orders is, and a way to stop it. */
function BackfillProgress({ job_id }: { job_id: number }) {
  const t = useT()
  const { data: job } = useCall(jobs.get, { id: job_id }, { live: ['job'], keep: true })
  const cancel = useSend(jobs.cancel, { refreshes: [jobs.get], said: t('The job stops') })
  if (!job) return null
  const running = job.state === 'queued' || job.state === 'running'
  return (
    <section className={style.part}>
      <Progress
        label={running ? t('Old orders are read') : job.state === 'done' ? t('Old orders were read') : t('Stopped')}
        done={job.done}
        total={running ? null : job.done}
        state={job.state === 'queued' ? 'running' : job.state}
        {...(running && { cancel: () => cancel.mutate({ id: job_id }), cancelling: cancel.isPending })}
      />
      {job.message ? (
        <Text c="brick" role="alert" mt="xs">
          {job.refusal ? t(job.refusal.text, job.refusal.values) : job.message}
        </Text>
      ) : null}
    </section>
  )
}

function EditConnection({ row, system, done }: { row: ConnectionRow; system: SystemRow; done: () => void }) {
  const t = useT()
  // The version at which this form was opened: a background refresh must not make an old form look current.
  const [version] = useState(row.version)
  const [name, setName] = useState(row.name)
  const [base_url, setAddress] = useState(row.base_url)
  const [credentials, setCredentials] = useState<Record<string, string>>({})
  const [settings, setSettings] = useState<Record<string, string>>(row.settings)
  const save = useSend(shopConnections.change, { quiet: true, refreshes, said: t('Settings saved'), done })
  const fields = save.error instanceof CallError ? save.error.fields : {}
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        save.mutate({ id: row.id, body: { version, name, base_url, credentials, settings } })
      }}
    >
      <Stack gap="md">
        <TextInput
          label={t('Name')}
          value={name}
          maxLength={100}
          error={fields.name && t(fields.name)}
          onChange={event => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t('Address of the shop')}
          value={base_url}
          maxLength={500}
          error={fields.base_url && t(fields.base_url)}
          autoCapitalize="none"
          spellCheck={false}
          onChange={event => setAddress(event.currentTarget.value.trim())}
        />
        <ConnectorFields
          fields={system.credentials}
          values={credentials}
          change={(field, value) => setCredentials({ ...credentials, [field]: value })}
          errors={errorsOf(fields, 'credentials')}
          stored
        />
        <CommonSettings system={system} values={settings} change={(field, value) => setSettings({ ...settings, [field]: value })} />
        <ConnectorFields
          fields={system.settings}
          values={settings}
          change={(field, value) => setSettings({ ...settings, [field]: value })}
          errors={errorsOf(fields, 'settings')}
        />
        {save.error ? (
          <Text c="brick" role="alert">
            {errorSentence(save.error)}
          </Text>
        ) : null}
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={save.isPending}
            {...disabledBecause((name.trim() === '' || base_url === '') && t('Fill in all fields first'))}
          >
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
