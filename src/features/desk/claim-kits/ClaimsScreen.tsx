/** Claims against couriers: what has to be sent first on top, each with its evidence. */
import { Button } from '@mantine/core'
import { IconDownload, IconPlus, IconSettings } from '@tabler/icons-react'
import { useMemo } from 'react'
import { access } from '#contract/access.ts'
import { ClaimBadge, ClaimDeadline, claimKindWord } from '#features/shipping/claims/claim.labels.tsx'
import { claimKinds, claimSorts } from '#features/shipping/claims/claims.codes.ts'
import { claims } from '#features/shipping/claims/claims.contract.ts'
import type { Claim } from '#features/shipping/claims/claims.schemas.ts'
import { OrderLink } from '#features/shipping/labels/OrderLink.tsx'
import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { type Filter, FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { day, money } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { ClaimDetails } from './ClaimDetails.tsx'
import { ClaimForm } from './ClaimForm.tsx'
import { ClaimRulesForm } from './ClaimRulesForm.tsx'
import { ClaimsUrl, questionOf } from './claims-url.client.ts'
import { ShipmentChoice } from './ShipmentChoice.tsx'

const path = '/parcels/shipments/claims'
const keyOf = (row: Claim) => row.id
const live = ['claim'] as const

export function ClaimsScreen() {
  const t = useT()
  const { init } = useSignedIn()
  const maySet = useIsAllowed(access.settings)
  const [url, setUrl, urlWith] = useUrlState(ClaimsUrl)
  const question = questionOf(url)
  const many = init.CompanyLookup.length > 1
  const counts = useCall(claims.count, {}, { live, fresh: 2_000 })
  const list = usePagedList(claims.list, { ...question, page: url.page, limit: 50 }, { live, keyOf })
  const save = useCommand(() => send(claims.exportAll, question), { done: saveFile })
  const courierName = useMemo(() => new Map(init.ParcelAgentCode.map(agent => [agent.agent_code, agent.name])), [init])
  const adding = url.add === 'yes' || url.shipment > 0
  const close = () => setUrl({ id: 0, add: '', shipment: 0 })
  const columns = useMemo<Column<Claim>[]>(
    () => [
      {
        key: 'tracking_no',
        title: t('Tracking number'),
        cell: row => (
          <Link to={path} search={urlWith({ id: row.id })}>
            {row.tracking_no ?? t('No number yet')}
          </Link>
        ),
      },
      { key: 'order', title: t('Order'), cell: row => <OrderLink shipment={row} /> },
      { key: 'kind', title: t('Kind'), cell: row => claimKindWord(row.kind) },
      { key: 'state', title: t('Status'), cell: row => <ClaimBadge state={row.state} /> },
      { key: 'courier', title: t('Courier'), cell: row => t(courierName.get(row.agent_code) ?? row.agent_code) },
      { key: 'amount', title: t('Amount'), align: 'end', sort: true, cell: row => money(row.amount, row.currency) },
      {
        key: 'granted',
        title: t('Paid'),
        align: 'end',
        cell: row => (row.granted === null ? '–' : money(row.granted, row.currency)),
      },
      { key: 'deadline', title: t('Send by'), sort: true, cell: row => <ClaimDeadline of={row} /> },
      { key: 'reference', title: t('Case number'), flex: 1, cell: row => row.reference || '–' },
      { key: 'noticed', title: t('Noticed'), hidden: true, cell: row => day(row.noticed_on) },
      { key: 'created', title: t('Created'), sort: true, cell: row => <RelativeTime at={row.created_at} as="age" /> },
      { key: 'created_by', title: t('Created by'), hidden: true, cell: row => row.created_by },
      ...(many ? [{ key: 'company', title: t('Company'), cell: (row: Claim) => row.company }] : []),
    ],
    [t, many, urlWith, courierName],
  )
  const counted = (key: 'open' | 'due' | 'sent') => (counts.data ? { count: counts.data[key] } : {})
  const views: View[] = [
    { key: 'active', title: t('Active'), search: {} },
    { key: 'due', title: t('Due'), search: { view: 'due' }, ...counted('due') },
    { key: 'open', title: t('Not sent'), search: { view: 'open' }, ...counted('open') },
    { key: 'sent', title: t('Sent'), search: { view: 'sent' }, ...counted('sent') },
    { key: 'won', title: t('Paid'), search: { view: 'won' } },
    { key: 'lost', title: t('Rejected'), search: { view: 'lost' } },
    { key: 'all', title: t('All'), search: { view: 'all' } },
  ]
  const byCompany = useCompanyFilter({
    kind: 'many',
    value: url.company.map(String),
    set: company => setUrl({ company: company.map(Number) }),
  })
  const filters: Filter[] = [
    {
      key: 'kind',
      label: t('Kind'),
      kind: 'many',
      options: claimKinds.map(value => ({ value, label: claimKindWord(value) })),
      value: url.kind,
      set: kind => setUrl({ kind: [...kind] }),
    },
    {
      key: 'agent',
      label: t('Courier'),
      kind: 'one',
      options: init.ParcelAgentCode.map(agent => ({ value: agent.agent_code, label: t(agent.name) })),
      value: url.agent ? [url.agent] : [],
      set: ([agent = '']) => setUrl({ agent }),
    },
    ...byCompany,
  ]
  const made = (claim: Claim) => {
    setUrl({ id: claim.id, add: '', shipment: 0 })
    list.showPendingChanges()
  }
  return (
    <Page
      title={t('Claims')}
      fill
      actions={
        <>
          <Button
            visibleFrom="sm"
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={save.isPending}
            onClick={() => save.mutate(undefined)}
          >
            {t('Export')}
          </Button>
          {maySet ? (
            <Button variant="default" leftSection={<IconSettings size={16} />} onClick={() => setUrl({ add: 'rules' })}>
              {t('Deadlines')}
            </Button>
          ) : null}
          <Button leftSection={<IconPlus size={16} />} onClick={() => setUrl({ add: 'yes' })}>
            {t('New claim')}
          </Button>
        </>
      }
    >
      <DataTable
        name="claims"
        label={t('Claims')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: row.id })}
        opened={url.id || null}
        sort={url.sort}
        onSort={sort => setUrl({ sort: claimSorts.find(one => one === sort) ?? 'deadline' })}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="claims"
            search={{
              value: url.query,
              set: query => setUrl({ query }, { replace: true }),
              label: t('Parcel, order or case number'),
            }}
            filters={filters}
            views={views}
          />
        }
        filtered={url.query !== '' || url.view !== 'active' || url.agent !== '' || url.kind.length + url.company.length > 0}
        clearFilters={() => setUrl({ query: '', view: 'active', agent: '', kind: [], company: [] })}
        empty={
          <EmptyList
            title={t('No claims')}
            action={
              <Button variant="default" onClick={() => setUrl({ add: 'yes' })}>
                {t('New claim')}
              </Button>
            }
          >
            {t('Open a claim when a courier damages or loses a parcel.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <strong>{row.tracking_no ?? row.order_no}</strong>
              <ClaimBadge state={row.state} />
            </RowCardLine>
            <RowCardLine>
              <span>{[claimKindWord(row.kind), money(row.amount, row.currency)].join(' · ')}</span>
              <ClaimDeadline of={row} />
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer
        opened={url.id > 0 || adding || url.add === 'rules'}
        onClose={close}
        size={640}
        title={url.add === 'rules' ? t('Deadlines of couriers') : adding ? t('New claim') : t('Claim')}
      >
        {url.add === 'rules' ? (
          <ClaimRulesForm />
        ) : adding && url.shipment > 0 ? (
          <ClaimForm key={url.shipment} shipment_id={url.shipment} claim={null} done={made} cancel={close} />
        ) : adding ? (
          <ShipmentChoice choose={shipment => setUrl({ add: '', shipment })} />
        ) : url.id > 0 ? (
          <Opened id={url.id} changed={list.showPendingChanges} />
        ) : null}
      </Drawer>
    </Page>
  )
}

function Opened({ id, changed }: { id: number; changed: () => void }) {
  const claim = useCall(claims.get, { id }, { live })
  return <QueryState of={claim}>{shown => <ClaimDetails key={shown.id} claim={shown} changed={changed} />}</QueryState>
}
