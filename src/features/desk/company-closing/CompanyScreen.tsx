/** One company of the operator: everything of it as an archive, closing it, and opening it again. */
import { Alert, Button, Group, List, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { company } from '#features/company/companies/companies.contract.ts'
import { OwnIdentity } from '#features/company/sign-in-provider/OwnIdentity.tsx'
import { CompanyExports } from '#features/desk/company-exports/CompanyExports.tsx'
import { CompanyLimits } from '#features/desk/company-limits/CompanyLimits.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { day, instant, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlNumber } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { companyClosing } from './company-closing.contract.ts'
import { CloseCompany, type CompanyClosing } from './company-closing.schemas.ts'
import { type BlockKind, graceDays } from './kept-tables.codes.ts'

const CompanyUrl = { id: urlNumber(0) }

const companies = '/settings/global-config'

/** Without a company, the list to choose one from. */
export function CompanyScreen() {
  const t = useT()
  const [url] = useUrlState(CompanyUrl)
  const answer = useCall(companyClosing.get, { company_id: url.id }, { live: ['company', 'order', 'job'], enabled: url.id > 0 })
  if (url.id === 0) return <Navigate to={companies} replace />
  return (
    <Page
      title={answer.data?.name ?? t('Company')}
      back={{ to: companies, label: t('All companies') }}
      {...(answer.data && { note: t('{{count}} users', { count: answer.data.users, formatted: number(answer.data.users) }) })}
      narrow
    >
      <QueryState of={answer} shape="rows">
        {row => (
          <>
            {row.closed_at ? null : <CompanyLimits company_id={row.id} />}
            <CompanyExports company_id={row.id} name={row.name} erased={row.erased_at !== null} />
            {row.is_main ? null : <Closing row={row} />}
          </>
        )}
      </QueryState>
    </Page>
  )
}

function Closing({ row }: { row: CompanyClosing }) {
  const t = useT()
  const [closing, setClosing] = useState(false)
  return (
    <SettingsSection
      title={row.closed_at ? t('Closed company') : t('Close company')}
      help={t(
        'No one signs in to a closed company, and nothing is taken or sent for it. Its data are erased some days later, but for what the law keeps.',
      )}
    >
      {row.closed_at ? <Closed row={row} /> : <Blocks row={row} />}
      <Kept row={row} />
      {row.closed_at ? null : (
        <Group>
          <Button
            variant="default"
            color="brick"
            {...disabledBecause(row.blocks.length > 0 && t('Finish what is listed above first'))}
            onClick={() => setClosing(true)}
          >
            {t('Close company')}
          </Button>
        </Group>
      )}
      <Dialog opened={closing} onClose={() => setClosing(false)} title={t('Close {{company}}?', { company: row.name })}>
        <CloseForm row={row} close={() => setClosing(false)} />
      </Dialog>
    </SettingsSection>
  )
}

/** What has to end first, each with the list where it is worked on. */
function Blocks({ row }: { row: CompanyClosing }) {
  const t = useT()
  const places: Record<BlockKind, { to: string; search?: Record<string, string | number>; words: (count: number) => string }> = {
    orders: {
      to: '/parcels/orders',
      search: { open: '1', company: String(row.id) },
      words: count => t('{{count}} open orders', { count, formatted: number(count) }),
    },
    hand_overs: { to: '/lists/collect', words: count => t('{{count}} lists that wait for a courier', { count, formatted: number(count) }) },
    invoices: {
      to: '/lists/invoices',
      words: count => t('{{count}} customs invoices that were not sent', { count, formatted: number(count) }),
    },
    returns: { to: '/returns', words: count => t('{{count}} open returns', { count, formatted: number(count) }) },
  }
  if (row.blocks.length === 0) return <Text>{t('Nothing is open: the company can be closed.')}</Text>
  return (
    <Alert color="amber" title={t('This has to end first')}>
      <List size="sm">
        {row.blocks.map(({ kind, count }) => (
          <List.Item key={kind}>
            <Link to={places[kind].to} search={places[kind].search ?? {}}>
              {places[kind].words(count)}
            </Link>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

function Kept({ row }: { row: CompanyClosing }) {
  const t = useT()
  const words: Record<CompanyClosing['kept'][number]['what'], string> = {
    invoices: t('Invoices for customs'),
    pay: t('Payroll files'),
    hours: t('Working time'),
  }
  if (row.kept.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={500}>
        {t('The law keeps this longer:')}
      </Text>
      <List size="sm">
        {row.kept.map(({ what, until }) => (
          <List.Item key={what}>{t('{{what}}, until {{day}}', { what: words[what], day: day(until) })}</List.Item>
        ))}
      </List>
    </div>
  )
}

function Closed({ row }: { row: CompanyClosing }) {
  const t = useT()
  const reopen = useSend(companyClosing.reopen, {
    refreshes: [companyClosing.get, company.companies],
    said: t('The company is open again'),
  })
  const ask = async () => {
    const sure = await confirm({
      title: t('Open {{company}} again?', { company: row.name }),
      body: t('Its people sign in again, and what waited is sent.'),
      action: t('Open again'),
    })
    if (sure) reopen.mutate({ company_id: row.id })
  }
  const isOver = row.erase_from !== null && Date.parse(row.erase_from) <= Date.now()
  return (
    <Stack gap="xs">
      <Text>{t('{{name}} closed it on {{at}}.', { name: row.closed_by ?? '', at: instant(row.closed_at ?? '') })}</Text>
      {row.reason ? <Text style={{ whiteSpace: 'pre-wrap' }}>{row.reason}</Text> : null}
      {row.erased_at ? (
        <Text>{t('Its data were erased on {{at}}.', { at: instant(row.erased_at) })}</Text>
      ) : isOver ? (
        <Text>{t('Its data are being erased.')}</Text>
      ) : (
        <>
          <Text>{t('Its data are erased on {{at}}. Until then it can be opened again.', { at: instant(row.erase_from ?? '') })}</Text>
          <Group>
            <Button variant="default" loading={reopen.isPending} onClick={() => void ask()}>
              {t('Open again')}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  )
}

function CloseForm({ row, close }: { row: CompanyClosing; close: () => void }) {
  const t = useT()
  const initial: { code: string; reason: string; days: number; password: string } = {
    code: '',
    reason: '',
    days: graceDays.usual,
    password: '',
  }
  const edit = useEdit({
    schema: CloseCompany,
    initial,
    save: body => send(companyClosing.close, { company_id: row.id, body }),
    refreshes: [companyClosing.get, company.companies],
    said: t('The company is closed'),
    done: close,
  })
  return (
    <Form edit={edit} action={t('Close company')} cancel={close} unguarded>
      <Text size="sm">
        {t(
          'Its {{count}} users are signed out at once. Keys, imports, webhooks and shop connections stop. Tracking pages stay until the data are erased.',
          {
            count: row.users,
            formatted: number(row.users),
          },
        )}
      </Text>
      <TextInput
        label={t('Type the code {{code}}', { code: row.code })}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...edit.of('code')}
      />
      <Textarea label={t('Reason')} autosize minRows={2} maxRows={6} {...edit.of('reason')} />
      <WholeNumberInput
        label={t('Days until data are erased')}
        description={t('Until then the company can be opened again.')}
        min={graceDays.least}
        max={graceDays.most}
        {...edit.of('days')}
      />
      <OwnIdentity field={edit.of('password')} />
    </Form>
  )
}
