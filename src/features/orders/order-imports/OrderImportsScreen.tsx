/** Importing orders: choose a file, see how it is read, start, and watch what becomes of it. */

import { Autocomplete, Button, FileButton, Group, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { ShopCode } from '#features/company/api-keys/cms-keys.schemas.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { type Filter, FilterBar } from '#ui/kit/FilterBar.tsx'
import { bytes, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { errorSentence, toastInfo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { Wizard } from '#ui/kit/Wizard.tsx'
import { useCall, useSend } from '#ui/query/calls.ts'
import { ImportFile } from './ImportFile.tsx'
import { ImportResult } from './ImportResult.tsx'
import style from './Imports.module.css'
import { importSteps, importStepWords } from './import-steps.labels.ts'
import { changedNothing, orderImports } from './order-imports.contract.ts'
import type { OrderImport } from './order-imports.schemas.ts'

const View = {
  /** The file that is being looked at. */
  file: urlNumber(0),
  shop: urlText('main'),
  step: urlChoice(importSteps, 'columns'),
  /** The import that is open. */
  id: urlNumber(0),
  page: urlNumber(1),
  query: urlText(),
  from_shop: urlText(),
  problems: urlChoice(['', 'recent', 'all'], ''),
}

export function OrderImportsScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const steps = importSteps.map(step => ({ label: t(importStepWords[step]) }))
  const home = { to: '/parcels/orders/import', label: t('All imports') }
  if (url.id > 0)
    return (
      <Page title={t('Import')} back={home}>
        {/* An earlier import has been through its steps. */}
        {url.step === 'import' ? (
          <Wizard steps={steps} at={3}>
            <ImportResult id={url.id} />
          </Wizard>
        ) : (
          <ImportResult id={url.id} />
        )}
      </Page>
    )
  const choose = (
    <>
      <Choose shop={url.shop} chosen={(file, shop) => setUrl({ file, shop, step: 'columns' })} />
      <Earlier />
    </>
  )
  if (url.file > 0)
    return (
      <Page title={t('Import orders')} back={home} fill>
        <ImportFile
          key={`${url.file} ${url.shop}`}
          file_id={url.file}
          shop={url.shop}
          step={url.step}
          go={step => setUrl({ step })}
          choose={choose}
          started={id => setUrl({ id, file: 0, step: 'import' })}
        />
      </Page>
    )
  return (
    <Page
      title={t('Import orders')}
      note={t('CSV files and Excel workbooks with the rows of orders.')}
      back={{ to: '/parcels/orders', label: t('Orders') }}
      fill
    >
      <Wizard steps={steps} at={0}>
        {choose}
      </Wizard>
    </Page>
  )
}

function Choose({ shop, chosen }: { shop: string; chosen: (file_id: number, shop: string) => void }) {
  const t = useT()
  const [named, setNamed] = useState(shop)
  const code = ShopCode.safeParse(named)
  const [over, setOver] = useState(false)
  const shops = useCall(orderImports.shops, {})
  const upload = useSend(orderImports.uploadFile, { quiet: true, done: ({ file_id }) => code.success && chosen(file_id, code.data) })
  const wrongName = t('A shop code has up to 40 small letters, digits, dots and hyphens')
  const take = (file: File | null | undefined) => {
    if (!file) return
    if (!code.success) return toastInfo(wrongName)
    if (file.size > limits.upload) {
      toastInfo(t('{{name}} is larger than {{limit}}: cut it in two', { name: file.name, limit: bytes(limits.upload) }))
      return
    }
    upload.mutate({ upload: file })
  }
  return (
    // Dropping is a convenience; the button does the same for everybody else.
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the way by keyboard
    <div
      className={`${style.drop} ${over ? style.over : ''}`}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files[0])
      }}
    >
      <Text fw={600} size="lg">
        {t('Drop a CSV file or an Excel workbook here')}
      </Text>
      <Text c="dimmed" mb="md">
        {t('Up to {{limit}}. Nothing is imported before you have seen how it is read.', { limit: bytes(limits.upload) })}
      </Text>
      <Group justify="center" align="end">
        <Autocomplete
          label={t('Shop')}
          description={t('A new name is a new shop.')}
          data={[...new Set([...(shops.data?.shops ?? ['main']), shop])]}
          value={named}
          onChange={setNamed}
          error={code.success ? null : wrongName}
          ta="left"
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          w={220}
        />
        <FileButton onChange={take} accept=".csv,.txt,.tsv,.xlsx,text/csv">
          {props => (
            <Button
              {...props}
              loading={upload.isPending}
              {...disabledBecause(!code.success && wrongName)}
              leftSection={<IconFileUpload size={16} />}
            >
              {t('Select file')}
            </Button>
          )}
        </FileButton>
      </Group>
      {upload.error ? (
        <Text c="brick" role="alert" mt="md">
          {errorSentence(upload.error)}
        </Text>
      ) : null}
      {code.success ? null : (
        <Text c="brick" role="alert" mt="xs">
          {t(code.error.issues[0]?.message ?? '')}
        </Text>
      )}
    </div>
  )
}

const keyOf = (row: OrderImport) => row.id

function Earlier() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const asked = {
    ...(url.query && { query: url.query }),
    ...(url.from_shop && { shop: url.from_shop }),
    ...(url.problems && { problems: url.problems }),
  }
  const list = usePagedList(orderImports.list, { ...asked, page: url.page, limit: 20 }, { live: ['import', 'job'], keyOf })
  const shops = useCall(orderImports.shops, {})
  const filters: Filter[] = [
    {
      key: 'problems',
      label: t('Problems'),
      kind: 'one',
      options: [
        { value: 'recent', label: t('In the last 7 days') },
        { value: 'all', label: t('Ever') },
      ],
      value: url.problems ? [url.problems] : [],
      set: ([value = '']) => setUrl({ problems: value === 'recent' || value === 'all' ? value : '' }),
    },
    {
      key: 'shop',
      label: t('Shop'),
      kind: 'one',
      options: (shops.data?.shops ?? []).map(shop => ({ value: shop, label: shop })),
      value: url.from_shop ? [url.from_shop] : [],
      set: ([from_shop = '']) => setUrl({ from_shop }),
    },
  ]
  const columns = useMemo<Column<OrderImport>[]>(
    () => [
      {
        key: 'file',
        title: t('File'),
        flex: 3,
        cell: row => (
          <Link to="/parcels/orders/import" search={{ id: row.id }} title={row.file_name}>
            {row.file_name}
          </Link>
        ),
      },
      { key: 'shop', title: t('Shop'), cell: row => row.shop },
      { key: 'created_at', title: t('When'), cell: row => <RelativeTime at={row.created_at} /> },
      { key: 'created_by', title: t('By'), flex: 1, cell: row => row.created_by ?? '–' },
      { key: 'state', title: t('Status'), cell: row => <ImportState row={row} /> },
      { key: 'created', title: t('New'), align: 'end', cell: row => number(row.created) },
      { key: 'updated', title: t('Updated'), align: 'end', cell: row => number(row.updated) },
      { key: 'refused', title: t('Rejected'), align: 'end', cell: row => number(row.rows_refused) },
    ],
    [t],
  )
  return (
    <section className={style.part}>
      <h2>{t('Earlier imports')}</h2>
      <DataTable
        name="order-imports"
        label={t('Earlier imports')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: row.id, file: 0, step: 'columns' })}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="order-imports"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Find a file') }}
            filters={filters}
          />
        }
        filtered={Object.keys(asked).length > 0}
        clearFilters={() => setUrl({ query: '', from_shop: '', problems: '' })}
        empty={<EmptyList title={t('No imports yet')} />}
        card={row => (
          <RowCard>
            <RowCardLine>
              <span className={style.name}>{row.file_name}</span>
              <ImportState row={row} />
            </RowCardLine>
            <RowCardLine>
              <Text size="sm" c="dimmed">
                {[row.shop, row.created_by].filter(Boolean).join(', ')}
              </Text>
              <RelativeTime at={row.created_at} />
            </RowCardLine>
          </RowCard>
        )}
      />
    </section>
  )
}

const stateTones: Record<OrderImport['state'], Tone> = { queued: 'soon', running: 'busy', done: 'done', failed: 'stop', cancelled: 'quiet' }

function ImportState({ row }: { row: Pick<OrderImport, 'state' | 'undone_at' | 'created' | 'updated'> }) {
  const t = useT()
  if (row.undone_at) return <StateBadge tone="quiet">{t('Taken back')}</StateBadge>
  if (row.state === 'done' && changedNothing(row)) return <StateBadge tone="quiet">{t('Nothing new')}</StateBadge>
  const words = { queued: t('Waiting'), running: t('Running'), done: t('Done'), failed: t('Failed'), cancelled: t('Cancelled') }
  return <StateBadge tone={stateTones[row.state]}>{words[row.state]}</StateBadge>
}
