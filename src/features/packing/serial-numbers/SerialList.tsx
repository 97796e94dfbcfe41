/** Serial numbers that went out: a number leads to its order, parcel, customer and packer; a range of them to everyone who has one. */
import { Button, Stack } from '@mantine/core'
import { IconDownload, IconSpeakerphone } from '@tabler/icons-react'
import { type ComponentType, lazy, Suspense, useMemo, useState } from 'react'
import { access } from '#contract/access.ts'
import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { DescriptionItem, DescriptionList } from '#ui/kit/DescriptionList.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { type Filter, FilterBar } from '#ui/kit/FilterBar.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCommand } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { ScannerHere, useScanHandler } from '#ui/scanner/handlers.tsx'
import { RecallForm, type RecallMessageProps } from './RecallForm.tsx'
import { type SerialState, serialStates } from './serial-numbers.codes.ts'
import { serialNumbers } from './serial-numbers.contract.ts'
import type { Serial } from './serial-numbers.schemas.ts'

const OrderPhotos = lazy(() => import('#features/packing/packing-photos/OrderPhotos.tsx'))

const View = {
  query: urlText(),
  state: urlChoice(['', ...serialStates], ''),
  sku: urlText(),
  from: urlText(),
  to: urlText(),
  company: urlText(),
  page: urlNumber(1),
}

const stateWords: Record<SerialState, string> = { packing: 'In packing', sent: 'Sent', returned: 'Returned' }
const tones = { packing: 'busy', sent: 'done', returned: 'plain' } as const
const keyOf = (row: Serial) => row.id

/** What other areas add, given from above. */
interface SerialsProps {
  Videos: ComponentType<{ order_id: number; bare?: boolean }>
  Message: ComponentType<RecallMessageProps>
}

export function SerialList(props: SerialsProps) {
  return (
    <ScannerHere onUnknown={() => undefined}>
      <Serials {...props} />
    </ScannerHere>
  )
}

function Serials({ Videos, Message }: SerialsProps) {
  const t = useT()
  const { init } = useSignedIn()
  const many = init.CompanyLookup.length > 1
  const [url, setUrl] = useUrlState(View)
  const [opened, setOpened] = useState<Serial | null>(null)
  const [recalling, setRecalling] = useState(false)
  const question = {
    ...(url.query && { query: url.query }),
    ...(url.state && { state: url.state }),
    ...(url.sku && { sku: url.sku }),
    ...(url.from && { from: url.from }),
    ...(url.to && { to: url.to }),
    ...(url.company && { company_id: Number(url.company) }),
  }
  const list = usePagedList(serialNumbers.list, { ...question, page: url.page, limit: 50 }, { live: ['packing'], keyOf })
  const save = useCommand((asked: typeof question) => send(serialNumbers.export, asked), { done: saveFile })
  useScanHandler({
    match: code => (code.kind === 'other' ? (code.gs1?.serial ?? code.text) : null),
    handle: query => setUrl({ query, page: 1 }),
  })
  const companyName = useMemo(() => new Map(init.CompanyLookup.map(company => [company.id, company.name])), [init])

  const columns = useMemo<Column<Serial>[]>(
    () => [
      { key: 'serial', title: t('Serial number'), cell: row => <span className="code">{row.serial}</span> },
      { key: 'product', title: t('Product'), flex: 2, cell: row => <span title={row.sku}>{row.product}</span> },
      { key: 'state', title: t('Status'), cell: row => <SerialBadge state={row.state} /> },
      {
        key: 'order',
        title: t('Order'),
        cell: row => <OrderOf row={row} />,
      },
      { key: 'customer', title: t('Customer'), flex: 1, cell: row => row.customer_name },
      { key: 'tracking_no', title: t('Tracking number'), cell: row => <span className="code">{row.tracking_no ?? '–'}</span> },
      { key: 'at', title: t('Recorded'), cell: row => <RelativeTime at={row.created_at} /> },
      { key: 'packer', title: t('Packer'), flex: 1, cell: row => row.packer ?? t('Office') },
      { key: 'sku', title: t('SKU'), hidden: true, cell: row => <span className="code">{row.sku}</span> },
      ...(many ? [{ key: 'company', title: t('Company'), cell: (row: Serial) => companyName.get(row.company_id) ?? row.company }] : []),
    ],
    [t, many, companyName],
  )
  const day = (key: 'from' | 'to', label: string): Filter => ({
    key,
    label,
    kind: 'day',
    value: url[key] ? [url[key]] : [],
    set: ([value = '']) => setUrl({ [key]: value }),
  })
  const byCompany = useCompanyFilter({ kind: 'one', value: url.company ? [url.company] : [], set: ([company = '']) => setUrl({ company }) })
  const filters: Filter[] = [
    {
      key: 'state',
      label: t('Status'),
      kind: 'one',
      options: serialStates.map(value => ({ value, label: t(stateWords[value]) })),
      value: url.state ? [url.state] : [],
      set: ([value = '']) => setUrl({ state: serialStates.find(one => one === value) ?? '' }),
    },
    { key: 'sku', label: t('SKU'), kind: 'text', value: url.sku ? [url.sku] : [], set: ([sku = '']) => setUrl({ sku }) },
    day('from', t('From')),
    day('to', t('Until')),
    ...byCompany,
  ]
  return (
    <Page
      title={t('Serial numbers')}
      fill
      actions={
        <>
          <Button variant="default" leftSection={<IconSpeakerphone size={16} />} onClick={() => setRecalling(true)}>
            {t('Recall')}
          </Button>
          <Button
            visibleFrom="sm"
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={save.isPending}
            onClick={() => save.mutate(question)}
          >
            {t('Export')}
          </Button>
        </>
      }
    >
      <DataTable
        name="serials"
        label={t('Serial numbers')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={setOpened}
        opened={opened?.id ?? null}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="serials"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Scan or type a serial number') }}
            filters={filters}
            views={[
              { key: 'all', title: t('All'), search: {} },
              { key: 'packing', title: t('In packing'), search: { state: 'packing' } },
              { key: 'sent', title: t('Sent'), search: { state: 'sent' } },
              { key: 'returned', title: t('Returned'), search: { state: 'returned' } },
            ]}
          />
        }
        filtered={Object.keys(question).length > 0}
        clearFilters={() => setUrl({ query: '', state: '', sku: '', from: '', to: '', company: '' })}
        empty={
          <EmptyList
            title={t('No serial numbers yet')}
            action={
              <Button component={Link} to="/settings/serial-number-config">
                {t('Serial number rules')}
              </Button>
            }
          >
            {t('Stations record them for products that need one. Mark those in the product list.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span className="code">{row.serial}</span>
              <SerialBadge state={row.state} />
            </RowCardLine>
            <span>{row.product}</span>
            <RowCardLine>
              <span>{[row.order_no, row.customer_name].filter(Boolean).join(', ')}</span>
              <RelativeTime at={row.created_at} as="age" />
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer opened={opened !== null} onClose={() => setOpened(null)} position="right" title={t('Serial number')}>
        {opened ? (
          <Stack>
            <Facts of={opened} company={many ? (companyName.get(opened.company_id) ?? opened.company) : null} />
            <Suspense>
              <OrderPhotos order_id={opened.order_id} {...(opened.parcel_no !== null && { parcel_no: opened.parcel_no })} bare />
              <Videos order_id={opened.order_id} bare />
            </Suspense>
          </Stack>
        ) : null}
      </Drawer>
      <Drawer opened={recalling} onClose={() => setRecalling(false)} position="right" title={t('Recall')}>
        {recalling ? <RecallForm sku={opened?.sku ?? url.sku} Message={Message} /> : null}
      </Drawer>
    </Page>
  )
}

function SerialBadge({ state }: { state: SerialState }) {
  const t = useT()
  return <StateBadge tone={tones[state]}>{t(stateWords[state])}</StateBadge>
}

/** A link for those who may open orders. */
function OrderOf({ row }: { row: Serial }) {
  return useIsAllowed(access.parcels) ? (
    <Link to="/parcels/orders" search={{ id: row.order_id }}>
      {row.order_no}
    </Link>
  ) : (
    row.order_no
  )
}

function Facts({ of: row, company }: { of: Serial; company: string | null }) {
  const t = useT()
  return (
    <DescriptionList>
      <DescriptionItem name={t('Serial number')}>
        <span className="code">{row.serial}</span>
      </DescriptionItem>
      <DescriptionItem name={t('Status')}>
        <SerialBadge state={row.state} />
      </DescriptionItem>
      <DescriptionItem name={t('Product')}>{[row.product, row.sku].filter(Boolean).join(', ')}</DescriptionItem>
      <DescriptionItem name={t('Order')}>
        <OrderOf row={row} />
      </DescriptionItem>
      <DescriptionItem name={t('Customer')}>{row.customer_name || '–'}</DescriptionItem>
      {company === null ? null : <DescriptionItem name={t('Company')}>{company}</DescriptionItem>}
      <DescriptionItem name={t('Tracking number')}>{row.tracking_no ?? t('No label yet')}</DescriptionItem>
      <DescriptionItem name={t('Recorded')}>
        <RelativeTime at={row.created_at} />
      </DescriptionItem>
      <DescriptionItem name={t('Packer')}>
        {row.packer === null ? t('Office') : [row.packer, row.station].filter(Boolean).join(', ')}
      </DescriptionItem>
      {row.returned_at === null ? null : (
        <DescriptionItem name={t('Returned')}>
          <RelativeTime at={row.returned_at} />
        </DescriptionItem>
      )}
    </DescriptionList>
  )
}
