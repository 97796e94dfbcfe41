/** Order alerts: who learns of which orders, what happens to those, and how the mails go out. */
import { Anchor, Button, Text } from '@mantine/core'
import { IconPlus, IconSettings } from '@tabler/icons-react'
import { useMemo } from 'react'
import { access } from '#contract/access.ts'
import { isOneOf } from '#domain/objects.ts'
import { ruleSentence } from '#domain/rules/rule-sentence.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { ExportButton } from '#ui/kit/ExportButton.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { ruleWords } from '#ui/rules/rule.labels.ts'
import { OrderAlertForm } from './OrderAlertForm.tsx'
import { OrderAlertSettingsForm } from './OrderAlertSettingsForm.tsx'
import { alertModes, alertSorts } from './order-alerts.codes.ts'
import { orderAlertSettings, orderAlerts } from './order-alerts.contract.ts'
import { modeLabels } from './order-alerts.labels.ts'
import { alertRule } from './order-alerts.rules.ts'
import type { OrderAlert } from './order-alerts.schemas.ts'

const states = ['on', 'off'] as const
const View = {
  query: urlText(),
  state: urlChoice(['', ...states], ''),
  mode: urlChoice(['', ...alertModes], ''),
  sort: urlChoice(alertSorts, 'email'),
  page: urlNumber(1),
  /** Id of the open alert, `new` or `settings`. */
  id: urlText(),
}
const path = '/settings/order-alerts'
const keyOf = (row: OrderAlert) => row.id
const refreshes = [orderAlerts.search, orderAlerts.one]

function sentenceOf(alert: OrderAlert): string {
  const rule = alertRule(alert)
  return rule ? ruleSentence(rule, ruleWords) : '–'
}

const fieldsOf = ({ id: _id, broken: _broken, version: _version, updated_at: _at, hits: _hits, ...fields }: OrderAlert) => fields

export function OrderAlertsScreen() {
  const t = useT()
  const { init } = useSignedIn()
  const maySet = useIsAllowed(access.settings)
  const [url, setUrl, urlWith] = useUrlState(View)
  const question = {
    sort: url.sort,
    ...(url.query && { query: url.query }),
    ...(url.mode && { mode: url.mode }),
    ...(url.state && { enabled: url.state === 'on' }),
  }
  const list = usePagedList(orderAlerts.search, { ...question, page: url.page, limit: 50 }, { live: ['order_alert'], keyOf })
  const settings = useCall(orderAlertSettings.get, {}, { live: ['order_alert'] })
  const save = useCommand(() => send(orderAlerts.export, question), { done: saveFile })
  const companies = useMemo(() => new Map(init.CompanyLookup.map(company => [company.id, company.name])), [init])
  const close = () => setUrl({ id: '' })
  const turn = useCommand(
    ({ id, enabled }: OrderAlert) => (enabled ? send(orderAlerts.disable, { id }) : send(orderAlerts.enable, { id })),
    { refreshes, done: () => list.showPendingChanges() },
  )
  const putBack = useCommand((row: OrderAlert) => send(orderAlerts.update, { id: 0, body: fieldsOf(row) }), {
    refreshes,
    said: t('The alert is back'),
    done: () => list.showPendingChanges(),
  })
  const remove = useCommand((row: OrderAlert) => send(orderAlerts.remove, { id: row.id }), {
    refreshes,
    done: (_answer, row) => {
      close()
      list.showPendingChanges()
      toastWithUndo(t('Alert for {{email}} removed', { email: row.email }), () => putBack.mutate(row))
    },
  })
  const columns = useMemo<Column<OrderAlert>[]>(
    () => [
      {
        key: 'email',
        title: t('Recipient'),
        sort: true,
        cell: row => (
          <Anchor component={Link} underline="always" to={path} search={urlWith({ id: String(row.id) })}>
            {row.email}
          </Anchor>
        ),
      },
      { key: 'rule', title: t('Condition'), flex: 3, cell: row => <span title={sentenceOf(row)}>{sentenceOf(row)}</span> },
      { key: 'mode', title: t('What happens'), flex: 2, cell: row => t(modeLabels[row.mode]) },
      { key: 'note', title: t('Note'), flex: 2, hidden: true, cell: row => row.note || '–' },
      { key: 'hits', title: t('Last 30 days'), align: 'end', sort: true, cell: row => number(row.hits) },
      { key: 'state', title: t('Status'), cell: row => <AlertState of={row} /> },
      {
        key: 'mail',
        title: t('Mail'),
        flex: 1,
        hidden: true,
        cell: row => (row.digest && row.mode !== 'hold' ? t('Gathered') : t('At once')),
      },
      ...(companies.size > 1
        ? [
            {
              key: 'companies',
              title: t('Companies'),
              flex: 1,
              cell: (row: OrderAlert) => row.company_ids?.map(id => companies.get(id) ?? id).join(', ') ?? t('All'),
            },
          ]
        : []),
      { key: 'changed', title: t('Changed'), sort: true, hidden: true, cell: row => <RelativeTime at={row.updated_at} /> },
    ],
    [t, urlWith, companies],
  )
  return (
    <Page
      title={t('Order alerts')}
      note={
        settings.data && !settings.data.has_mail_account ? (
          <>
            {t('No e-mail account yet: no mail is sent.')}{' '}
            <Anchor component={Link} underline="always" to="/settings/email">
              {t('Set up an account')}
            </Anchor>
          </>
        ) : undefined
      }
      fill
      actions={
        <>
          <ExportButton save={save} />
          {maySet ? (
            <>
              <Button variant="default" leftSection={<IconSettings size={16} />} onClick={() => setUrl({ id: 'settings' })}>
                {t('Settings')}
              </Button>
              <Button leftSection={<IconPlus size={16} />} onClick={() => setUrl({ id: 'new' })}>
                {t('Add alert')}
              </Button>
            </>
          ) : null}
        </>
      }
    >
      <DataTable
        name="order-alerts"
        label={t('Order alerts')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: String(row.id) })}
        opened={Number(url.id) || null}
        rowActions={row =>
          maySet
            ? [
                { label: t('Edit'), run: () => setUrl({ id: String(row.id) }) },
                { label: row.enabled ? t('Switch off') : t('Switch on'), run: () => turn.mutate(row) },
                { label: t('Remove alert'), danger: true, run: () => remove.mutate(row) },
              ]
            : []
        }
        sort={url.sort}
        onSort={sort => setUrl({ sort: alertSorts.find(one => one === sort) ?? 'email' })}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="order-alerts"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Search address or note') }}
            filters={[
              {
                key: 'state',
                label: t('Status'),
                kind: 'one',
                options: [
                  { value: 'on', label: t('In use') },
                  { value: 'off', label: t('Off') },
                ],
                value: url.state ? [url.state] : [],
                set: ([value = '']) => setUrl({ state: isOneOf(states, value) ? value : '' }),
              },
              {
                key: 'mode',
                label: t('What happens'),
                kind: 'one',
                options: alertModes.map(value => ({ value, label: t(modeLabels[value]) })),
                value: url.mode ? [url.mode] : [],
                set: ([value = '']) => setUrl({ mode: isOneOf(alertModes, value) ? value : '' }),
              },
            ]}
          />
        }
        filtered={url.query !== '' || url.state !== '' || url.mode !== ''}
        clearFilters={() => setUrl({ query: '', state: '', mode: '' })}
        empty={
          <EmptyList
            title={t('No order alerts yet')}
            {...(maySet && {
              action: (
                <Button variant="default" onClick={() => setUrl({ id: 'new' })}>
                  {t('Add alert')}
                </Button>
              ),
            })}
          >
            {t('For example: hold each order above 5,000 DKK and mail it to the office.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{row.email}</span>
              <AlertState of={row} />
            </RowCardLine>
            <span>{sentenceOf(row)}</span>
            <Text size="sm" c="dimmed">
              {t(modeLabels[row.mode])}
            </Text>
          </RowCard>
        )}
      />
      <Drawer
        opened={url.id !== ''}
        onClose={close}
        size={url.id === 'settings' ? 480 : 'min(100%, 68rem)'}
        title={url.id === 'settings' ? t('Settings of order alerts') : url.id === 'new' ? t('New alert') : t('Order alert')}
      >
        {url.id === 'settings' ? (
          <QueryState of={settings} shape="form">
            {found => <OrderAlertSettingsForm settings={found} close={close} />}
          </QueryState>
        ) : url.id === 'new' ? (
          <OrderAlertForm alert={null} close={close} changed={list.showPendingChanges} remove={null} />
        ) : Number(url.id) > 0 ? (
          <Opened id={Number(url.id)} close={close} changed={list.showPendingChanges} remove={row => remove.mutate(row)} />
        ) : null}
      </Drawer>
    </Page>
  )
}

interface OpenedProps {
  id: number
  close: () => void
  changed: () => void
  remove: (alert: OrderAlert) => void
}

function Opened({ id, ...rest }: OpenedProps) {
  const one = useCall(orderAlerts.one, { id })
  return (
    <QueryState of={one} shape="form">
      {alert => <OrderAlertForm key={alert.id} alert={alert} {...rest} />}
    </QueryState>
  )
}

function AlertState({ of: alert }: { of: OrderAlert }) {
  const t = useT()
  if (alert.broken) return <StateBadge tone="stop">{t('Cannot be read')}</StateBadge>
  return alert.enabled ? <StateBadge tone="done">{t('In use')}</StateBadge> : <StateBadge tone="quiet">{t('Off')}</StateBadge>
}
