/** Payroll: a period with what everyone earns, what has to be solved, and its export; or the pay of any days. */
import { Alert, Anchor, Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core'
import { IconChevronDown, IconDownload, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { addDays } from '#domain/local-time.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { CprNumber } from '#features/people/employees/CprNumber.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { instant, money, today } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { Progress } from '#ui/kit/Progress.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { PayLines } from './PayLines.tsx'
import { PayTable, payViews } from './PayTable.tsx'
import { PayTerms } from './PayTerms.tsx'
import { ExportDialog, PeriodDialog, ReopenDialog } from './PeriodDialogs.tsx'
import { payLists, salary } from './salary.contract.ts'
import type { PayPeriod, PersonPay } from './salary.schemas.ts'
import { formatWord, problemHelp, problemWord, spanText, stateWord } from './salary-words.client.ts'

const Url = {
  /** A period; 0 for the latest. */
  period: urlNumber(0),
  /** Any days instead of a period. */
  from: urlText(),
  to: urlText(),
  /** A kept list of these days. */
  list: urlNumber(0),
  view: urlChoice(payViews, 'all'),
  query: urlText(),
  sort: urlText('name'),
  id: urlNumber(0),
}

export function SalaryScreen() {
  const t = useT()
  const periods = useCall(salary.periods, {}, { live: ['payroll'] })
  const [url, setUrl] = useUrlState(Url)
  const [isAdding, setAdding] = useState(false)
  const isAnyDays = url.from !== '' && url.to !== ''
  const chosen = periods.data?.find(one => one.id === url.period) ?? periods.data?.[0]
  const dialog = (
    <PeriodDialog
      opened={isAdding}
      after={periods.data?.[0]?.to_day ?? null}
      close={() => setAdding(false)}
      done={period => setUrl({ period: period.id, from: '', to: '', list: 0, id: 0 })}
    />
  )
  const choice = (
    <NativeChoice
      aria-label={t('Period')}
      data={[
        ...(periods.data ?? []).map(one => ({
          value: String(one.id),
          label: spanText(one.from_day, one.to_day) + (one.state === 'open' ? '' : ` · ${stateWord(t, one.state)}`),
        })),
        { value: 'days', label: t('Any days') },
        { value: 'new', label: t('New period…') },
      ]}
      value={isAnyDays ? 'days' : String(chosen?.id ?? 'days')}
      choose={value => {
        if (value === 'new') setAdding(true)
        else if (value === 'days') setUrl({ from: addDays(today(), -13), to: today(), list: 0, id: 0 })
        else setUrl({ period: Number(value), from: '', to: '', list: 0, id: 0, view: 'all' })
      }}
    />
  )
  if (!periods.data)
    return (
      <Page title={t('Payroll')} fill>
        <QueryState of={periods} shape="rows">
          {() => null}
        </QueryState>
      </Page>
    )
  if (isAnyDays)
    return (
      <>
        <AnyDays choice={choice} />
        {dialog}
      </>
    )
  if (!chosen)
    return (
      <Page
        title={t('Payroll')}
        fill
        actions={
          <Button variant="default" onClick={() => setUrl({ from: addDays(today(), -13), to: today() })}>
            {t('Any days')}
          </Button>
        }
      >
        <EmptyList
          title={t('No pay period yet')}
          action={
            <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
              {t('Add period')}
            </Button>
          }
        >
          {t('A period gathers the approved days that are paid together.')}
        </EmptyList>
        {dialog}
      </Page>
    )
  return (
    <>
      <Period key={chosen.id} period={chosen} choice={choice} />
      {dialog}
    </>
  )
}

const noRows: readonly PersonPay[] = []

function Period({ period, choice }: { period: PayPeriod; choice: ReactNode }) {
  const t = useT()
  const [url, setUrl] = useUrlState(Url)
  const [open, setOpen] = useState<'' | 'export' | 'reopen'>('')
  const answer = useCall(salary.period, { id: period.id }, { live: ['payroll', 'timesheet'], keep: true })
  const rows = answer.data?.rows ?? noRows
  const currency = answer.data?.currency ?? 'DKK'
  const total = rows.reduce((sum, row) => sum + row.total, 0)
  const file = useCommand((id: number) => send(salary.file, { id }), { done: saveFile })
  const remove = useSend(salary.removePeriod, { refreshes: [salary.periods], said: t('Period removed'), done: () => setUrl({ period: 0 }) })
  const [latest] = period.exports
  const askRemove = async () => {
    if (await confirm({ title: t('Remove this period?'), body: t('Hours and pay stay.'), action: t('Remove period'), danger: true }))
      remove.mutate({ id: period.id })
  }
  return (
    <Page
      title={t('Payroll')}
      fill
      note={`${stateWord(t, period.state)} · ${money(total, currency)}`}
      actions={
        <Group gap="xs">
          {choice}
          <Menu>
            <Menu.Target>
              <Button variant="default" rightSection={<IconChevronDown size={16} />}>
                {t('More')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {period.exports.map(one => (
                <Menu.Item key={one.id} leftSection={<IconDownload size={16} />} onClick={() => file.mutate(one.id)}>
                  {formatWord(t, one.format)} · {instant(one.made_at)}
                  <Text size="sm" c="dimmed">
                    {t('{{rows}} rows by {{name}}', { rows: one.rows, name: one.made_by })} · SHA-256 {one.sha256.slice(0, 12)}
                  </Text>
                </Menu.Item>
              ))}
              {period.state === 'exported' ? <Menu.Item onClick={() => setOpen('reopen')}>{t('Reopen…')}</Menu.Item> : null}
              {period.exports.length === 0 ? (
                <Menu.Item color="brick" onClick={() => void askRemove()}>
                  {t('Remove period')}
                </Menu.Item>
              ) : null}
            </Menu.Dropdown>
          </Menu>
          {period.state === 'exported' && latest ? (
            <Button leftSection={<IconDownload size={16} />} loading={file.isPending} onClick={() => file.mutate(latest.id)}>
              {t('Download file')}
            </Button>
          ) : (
            <Button {...disabledBecause(rows.length === 0 && t('There is nothing to export'))} onClick={() => setOpen('export')}>
              {t('Export')}
            </Button>
          )}
        </Group>
      }
    >
      <PayTable
        rows={rows}
        state={{
          isLoading: answer.isPending,
          isRefreshing: answer.isFetching && !answer.isPending,
          error: answer.error,
          refetch: () => void answer.refetch(),
        }}
        currency={currency}
        fileName={`pay-${period.from_day}-${period.to_day}`}
        url={url}
        setUrl={setUrl}
        search={url.period > 0 ? { period: String(url.period) } : {}}
        isExported={period.state === 'exported'}
        open={id => setUrl({ id })}
        opened={url.id || null}
        next={
          <Button variant="default" component={Link} to="/schedule/timesheet">
            {t('Open the timesheet')}
          </Button>
        }
      />
      <Drawer
        opened={url.id > 0}
        onClose={() => setUrl({ id: 0 })}
        size={640}
        title={rows.find(row => row.user_id === url.id)?.user_name ?? t('Pay')}
      >
        {url.id > 0 ? <Person key={url.id} period_id={period.id} user_id={url.id} currency={currency} /> : null}
      </Drawer>
      {open === 'export' ? (
        <ExportDialog period={period} rows={rows} has_employer_no={answer.data?.has_employer_no ?? false} close={() => setOpen('')} />
      ) : null}
      {open === 'reopen' ? <ReopenDialog period={period} close={() => setOpen('')} /> : null}
    </Page>
  )
}

function Person({ period_id, user_id, currency }: { period_id: number; user_id: number; currency: string }) {
  const t = useT()
  const person = useCall(salary.person, { id: period_id, user_id }, { live: ['payroll', 'timesheet'] })
  return (
    <Stack gap="lg">
      <QueryState of={person} shape="form">
        {found => (
          <>
            {found.problems.map(one => (
              <Alert key={one.kind} color={one.blocks ? 'brick' : 'amber'} title={problemWord(t, one)}>
                {problemHelp(t, one.kind)} <SolveLink problem={one} user_id={user_id} />
              </Alert>
            ))}
            <Text fw={600}>{t('How this amount is made')}</Text>
            <PayLines person={found} currency={currency} />
          </>
        )}
      </QueryState>
      <PayTerms user_id={user_id} currency={currency} />
      {person.data ? <CprNumber user_id={user_id} name={person.data.user_name} /> : null}
    </Stack>
  )
}

function SolveLink({ problem: { kind }, user_id }: { problem: PersonPay['problems'][number]; user_id: number }) {
  const t = useT()
  if (kind === 'days_open' || kind === 'long_week')
    return (
      <Anchor component={Link} underline="always" to="/schedule/timesheet">
        {t('Open the timesheet')}
      </Anchor>
    )
  if (kind === 'no_employee_no' || kind === 'employee_no_form' || kind === 'employee_no_twice' || kind === 'no_week_hours')
    return (
      <Anchor component={Link} underline="always" to="/users" search={{ id: String(user_id) }}>
        {t('Open the person')}
      </Anchor>
    )
  return kind === 'no_code' ? (
    <Anchor component={Link} underline="always" to="/salary/rules" search={{ id: 'settings' }}>
      {t('Open the settings')}
    </Anchor>
  ) : null
}

/** The pay of any days, made by a job. */
function AnyDays({ choice }: { choice: ReactNode }) {
  const t = useT()
  const [url, setUrl] = useUrlState(Url)
  const span = { start: url.from, end: url.to }
  const [job_id, setJob] = useState(0)
  const start = useCommand(() => send(payLists.payList, { ...span, job: '1' }), { done: answer => setJob(answer.job_id ?? 0) })
  const list = useCall(payLists.payList, { ...span, id: url.list }, { enabled: url.list > 0, fresh: 600_000 })
  const rows = list.data?.rows ?? noRows
  const opened = rows.find(row => row.user_id === url.id)
  const currency = list.data?.currency ?? 'DKK'
  const show = useCallback((id: number) => setUrl({ list: id }), [setUrl])
  const change = (days: { from?: string; to?: string }) => {
    setJob(0)
    setUrl({ ...days, list: 0, id: 0 })
  }
  return (
    <Page
      title={t('Payroll')}
      fill
      note={list.data ? t('Made {{time}}', { time: instant(list.data.made_at) }) : undefined}
      actions={
        <Group gap="xs">
          {choice}
          <TextInput
            type="date"
            aria-label={t('From')}
            value={url.from}
            max={url.to}
            onChange={event => event.currentTarget.value && change({ from: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            aria-label={t('Until')}
            value={url.to}
            min={url.from}
            onChange={event => event.currentTarget.value && change({ to: event.currentTarget.value })}
          />
          <Button loading={start.isPending} onClick={() => start.mutate(undefined)}>
            {t('Make list')}
          </Button>
        </Group>
      }
    >
      {job_id > 0 && url.list === 0 ? (
        <ListJob id={job_id} done={show} />
      ) : (
        <PayTable
          rows={rows}
          state={{
            isLoading: url.list > 0 && list.isPending,
            isRefreshing: false,
            error: list.error,
            refetch: () => void list.refetch(),
          }}
          currency={currency}
          fileName={`pay-${url.from}-${url.to}`}
          url={url}
          setUrl={setUrl}
          search={{ from: url.from, to: url.to, ...(url.list > 0 && { list: String(url.list) }) }}
          isExported={false}
          open={id => setUrl({ id })}
          opened={url.id || null}
          next={
            <Button variant="default" loading={start.isPending} onClick={() => start.mutate(undefined)}>
              {t('Make list')}
            </Button>
          }
        />
      )}
      <Dialog opened={opened !== undefined} onClose={() => setUrl({ id: 0 })} title={opened?.user_name ?? t('Pay')} size={560}>
        {opened ? <PayLines person={opened} currency={currency} /> : null}
      </Dialog>
    </Page>
  )
}

function ListJob({ id, done }: { id: number; done: (list_id: number) => void }) {
  const t = useT()
  const job = useCall(jobs.get, { id }, { live: ['job'], every: 1_000 })
  const cancel = useSend(jobs.cancel, { refreshes: [jobs.get] })
  const made = job.data?.state === 'done' ? madeList(job.data.result) : 0
  useEffect(() => {
    if (made > 0) done(made)
  }, [made, done])
  if (!job.data) return <Skeleton shape="rows" />
  const { state, done: counted, total, started_at, cancel_asked_at } = job.data
  if (made > 0) return <Skeleton shape="rows" />
  return (
    <Progress
      label={t('Counting days of work')}
      done={counted}
      total={total}
      began={started_at}
      state={state === 'failed' || state === 'cancelled' ? state : 'running'}
      cancel={() => cancel.mutate({ id })}
      cancelling={cancel_asked_at !== null}
    />
  )
}

const madeList = (result: unknown): number =>
  typeof result === 'object' && result !== null && 'list_id' in result ? Number(result.list_id) : 0
