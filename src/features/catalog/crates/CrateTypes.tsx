/** The boxes of the main company: the list, and the drawer that makes and changes one. Shops read it. */
import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { access } from '#contract/access.ts'
import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { ExportButton } from '#ui/kit/ExportButton.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { money, number, size, weight } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { CrateTypeForm } from './CrateTypeForm.tsx'
import { crateTypes } from './crate-types.contract.ts'
import type { CrateType } from './crate-types.schemas.ts'
import { crateTypeSorts, isLow } from './crates.codes.ts'

const View = {
  tab: urlText(),
  query: urlText(),
  /** In use, switched off, or running low. */
  state: urlChoice(['', 'on', 'off', 'low'], ''),
  agent: urlText(),
  company: urlNumber(0),
  sort: urlChoice(crateTypeSorts, 'position'),
  page: urlNumber(1),
  /** Id of the open box, or `new`. */
  id: urlText(),
}
const path = '/settings/crates'
const keyOf = (row: CrateType) => row.id
const stateOf = { on: { active: true }, off: { active: false }, low: { low: true }, '': {} } as const

export function CrateTypes({ tabs }: { tabs: ReactNode }) {
  const t = useT()
  const { init, user } = useSignedIn()
  const maySet = useIsAllowed(access.settings)
  const mayEdit = maySet && user.is_main_company
  const [url, setUrl, urlWith] = useUrlState(View)
  const question = {
    sort: url.sort,
    ...(url.query && { query: url.query }),
    ...(url.agent && { agent_code: url.agent }),
    ...(url.company > 0 && { company: url.company }),
    ...stateOf[url.state],
  }
  const list = usePagedList(crateTypes.list, { ...question, page: url.page, limit: 50 }, { live: ['crate'], keyOf })
  const low = useCall(crateTypes.list, { low: true, limit: 1 }, { live: ['crate'] })
  const save = useCommand(() => send(crateTypes.export, question), { done: saveFile })
  const couriers = useMemo(() => new Map(init.ParcelAgentCode.map(agent => [agent.agent_code, agent.name])), [init])
  const companies = useMemo(() => new Map(init.CompanyLookup.map(company => [company.id, company.name])), [init])
  const columns = useMemo<Column<CrateType>[]>(
    () => [
      {
        key: 'name',
        title: t('Name'),
        flex: 2,
        sort: true,
        cell: row => (
          <Group gap="sm" wrap="nowrap">
            <CratePicture of={row} size={32} />
            <Anchor component={Link} underline="always" to={path} search={urlWith({ id: String(row.id) })}>
              {row.name}
            </Anchor>
          </Group>
        ),
      },
      { key: 'code', title: t('Code'), sort: true, cell: row => <span className="code">{`CR${row.code}`}</span> },
      { key: 'state', title: t('Status'), cell: row => <CrateState of={row} /> },
      { key: 'inner', title: t('Inside'), cell: row => size(...row.inner_mm) },
      { key: 'outer', title: t('Outside'), hidden: true, cell: row => size(...row.outer_mm) },
      { key: 'tare', title: t('Own weight'), hidden: true, align: 'end', cell: row => weight(row.tare_g) },
      { key: 'max', title: t('Up to'), align: 'end', cell: row => weight(row.max_g) },
      { key: 'cost', title: t('Cost'), align: 'end', sort: true, cell: row => money(row.cost, row.currency) },
      {
        key: 'couriers',
        title: t('Couriers'),
        flex: 1,
        cell: row => row.agent_codes?.map(code => t(couriers.get(code) ?? code)).join(', ') ?? t('All'),
      },
      ...(companies.size > 1
        ? [
            {
              key: 'companies',
              hidden: true,
              title: t('Companies'),
              flex: 1,
              cell: (row: CrateType) => row.company_ids?.map(id => companies.get(id) ?? id).join(', ') ?? t('All'),
            },
          ]
        : []),
      { key: 'stock', title: t('Stock'), align: 'end', sort: true, cell: row => <Stock of={row} /> },
      { key: 'position', title: t('Rank'), align: 'end', sort: true, hidden: true, cell: row => number(row.position) },
    ],
    [t, urlWith, couriers, companies],
  )
  const byCompany = useCompanyFilter({
    kind: 'one',
    value: url.company > 0 ? [String(url.company)] : [],
    set: ([value = '0']) => setUrl({ company: Number(value) }),
  })
  const lowCount = mayEdit ? (low.data?.total ?? 0) : 0
  return (
    <Page
      title={t('Boxes')}
      fill
      actions={
        <>
          <ExportButton save={save} />
          {mayEdit ? (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setUrl({ id: 'new' })}>
              {t('Add box')}
            </Button>
          ) : null}
        </>
      }
    >
      {tabs}
      {lowCount > 0 && url.state !== 'low' ? (
        <Alert color="amber" icon={<IconAlertTriangle size={16} />} mb="sm" role="status">
          <Group justify="space-between">
            <span>{t('{{count}} boxes are running low', { count: lowCount })}</span>
            <Button size="compact-sm" variant="default" onClick={() => setUrl({ state: 'low' })}>
              {t('Show')}
            </Button>
          </Group>
        </Alert>
      ) : null}
      <DataTable
        name="crate-types"
        label={t('Boxes')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: String(row.id) })}
        opened={Number(url.id) || null}
        sort={url.sort}
        onSort={sort => setUrl({ sort: crateTypeSorts.find(one => one === sort) ?? 'position' })}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="crate-types"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Search name, code, barcode') }}
            filters={[
              {
                key: 'state',
                label: t('Status'),
                kind: 'one',
                options: [
                  { value: 'on', label: t('In use') },
                  { value: 'off', label: t('Off') },
                  { value: 'low', label: t('Running low') },
                ],
                value: url.state ? [url.state] : [],
                set: ([value]) => setUrl({ state: value === 'on' || value === 'off' || value === 'low' ? value : '' }),
              },
              {
                key: 'agent',
                label: t('Courier'),
                kind: 'one',
                options: init.ParcelAgentCode.map(agent => ({ value: agent.agent_code, label: t(agent.name) })),
                value: url.agent ? [url.agent] : [],
                set: ([value = '']) => setUrl({ agent: value }),
              },
              ...byCompany,
            ]}
          />
        }
        filtered={url.query !== '' || url.state !== '' || url.agent !== '' || url.company > 0}
        clearFilters={() => setUrl({ query: '', state: '', agent: '', company: 0 })}
        empty={
          <EmptyList
            title={t('No boxes yet')}
            {...(mayEdit && { action: <Button onClick={() => setUrl({ id: 'new' })}>{t('Add box')}</Button> })}
          >
            {mayEdit
              ? t('Add boxes and bags. The cheapest one that holds an order is suggested.')
              : t('The main company adds the boxes that all companies use.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{row.name}</span>
              <CrateState of={row} />
            </RowCardLine>
            <RowCardLine>
              <span>{[`CR${row.code}`, size(...row.inner_mm)].join(' · ')}</span>
              <span>{money(row.cost, row.currency)}</span>
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer opened={url.id !== ''} onClose={() => setUrl({ id: '' })} size={640} title={url.id === 'new' ? t('New box') : t('Box')}>
        {url.id === 'new' && mayEdit ? (
          <CrateTypeForm
            crate={null}
            mayEdit
            close={() => setUrl({ id: '' })}
            changed={list.showPendingChanges}
            made={({ id }) => setUrl({ id: String(id) })}
          />
        ) : Number(url.id) > 0 ? (
          <Opened id={Number(url.id)} mayEdit={mayEdit} close={() => setUrl({ id: '' })} changed={list.showPendingChanges} />
        ) : null}
      </Drawer>
    </Page>
  )
}

function Opened({ id, ...rest }: { id: number; mayEdit: boolean; close: () => void; changed: () => void }) {
  const one = useCall(crateTypes.get, { id })
  return (
    <QueryState of={one} shape="form">
      {crate => <CrateTypeForm key={crate.id} crate={crate} {...rest} />}
    </QueryState>
  )
}

function CratePicture({ of: crate, size: side }: { of: CrateType; size: number }) {
  return (
    <ImageView
      from={crate.has_image ? { call: crateTypes.picture, input: { id: crate.id } } : null}
      sku={crate.code}
      name={crate.name}
      size={side}
      version={crate.version}
    />
  )
}

function CrateState({ of: crate }: { of: CrateType }) {
  const t = useT()
  if (!crate.active) return <StateBadge tone="quiet">{t('Off')}</StateBadge>
  if (crate.stock === 0) return <StateBadge tone="stop">{t('Used up')}</StateBadge>
  return isLow(crate) ? <StateBadge tone="soon">{t('Running low')}</StateBadge> : <StateBadge tone="done">{t('In use')}</StateBadge>
}

function Stock({ of: crate }: { of: CrateType }) {
  const t = useT()
  return crate.stock === null ? <Text c="dimmed">{t('not counted')}</Text> : number(crate.stock)
}
