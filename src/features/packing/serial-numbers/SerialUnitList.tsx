/** Imported serial numbers: what is in stock, what went out, what is held back; a file brings more. */
import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconFileUpload, IconSpeakerphone } from '@tabler/icons-react'
import { type ComponentType, useMemo, useState } from 'react'
import { access } from '#contract/access.ts'
import { ImportJob } from '#features/company/jobs/ImportJob.tsx'
import { ActionBar } from '#ui/kit/ActionBar.tsx'
import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { DescriptionItem, DescriptionList } from '#ui/kit/DescriptionList.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { ExportButton } from '#ui/kit/ExportButton.tsx'
import { type Filter, FilterBar } from '#ui/kit/FilterBar.tsx'
import { day, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList, useSelection } from '#ui/kit/list-state.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastInfo, toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCommand, useSend } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { ScannerHere, useScanHandler } from '#ui/scanner/handlers.tsx'
import { RecallForm, type RecallMessageProps } from './RecallForm.tsx'
import { type MarkedState, type UnitState, unitStates } from './serial-units.codes.ts'
import { serialUnits } from './serial-units.contract.ts'
import { type SerialUnit, UnitImport } from './serial-units.schemas.ts'

const View = {
  query: urlText(),
  state: urlChoice(['', ...unitStates], ''),
  sku: urlText(),
  company: urlText(),
  page: urlNumber(1),
  /** Id of the import whose progress is shown. */
  job: urlNumber(0),
}

const stateWords: Record<UnitState, string> = {
  in_stock: 'In stock',
  sent: 'Sent',
  returned: 'Returned',
  recalled: 'Recalled',
  removed: 'Removed',
}
const tones = { in_stock: 'plain', sent: 'done', returned: 'plain', recalled: 'stop', removed: 'plain' } as const
const keyOf = (row: SerialUnit) => row.id

/** `Message`: what another area adds, given from above. */
export function SerialUnitList(props: { Message: ComponentType<RecallMessageProps> }) {
  return (
    <ScannerHere onUnknown={() => undefined}>
      <SerialUnits {...props} />
    </ScannerHere>
  )
}

function SerialUnits({ Message }: { Message: ComponentType<RecallMessageProps> }) {
  const t = useT()
  const { init } = useSignedIn()
  const many = init.CompanyLookup.length > 1
  const [url, setUrl] = useUrlState(View)
  const [opened, setOpened] = useState<SerialUnit | null>(null)
  const [recalling, setRecalling] = useState(false)
  const [importing, setImporting] = useState(false)
  const question = {
    ...(url.query && { query: url.query }),
    ...(url.state && { state: url.state }),
    ...(url.sku && { sku: url.sku }),
    ...(url.company && { company_id: Number(url.company) }),
  }
  const list = usePagedList(serialUnits.list, { ...question, page: url.page, limit: 50 }, { live: ['packing'], keyOf })
  const save = useCommand(() => send(serialUnits.export, question), { done: saveFile })
  const selection = useSelection([url.query, url.state, url.sku, url.company])
  const mark = useMark(() => {
    selection.clear()
    setOpened(null)
    list.showPendingChanges()
  })
  useScanHandler({
    match: code => (code.kind === 'other' ? (code.gs1?.serial ?? code.text) : null),
    handle: query => setUrl({ query, page: 1 }),
  })
  const companyName = useMemo(() => new Map(init.CompanyLookup.map(company => [company.id, company.name])), [init])
  const columns = useMemo<Column<SerialUnit>[]>(
    () => [
      { key: 'serial', title: t('Serial number'), cell: row => <span className="code">{row.serial}</span> },
      { key: 'product', title: t('Product'), flex: 2, cell: row => <span title={row.sku}>{row.product ?? row.sku}</span> },
      { key: 'sku', title: t('SKU'), cell: row => <span className="code">{row.sku}</span> },
      { key: 'state', title: t('Status'), cell: row => <UnitBadge of={row} /> },
      { key: 'pack_code', title: t('Multipack'), cell: row => <span className="code">{row.pack_code ?? '–'}</span> },
      { key: 'lot', title: t('Lot'), cell: row => row.lot ?? '–' },
      { key: 'expiry', title: t('Expiry date'), cell: row => (row.expiry ? day(row.expiry) : '–') },
      { key: 'order', title: t('Order'), cell: row => <OrderOf unit={row} /> },
      { key: 'at', title: t('Imported'), cell: row => <RelativeTime at={row.imported_at} /> },
      ...(many ? [{ key: 'company', title: t('Company'), cell: (row: SerialUnit) => companyName.get(row.company_id) ?? row.company }] : []),
    ],
    [t, many, companyName],
  )
  const byCompany = useCompanyFilter({ kind: 'one', value: url.company ? [url.company] : [], set: ([company = '']) => setUrl({ company }) })
  const filters: Filter[] = [
    {
      key: 'state',
      label: t('Status'),
      kind: 'one',
      options: unitStates.map(value => ({ value, label: t(stateWords[value]) })),
      value: url.state ? [url.state] : [],
      set: ([value = '']) => setUrl({ state: unitStates.find(one => one === value) ?? '' }),
    },
    { key: 'sku', label: t('SKU'), kind: 'text', value: url.sku ? [url.sku] : [], set: ([sku = '']) => setUrl({ sku }) },
    ...byCompany,
  ]
  const chosen = [...selection.keys].map(key => list.rows.find(row => row.id === Number(key)) ?? { id: Number(key) })
  return (
    <Page
      title={t('Imported serial numbers')}
      fill
      actions={
        <>
          <Button variant="default" leftSection={<IconSpeakerphone size={16} />} onClick={() => setRecalling(true)}>
            {t('Recall')}
          </Button>
          <ExportButton save={save} />
          <Button leftSection={<IconFileUpload size={16} />} onClick={() => setImporting(true)}>
            {t('Import')}
          </Button>
        </>
      }
    >
      <DataTable
        name="serial-units"
        label={t('Imported serial numbers')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={setOpened}
        opened={opened?.id ?? null}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="serial-units"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Serial number or multipack') }}
            filters={filters}
            views={[
              { key: 'all', title: t('All'), search: {} },
              { key: 'in_stock', title: t('In stock'), search: { state: 'in_stock' } },
              { key: 'sent', title: t('Sent'), search: { state: 'sent' } },
              { key: 'recalled', title: t('Recalled'), search: { state: 'recalled' } },
            ]}
          />
        }
        selection={selection}
        bulk={
          <ActionBar selection={selection} list={list}>
            <MarkButtons mark={mark} units={chosen} size="compact-sm" />
          </ActionBar>
        }
        filtered={Object.keys(question).length > 0}
        clearFilters={() => setUrl({ query: '', state: '', sku: '', company: '' })}
        empty={
          <EmptyList title={t('No imported serial numbers')} action={<Button onClick={() => setImporting(true)}>{t('Import')}</Button>}>
            {t('From a file of your supplier: stations then know multipacks and recalled items.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span className="code">{row.serial}</span>
              <UnitBadge of={row} />
            </RowCardLine>
            <span>{row.product ?? row.sku}</span>
            <RowCardLine>
              <span>{[row.pack_code, row.order_no].filter(Boolean).join(', ')}</span>
              <RelativeTime at={row.imported_at} as="age" />
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer opened={opened !== null} onClose={() => setOpened(null)} position="right" title={t('Serial number')}>
        {opened ? (
          <Stack>
            <Facts of={opened} company={many ? (companyName.get(opened.company_id) ?? opened.company) : null} />
            <Group gap="xs">
              <MarkButtons mark={mark} units={[opened]} size="sm" />
            </Group>
          </Stack>
        ) : null}
      </Drawer>
      <Drawer opened={recalling} onClose={() => setRecalling(false)} position="right" title={t('Recall')}>
        {recalling ? <RecallForm sku={url.sku} Message={Message} /> : null}
      </Drawer>
      <Dialog
        opened={importing || url.job > 0}
        onClose={() => {
          setImporting(false)
          setUrl({ job: 0, page: url.page })
        }}
        title={t('Import serial numbers')}
        size={640}
      >
        {url.job > 0 ? (
          <ImportResult id={url.job} />
        ) : importing ? (
          <ImportForm company_id={Number(url.company)} started={job => setUrl({ job, page: url.page })} />
        ) : null}
      </Dialog>
    </Page>
  )
}

type Chosen = Pick<SerialUnit, 'id'> & Partial<SerialUnit>
interface Mark {
  isPending: boolean
  mutate(input: { units: readonly Chosen[]; as: MarkedState }): void
}

/** Marks serial numbers, with a way back to the state that each of them had. */
function useMark(done: () => void): Mark {
  const t = useT()
  const refreshes = [serialUnits.list]
  const marked = async (ids: readonly number[], as: MarkedState): Promise<{ changed: number; ids: readonly number[] }> =>
    ids.length === 0 ? { changed: 0, ids } : send(serialUnits.mark, { body: { ids: [...ids], as } })
  const takeBack = useCommand(
    async (units: readonly Chosen[]) => {
      const of = (...states: (UnitState | undefined)[]) => units.filter(unit => states.includes(unit.state)).map(unit => unit.id)
      await marked(of('recalled'), 'recalled')
      await marked(of('removed'), 'removed')
      await marked(of('in_stock', 'sent', 'returned', undefined), 'in_stock')
    },
    { refreshes, done },
  )
  return useCommand(
    async ({ units, as }: { units: readonly Chosen[]; as: MarkedState }) =>
      marked(
        units.map(unit => unit.id),
        as,
      ),
    {
      refreshes,
      done: ({ changed, ids }, { units, as }) => {
        done()
        const count = { count: number(changed) }
        if (changed === 0) toastInfo(t('Nothing changed: sent items are not removed'))
        else
          toastWithUndo(
            as === 'recalled'
              ? t('Recalled: {{count}}', count)
              : as === 'removed'
                ? t('Removed: {{count}}', count)
                : t('Allowed again: {{count}}', count),
            () => takeBack.mutate(units.filter(unit => ids.includes(unit.id))),
          )
      },
    },
  )
}

/** What may be done with these; what is done already to all of them is left out. */
function MarkButtons({ mark, units, size }: { mark: Mark; units: readonly Chosen[]; size: 'sm' | 'compact-sm' }) {
  const t = useT()
  const some = (...states: UnitState[]) => units.some(({ state }) => state === undefined || states.includes(state))
  const button = (as: MarkedState, title: string) => (
    <Button size={size} variant="default" loading={mark.isPending} onClick={() => mark.mutate({ units, as })}>
      {title}
    </Button>
  )
  return (
    <>
      {some('in_stock', 'sent', 'returned') ? button('recalled', t('Recall')) : null}
      {some('in_stock', 'returned', 'recalled') ? button('removed', t('Remove from stock')) : null}
      {some('recalled', 'removed') ? button('in_stock', t('Allow again')) : null}
    </>
  )
}

function UnitBadge({ of: { state, in_packing } }: { of: SerialUnit }) {
  const t = useT()
  return in_packing ? (
    <StateBadge tone="busy">{t('In packing')}</StateBadge>
  ) : (
    <StateBadge tone={tones[state]}>{t(stateWords[state])}</StateBadge>
  )
}

/** A link for those who may open orders. */
function OrderOf({ unit: { order_id, order_no } }: { unit: SerialUnit }) {
  const mayOpen = useIsAllowed(access.parcels)
  if (order_id === null) return '–'
  return mayOpen ? (
    <Link to="/parcels/orders" search={{ id: order_id }}>
      {order_no}
    </Link>
  ) : (
    order_no
  )
}

function Facts({ of: unit, company }: { of: SerialUnit; company: string | null }) {
  const t = useT()
  return (
    <DescriptionList>
      <DescriptionItem name={t('Serial number')}>
        <Link to="/serials" search={{ query: unit.serial }} className="code">
          {unit.serial}
        </Link>
      </DescriptionItem>
      <DescriptionItem name={t('Status')}>
        <UnitBadge of={unit} />
      </DescriptionItem>
      <DescriptionItem name={t('Product')}>{[unit.product, unit.sku].filter(Boolean).join(', ')}</DescriptionItem>
      {company === null ? null : <DescriptionItem name={t('Company')}>{company}</DescriptionItem>}
      <DescriptionItem name={t('Multipack')}>{unit.pack_code ?? '–'}</DescriptionItem>
      <DescriptionItem name={t('Lot')}>{unit.lot ?? '–'}</DescriptionItem>
      <DescriptionItem name={t('Expiry date')}>{unit.expiry ? day(unit.expiry) : '–'}</DescriptionItem>
      <DescriptionItem name={t('Order')}>
        <OrderOf unit={unit} />
      </DescriptionItem>
      <DescriptionItem name={t('Imported')}>
        <RelativeTime at={unit.imported_at} />
      </DescriptionItem>
    </DescriptionList>
  )
}

function ImportForm({ company_id, started }: { company_id: number; started: (job_id: number) => void }) {
  const t = useT()
  const { CompanyLookup } = useSignedIn().init
  const [company, setCompany] = useState(
    (CompanyLookup.find(one => one.id === company_id) ?? CompanyLookup.find(one => one.main))?.code ?? '',
  )
  const upload = useSend(serialUnits.import, { done: ({ job_id }) => started(job_id) })
  return (
    <Stack>
      <Text>{t('A CSV file or workbook with the columns sku and serial, and where known pack_code, lot and expiry.')}</Text>
      <Text c="dimmed">{t('Serial numbers that are known already are changed, not added a second time.')}</Text>
      {CompanyLookup.length > 1 ? (
        <NativeChoice
          label={t('Company')}
          data={CompanyLookup.map(one => ({ value: one.code, label: one.name }))}
          value={company}
          choose={setCompany}
        />
      ) : null}
      <Group justify="flex-end">
        <FileButton
          accept=".csv,.txt,.tsv,.xlsx,text/csv"
          onChange={file => file && upload.mutate({ upload: file, ...(CompanyLookup.length > 1 && { company }) })}
        >
          {props => (
            <Button {...props} data-autofocus loading={upload.isPending} leftSection={<IconFileUpload size={16} />}>
              {t('Choose file')}
            </Button>
          )}
        </FileButton>
      </Group>
    </Stack>
  )
}

function ImportResult({ id }: { id: number }) {
  const t = useT()
  return (
    <ImportJob
      id={id}
      refreshes={serialUnits.list}
      read={result => {
        const read = UnitImport.safeParse(result).data
        if (!read) return null
        const { added, changed, unchanged, refused, problems } = read
        return {
          counts: { created: added, updated: changed, unchanged, refused },
          findings: problems.map(({ row, field, text, values }) => (
            <Group key={`${row} ${field}`} gap="sm" mt={4} wrap="nowrap" align="start">
              <Text c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                {t('Row {{row}}', { row })}
              </Text>
              <Text>{t(text, values)}</Text>
            </Group>
          )),
        }
      }}
    />
  )
}
