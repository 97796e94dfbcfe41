/** Customers: the list with its views and filters, and the page of one. */
import { Button, Group, Text } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { access } from '#contract/access.ts'
import { isOneOf } from '#domain/objects.ts'
import { useSavedViews } from '#features/company/saved-views/saved-views.client.ts'
import { TagChips } from '#features/company/tags/TagChips.tsx'
import { TagButton } from '#features/company/tags/TagPicker.tsx'
import { useTagFilter } from '#features/company/tags/tags-filter.client.ts'
import { customerFlags, customerSorts, customerViews } from '#features/customers/customers/customers.codes.ts'
import { customers } from '#features/customers/customers/customers.contract.ts'
import { FlagBadge, flagWord } from '#features/customers/customers/customers.labels.tsx'
import type { CustomerRow } from '#features/customers/customers/customers.schemas.ts'
import { useCompanyName } from '#features/orders/orders/order.labels.tsx'
import { ActionBar } from '#ui/kit/ActionBar.tsx'
import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { useLastOpened, usePagedList, useSelection } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { NewCustomerForm } from './CustomerForm.tsx'
import { CustomerPage } from './CustomerPage.tsx'

const CustomersUrl = {
  query: urlText(),
  view: urlChoice(customerViews, 'all'),
  flag: urlChoice(['', ...customerFlags], ''),
  tag: urlText(),
  company: urlText(),
  sort: urlChoice(customerSorts, 'last_order'),
  page: urlNumber(1),
  /** The open customer. */
  id: urlNumber(0),
}
const path = '/parcels/customers'
const keyOf = (row: CustomerRow) => row.customer_id
/** As the table writes a sort, and as the call takes it. */
const turned = (sort: string): string => (sort.endsWith('name') ? sort : sort.startsWith('-') ? sort.slice(1) : `-${sort}`)

export function CustomersScreen() {
  const [url, setUrl, urlWith] = useUrlState(CustomersUrl)
  const t = useT()
  const cameFrom = useLastOpened(url.id)
  return url.id > 0 ? (
    <CustomerPage
      key={url.id}
      id={url.id}
      back={{ to: path, search: urlWith({ id: 0 }), label: t('Back to the list') }}
      open={id => setUrl({ id })}
    />
  ) : (
    <CustomerList url={url} setUrl={setUrl} urlWith={urlWith} cameFrom={cameFrom} />
  )
}

function CustomerList({
  url,
  setUrl,
  urlWith,
  cameFrom,
}: {
  url: ReturnType<typeof useUrlState<typeof CustomersUrl>>[0]
  setUrl: ReturnType<typeof useUrlState<typeof CustomersUrl>>[1]
  urlWith: ReturnType<typeof useUrlState<typeof CustomersUrl>>[2]
  cameFrom: number | null
}) {
  const t = useT()
  const { init, user } = useSignedIn()
  const companyName = useCompanyName()
  const store = useSavedViews('customers')
  const mayExport = useIsAllowed(access.customersAdmin)
  const [exporting, setExporting] = useState(false)
  const [adding, setAdding] = useState(false)
  const many = init.CompanyLookup.length > 1
  const filters = {
    query: url.query,
    view: url.view,
    sort: url.sort,
    ...(url.flag ? { flag: url.flag } : {}),
    ...(url.tag ? { tag: url.tag } : {}),
    ...(url.company ? { company_id: Number(url.company) } : {}),
  }
  const list = usePagedList(customers.search, { ...filters, page: url.page, limit: 50 }, { live: ['customer'], keyOf })
  const saveAs = async () => {
    setExporting(true)
    try {
      saveFile(await send(customers.export, filters))
    } catch (error) {
      toastError(error)
    } finally {
      setExporting(false)
    }
  }
  const columns = useMemo<Column<CustomerRow>[]>(
    () => [
      {
        key: 'name',
        title: t('Name'),
        flex: 2,
        sort: true,
        cell: row => (
          <Link to={path} search={urlWith({ id: row.customer_id })}>
            {row.name || t('Without a name')}
          </Link>
        ),
      },
      { key: 'email', title: t('E-mail'), flex: 2, cell: row => row.email ?? '–' },
      { key: 'phone', title: t('Phone'), flex: 1, cell: row => row.phone ?? '–' },
      { key: 'orders', title: t('Orders'), align: 'end', sort: true, cell: row => number(row.order_count) },
      { key: 'last_order', title: t('Last order'), sort: true, cell: row => <RelativeTime at={row.last_order_at} as="age" /> },
      { key: 'flags', title: t('Alerts'), flex: 1, cell: row => <Marks row={row} /> },
      { key: 'tags', title: t('Tags'), flex: 1, cell: row => <TagChips names={row.tags} line /> },
      ...(many
        ? [{ key: 'companies', title: t('Companies'), flex: 1, cell: (row: CustomerRow) => row.company_ids.map(companyName).join(', ') }]
        : []),
    ],
    [t, urlWith, many, companyName],
  )
  const views: View[] = [
    { key: 'all', title: t('All'), search: {} },
    ...(user.is_main_company ? [{ key: 'duplicates', title: t('Duplicates'), search: { view: 'duplicates' } }] : []),
    { key: 'blocked', title: t('Known problems'), search: { view: 'blocked' } },
  ]
  const byCompany = useCompanyFilter({ kind: 'one', value: url.company ? [url.company] : [], set: ([company = '']) => setUrl({ company }) })
  const byTag = useTagFilter(url.tag, tag => setUrl({ tag }))
  const selection = useSelection([filters])
  const filtered = url.query !== '' || url.view !== 'all' || url.flag !== '' || url.tag !== '' || url.company !== ''
  const newButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('New customer')}
    </Button>
  )
  return (
    <Page
      title={t('Customers')}
      fill
      actions={
        <>
          {mayExport ? (
            <Button variant="default" leftSection={<IconDownload size={16} />} loading={exporting} onClick={() => void saveAs()}>
              {t('Export CSV')}
            </Button>
          ) : null}
          {newButton}
        </>
      }
    >
      <DataTable
        name="customers"
        label={t('Customers')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: row.customer_id })}
        cameFrom={cameFrom}
        sort={turned(url.sort)}
        onSort={sort => {
          const key = turned(sort)
          if (isOneOf(customerSorts, key)) setUrl({ sort: key })
        }}
        onPage={page => setUrl({ page })}
        selection={selection}
        bulk={
          <ActionBar selection={selection} list={list}>
            <TagButton
              object="customer"
              ids={[...selection.keys].map(Number)}
              refreshes={[customers.search, customers.get]}
              done={selection.clear}
            />
          </ActionBar>
        }
        toolbar={
          <FilterBar
            name="customers"
            search={{
              value: url.query,
              set: query => setUrl({ query }, { replace: true }),
              label: t('Name, phone, e-mail, number …'),
            }}
            filters={[
              {
                key: 'flag',
                label: t('Flag'),
                kind: 'one',
                options: customerFlags.map(flag => ({ value: flag, label: flagWord(flag) })),
                value: url.flag ? [url.flag] : [],
                set: ([flag = '']) => setUrl({ flag: isOneOf(customerFlags, flag) ? flag : '' }),
              },
              byTag,
              ...byCompany,
            ]}
            views={views}
            store={store}
          />
        }
        filtered={filtered}
        clearFilters={() => setUrl({ query: '', view: 'all', flag: '', tag: '', company: '' })}
        empty={
          <EmptyList title={t('No customers yet')} action={newButton}>
            {t('They appear with the first order that has an e-mail address or a phone number.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
                {row.name || t('Without a name')}
              </Text>
              <RelativeTime at={row.last_order_at} as="age" />
            </RowCardLine>
            <RowCardLine>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {row.phone ?? row.email ?? ''}
              </Text>
              <Text size="sm" c="dimmed">
                {t('{{count}} orders', { count: row.order_count })}
              </Text>
            </RowCardLine>
            <Marks row={row} />
            <TagChips names={row.tags} />
          </RowCard>
        )}
      />
      <Drawer opened={adding} onClose={() => setAdding(false)} title={t('New customer')}>
        {adding ? (
          <NewCustomerForm
            cancel={() => setAdding(false)}
            done={customer => {
              setAdding(false)
              setUrl({ id: customer.customer_id })
            }}
            open={id => setUrl({ id })}
          />
        ) : null}
      </Drawer>
    </Page>
  )
}

function Marks({ row }: { row: CustomerRow }) {
  const t = useT()
  if (row.flags.length === 0 && row.warnings === 0 && !row.has_double) return null
  return (
    <Group gap="xs">
      {row.warnings > 0 ? <StateBadge tone="stop">{t('Warning')}</StateBadge> : null}
      {row.flags.map(flag => (
        <FlagBadge key={flag} flag={flag} />
      ))}
      {row.has_double ? <StateBadge tone="soon">{t('Duplicate?')}</StateBadge> : null}
    </Group>
  )
}
