/** Products: the list of products, with their form and file import. */
import { Anchor, Button, FileButton, Group, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { access } from '#contract/access.ts'
import { severityTones, severityWords } from '#domain/row-severity.ts'
import { ImportJob } from '#features/company/jobs/ImportJob.tsx'
import { TagChips } from '#features/company/tags/TagChips.tsx'
import { TagButton } from '#features/company/tags/TagPicker.tsx'
import { useTagFilter } from '#features/company/tags/tags-filter.client.ts'
import { ActionBar } from '#ui/kit/ActionBar.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { ExportButton } from '#ui/kit/ExportButton.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { size, weight } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList, useSelection } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { ProductForm } from './ProductForm.tsx'
import { products } from './products.contract.ts'
import { type Product, ProductCsvResult } from './products.schemas.ts'

const View = {
  query: urlText(),
  customs: urlChoice(['', 'missing'], ''),
  tag: urlText(),
  page: urlNumber(1),
  /** Id of the open product, or `new`. */
  id: urlText(),
  /** Id of the import whose progress is shown. */
  job: urlNumber(0),
}
const path = '/parcels/products'
const keyOf = (row: Product) => row.product_id

export function ProductsScreen() {
  const t = useT()
  const [url, setUrl, urlWith] = useUrlState(View)
  const mayEdit = useIsAllowed(access.parcelsAdmin)
  const question = { query: url.query, ...(url.customs !== '' && { customs: url.customs }), ...(url.tag ? { tag: url.tag } : {}) }
  const list = usePagedList(products.search, { ...question, page: url.page }, { live: ['product'], keyOf })
  const save = useCommand(() => send(products.export, question), { done: saveFile })
  const selection = useSelection([url.query, url.customs, url.tag])
  const byTag = useTagFilter(url.tag, tag => setUrl({ tag }))
  const columns = useMemo<Column<Product>[]>(
    () => [
      {
        key: 'picture',
        title: t('Picture'),
        cell: row => (
          <ImageView
            from={row.has_image ? { call: products.picture, input: { id: row.product_id } } : null}
            sku={row.sku}
            name={row.name}
            size={32}
            version={row.version}
          />
        ),
      },
      {
        key: 'sku',
        title: t('SKU'),
        cell: row => (
          <Anchor component={Link} underline="always" to={path} search={urlWith({ id: String(row.product_id) })}>
            {row.sku}
          </Anchor>
        ),
      },
      { key: 'name', title: t('Name'), flex: 3, cell: row => <Name row={row} /> },
      { key: 'barcodes', title: t('Barcodes'), flex: 1, cell: row => <Barcodes row={row} /> },
      { key: 'tags', title: t('Tags'), flex: 1, cell: row => <TagChips names={row.tags} company_id={row.company_id} line /> },
      { key: 'bin', title: t('Bin'), cell: row => row.bin ?? '–' },
      {
        key: 'weight_g',
        title: t('Weight'),
        align: 'end',
        cell: row => (row.weight_g === null ? <Unknown row={row} /> : weight(row.weight_g)),
      },
      {
        key: 'size',
        title: t('Size'),
        hidden: true,
        cell: row => (row.length_mm && row.width_mm && row.height_mm ? size(row.length_mm, row.width_mm, row.height_mm) : '–'),
      },
      {
        key: 'customs',
        title: t('Customs'),
        cell: row => (row.hs_code && row.origin ? `${row.hs_code} · ${row.origin}` : <Unknown row={row} />),
      },
      {
        key: 'serial',
        title: t('Serial number'),
        cell: row => (row.serial_required ? <StateBadge tone="soon">{t('Asked for')}</StateBadge> : ''),
      },
    ],
    [t, urlWith],
  )
  return (
    <Page
      title={t('Products')}
      fill
      actions={
        <>
          <ExportButton save={save} />
          {mayEdit ? (
            <>
              <CsvButton started={job => setUrl({ job, page: url.page })} />
              <Button component={Link} to={path} search={urlWith({ id: 'new' })}>
                {t('New product')}
              </Button>
            </>
          ) : null}
        </>
      }
    >
      <DataTable
        name="products"
        label={t('Products')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: String(row.product_id) })}
        opened={Number(url.id) || null}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="products"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Search SKU, name, barcode') }}
            filters={[
              {
                key: 'customs',
                label: t('Customs'),
                kind: 'one',
                options: [{ value: 'missing', label: t('Data missing') }],
                value: url.customs ? [url.customs] : [],
                set: ([value = '']) => setUrl({ customs: value === 'missing' ? 'missing' : '' }),
              },
              byTag,
            ]}
          />
        }
        selection={selection}
        bulk={
          <ActionBar selection={selection} list={list}>
            <TagButton
              object="product"
              ids={[...selection.keys].map(Number)}
              refreshes={[products.search, products.get]}
              done={selection.clear}
            />
          </ActionBar>
        }
        filtered={url.query !== '' || url.customs !== '' || url.tag !== ''}
        clearFilters={() => setUrl({ query: '', customs: '', tag: '' })}
        card={row => (
          <Group wrap="nowrap">
            <ImageView
              from={row.has_image ? { call: products.picture, input: { id: row.product_id } } : null}
              sku={row.sku}
              name={row.name}
              size={44}
            />
            <div style={{ minWidth: 0 }}>
              <Text fw={500}>
                <Name row={row} />
              </Text>
              <Text size="sm" c="dimmed">
                {[row.sku, row.bin].filter(Boolean).join(' · ')}
              </Text>
              <TagChips names={row.tags} company_id={row.company_id} />
            </div>
          </Group>
        )}
        empty={
          <EmptyList
            title={t('No products yet')}
            action={
              <Button component={Link} to="/parcels/orders/import">
                {t('Import orders')}
              </Button>
            }
          >
            {t('They come with the first order, or from a file.')}
          </EmptyList>
        }
      />
      <Drawer
        opened={url.id !== ''}
        onClose={() => setUrl({ id: '' })}
        position="right"
        size={640}
        title={url.id === 'new' ? t('New product') : t('Product')}
      >
        {url.id === 'new' ? (
          <ProductForm product={null} done={product => setUrl({ id: String(product.product_id) })} />
        ) : url.id !== '' ? (
          <Opened id={Number(url.id)} />
        ) : null}
      </Drawer>
      <Dialog opened={url.job > 0} onClose={() => setUrl({ job: 0, page: url.page })} title={t('Import products')} size={640}>
        {url.job > 0 ? <CsvResult id={url.job} /> : null}
      </Dialog>
    </Page>
  )
}

function Opened({ id }: { id: number }) {
  const one = useCall(products.get, { id })
  return (
    <QueryState of={one} shape="form">
      {product => <ProductForm key={product.product_id} product={product} />}
    </QueryState>
  )
}

function Name({ row }: { row: Product }) {
  const t = useT()
  return (
    <>
      {[row.name, row.variant].filter(Boolean).join(', ')}
      {row.components.length > 0 ? (
        <Text span size="sm" c="dimmed">
          {' · '}
          {t('Bundle of {{count}} parts', { count: row.components.length })}
        </Text>
      ) : null}
    </>
  )
}

/** Nothing is missing of a bundle: its parts have it. */
function Unknown({ row }: { row: Product }) {
  const t = useT()
  return <Text c="dimmed">{row.components.length > 0 ? '–' : t('not known')}</Text>
}

function Barcodes({ row }: { row: Product }) {
  const t = useT()
  const [first, ...others] = row.barcodes
  if (!first) return row.no_barcode ? <Text c="dimmed">{t('has none')}</Text> : <Unknown row={row} />
  return (
    <>
      {first.barcode}
      {others.length > 0 ? ` +${others.length}` : ''}
    </>
  )
}

function CsvButton({ started }: { started: (job_id: number) => void }) {
  const t = useT()
  const upload = useSend(products.importCsv, { done: ({ job_id }) => started(job_id) })
  return (
    <FileButton accept=".csv,.txt,.tsv,.xlsx,text/csv" onChange={file => file && upload.mutate({ upload: file })}>
      {props => (
        <Button {...props} variant="default" loading={upload.isPending} leftSection={<IconFileUpload size={16} />}>
          {t('Import CSV')}
        </Button>
      )}
    </FileButton>
  )
}

function CsvResult({ id }: { id: number }) {
  return (
    <ImportJob
      id={id}
      refreshes={products.search}
      read={result => {
        const read = ProductCsvResult.safeParse(result).data
        if (!read) return null
        const { problems, noted, ...counts } = read
        return {
          counts,
          findings: (
            <>
              <Findings severity="refused" rows={problems} />
              <Findings severity="noted" rows={noted} />
            </>
          ),
        }
      }}
    />
  )
}

function Findings({ severity, rows }: { severity: 'refused' | 'noted'; rows: ProductCsvResult['problems'] }) {
  const t = useT()
  return rows.map(({ row, field, text, values }) => (
    <Group key={`${row} ${field} ${Object.values(values).join(' ')}`} gap="sm" mt={4} wrap="nowrap" align="start">
      <StateBadge tone={severityTones[severity]}>{t(severityWords[severity])}</StateBadge>
      <Text c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {t('Row {{row}}', { row })}
      </Text>
      <Text>{t(text, values)}</Text>
    </Group>
  ))
}
