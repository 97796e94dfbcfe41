/** The deadlines of the warehouse, with a form for each. */
import { Anchor, Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { country, instant, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { t as say, useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { DeadlineForm } from './DeadlineForm.tsx'
import { targetLabels, weekdayWords } from './deadline-words.client.ts'
import { deadlines, deadlineWriters } from './deadlines.contract.ts'
import type { Deadline } from './deadlines.schemas.ts'

const View = {
  query: urlText(),
  state: urlChoice(['', 'on', 'off'], ''),
  page: urlNumber(1),
  /** Id of the open deadline, or `new`. */
  id: urlText(),
}
const keyOf = (row: Deadline) => row.id

/** Whether this person may change deadlines: a lead of the main company. */
export function useMaySetDeadlines(): boolean {
  const allowed = useIsAllowed(deadlineWriters)
  return useSignedIn().user.is_main_company && allowed
}

function useScopeWords(): (row: Deadline) => string {
  const t = useT()
  const { init } = useSignedIn()
  const options = useCall(deadlines.options, {}, { fresh: 60_000 })
  return useMemo(() => {
    const methods = new Map((options.data?.methods ?? []).map(one => [one.method, one.name]))
    const agents = new Map(init.ParcelAgentCode.map(agent => [agent.agent_code, agent.name]))
    const companies = new Map(init.CompanyLookup.map(one => [one.id, one.name]))
    return row => {
      const parts = [
        ...row.agent_codes.map(code => t(agents.get(code) ?? code)),
        ...row.shipping_methods.map(code => t(methods.get(code) ?? code)),
        ...row.countries.map(country),
        ...row.company_ids.map(id => companies.get(id) ?? String(id)),
      ]
      return parts.length === 0 ? t('All orders') : parts.join(', ')
    }
  }, [init, options.data, t])
}

const nextOf = (row: Deadline): string => (row.next[0] === undefined ? say('No pickup in the next 60 days') : instant(row.next[0]))

const DeadlineState = ({ of: row }: { of: Deadline }) =>
  row.active ? <StateBadge tone="done">{say('In use')}</StateBadge> : <StateBadge tone="quiet">{say('Off')}</StateBadge>

export function DeadlineList({ path }: { path: string }) {
  const t = useT()
  const maySet = useMaySetDeadlines()
  const [url, setUrl, urlWith] = useUrlState(View)
  const { init } = useSignedIn()
  const scopeWords = useScopeWords()
  const list = usePagedList(
    deadlines.list,
    { query: url.query, ...(url.state && { active: url.state === 'on' }), page: url.page, limit: 50 },
    { live: ['deadline'], keyOf },
  )
  const close = () => setUrl({ id: '' })
  const removal = useSend(deadlines.remove, {
    refreshes: [deadlines.list],
    said: t('Deadline removed. Open orders follow.'),
    done: () => {
      close()
      list.showPendingChanges()
    },
  })
  const remove = async (row: Deadline) => {
    const sure = await confirm({
      title: t('Remove {{name}}?', { name: row.name }),
      body: t('Its open orders get another pickup, {{count}} in all. Late orders stay late.', { count: row.open_orders }),
      action: t('Remove deadline'),
      danger: true,
    })
    if (sure) removal.mutate({ id: row.id })
  }
  const columns = useMemo<Column<Deadline>[]>(
    () => [
      {
        key: 'name',
        title: t('Name'),
        flex: 2,
        cell: row =>
          maySet ? (
            <Anchor component={Link} underline="always" to={path} search={urlWith({ id: String(row.id) })}>
              {row.name}
            </Anchor>
          ) : (
            row.name
          ),
      },
      { key: 'scope', title: t('Applies to'), flex: 2, cell: row => <span title={scopeWords(row)}>{scopeWords(row)}</span> },
      { key: 'days', title: t('Days'), flex: 1, cell: row => weekdayWords(row.weekdays) },
      { key: 'cut_off', title: t('Cut-off'), cell: row => row.cut_off },
      { key: 'pickup', title: t('Pickup'), cell: row => row.pickup_time },
      { key: 'next', title: t('Next pickup'), flex: 1, cell: nextOf },
      { key: 'target', title: t('To be done'), flex: 1, hidden: true, cell: row => t(targetLabels[row.target]) },
      {
        key: 'open',
        title: t('Orders'),
        align: 'end',
        cell: row => (
          <Anchor component={Link} underline="always" to="/parcels/orders" search={{ deadline: String(row.id), open: '1' }}>
            {number(row.open_orders)}
          </Anchor>
        ),
      },
      { key: 'state', title: t('Status'), cell: row => <DeadlineState of={row} /> },
    ],
    [t, urlWith, maySet, path, scopeWords],
  )
  const add = () => setUrl({ id: 'new' })
  const home = init.settings.home_country
  return (
    <>
      <DataTable
        name="deadlines"
        label={t('Deadlines')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        {...(maySet && {
          open: (row: Deadline) => setUrl({ id: String(row.id) }),
          rowActions: (row: Deadline) => [
            { label: t('Edit'), run: () => setUrl({ id: String(row.id) }) },
            { label: t('Remove deadline'), danger: true, run: () => void remove(row) },
          ],
        })}
        opened={Number(url.id) || null}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="deadlines"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Search deadline') }}
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
                set: ([state = '']) => setUrl({ state: state === 'on' || state === 'off' ? state : '' }),
              },
            ]}
          />
        }
        filtered={url.query !== '' || url.state !== ''}
        clearFilters={() => setUrl({ query: '', state: '' })}
        empty={
          <EmptyList
            title={t('No deadlines yet')}
            {...(maySet && {
              action: (
                <Button variant="default" leftSection={<IconPlus size={16} />} onClick={add}>
                  {t('Add deadline')}
                </Button>
              ),
            })}
          >
            {t('For example: GLS comes Monday to Friday at 16:00 for what was ordered until 14:00.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{row.name}</span>
              <DeadlineState of={row} />
            </RowCardLine>
            <span>{`${weekdayWords(row.weekdays)} · ${row.cut_off} → ${row.pickup_time}`}</span>
            <Text size="sm" c="dimmed">
              {`${scopeWords(row)} · ${t('{{count}} open orders', { count: row.open_orders })}`}
            </Text>
          </RowCard>
        )}
      />
      <Drawer
        opened={maySet && (url.id === 'new' || Number(url.id) > 0)}
        onClose={close}
        size={640}
        title={url.id === 'new' ? t('New deadline') : t('Deadline')}
      >
        {url.id === 'new' ? (
          <DeadlineForm deadline={null} home={home} close={close} changed={list.showPendingChanges} remove={null} />
        ) : Number(url.id) > 0 ? (
          <Opened id={Number(url.id)} home={home} close={close} changed={list.showPendingChanges} remove={row => void remove(row)} />
        ) : null}
      </Drawer>
    </>
  )
}

interface OpenedProps {
  id: number
  home: string
  close: () => void
  changed: () => void
  remove: (deadline: Deadline) => void
}

function Opened({ id, ...rest }: OpenedProps) {
  const one = useCall(deadlines.one, { id })
  return (
    <QueryState of={one} shape="form">
      {deadline => <DeadlineForm key={deadline.id} deadline={deadline} {...rest} />}
    </QueryState>
  )
}
