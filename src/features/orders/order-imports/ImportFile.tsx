/** A file before it is imported: how it is written, what its columns mean, and its first rows as they will be read. */
import { Alert, Button, Checkbox, Collapse, Group, Select, Switch, Table, Text, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useSend } from '#web/calls.ts'
import { bytes, country, instant, money, number } from '#web/format.ts'
import { currentLocale, useT } from '#web/translate.ts'
import { Failed } from '#web/ui/Failed.tsx'
import { StateBadge } from '#web/ui/StateBadge.tsx'
import { Waiting } from '#web/ui/Waiting.tsx'
import { CsvField } from './columns.rules.ts'
import type { Encoding, Separator } from './csv-text.rules.ts'
import type { DateOrder } from './dates.rules.ts'
import type { DecimalSign } from './decimals.rules.ts'
import style from './Imports.module.css'
import {
  constantFields,
  dateWords,
  encodingWords,
  fieldWords,
  separatorWords,
  severityTones,
  severityWords,
  spokenValues,
} from './import-words.ts'
import type { Mapping } from './mapping.rules.ts'
import { toMinor } from './money.rules.ts'
import { type FileForm, type ImportPreview, orderImports } from './order-imports.contract.ts'
import { csvSentences } from './refused-rows.rules.ts'

/** What a person changed of what was found. */
interface Wish {
  form: Partial<FileForm>
  mapping: Mapping | null
}

export function ImportFile({ file_id, shop, started }: { file_id: number; shop: string; started: (id: number) => void }) {
  const [wish, setWish] = useState<Wish>({ form: {}, mapping: null })
  // A constant is typed letter by letter; the file is read anew when the typing rests.
  const [asked] = useDebouncedValue(wish, 350)
  const preview = useCall(orderImports.preview, { body: { file_id, shop, ...asked } }, { keep: true, fresh: 60_000 })
  const seen = preview.data
  if (!seen) return preview.error ? <Failed error={preview.error} again={() => void preview.refetch()} /> : <Waiting shape="form" />
  return (
    <>
      {preview.error ? <Failed error={preview.error} again={() => void preview.refetch()} /> : null}
      <Looked
        seen={{ ...seen, mapping: wish.mapping ?? seen.mapping }}
        setWish={setWish}
        shop={shop}
        started={started}
        stale={preview.isPlaceholderData || asked !== wish}
      />
    </>
  )
}

function Looked({
  seen,
  setWish,
  shop,
  started,
  stale,
}: {
  seen: ImportPreview
  setWish: (change: (wish: Wish) => Wish) => void
  shop: string
  started: (id: number) => void
  stale: boolean
}) {
  const t = useT()
  const [keep, setKeep] = useState(true)
  const [settled, setSettled] = useState<readonly string[]>([])
  const settle = (doubt: string) => setSettled(doubts => [...doubts, doubt])
  const start = useSend(orderImports.start, { refreshes: [orderImports.list], done: ({ id }) => started(id) })
  const { mapping } = seen
  const map = (change: Partial<Mapping>) => setWish(wish => ({ ...wish, mapping: { ...(wish.mapping ?? mapping), ...change } }))
  const words = (problem: { text: string; values: Record<string, string | number> }) => t(problem.text, spokenValues(problem.values, t))
  return (
    <>
      <Text>
        <strong>{seen.file_name}</strong> · {bytes(seen.bytes)} · {t('for the shop {{shop}}', { shop })}
        {seen.saved ? ` · ${t('with the mapping that was kept for it')}` : ''}
      </Text>

      <Part title={t('How the file is written')} help={t('Found by looking at the file. Correct what is wrong.')}>
        <div className={style.fields}>
          <Select
            label={t('Separator')}
            data={Object.entries(separatorWords).map(([value, label]) => ({ value, label: t(label) }))}
            value={seen.form.separator}
            allowDeselect={false}
            onChange={value => setWish(wish => ({ form: { ...wish.form, separator: value as Separator }, mapping: null }))}
          />
          <Select
            label={t('Encoding')}
            data={Object.entries(encodingWords).map(([value, label]) => ({ value, label: t(label) }))}
            value={seen.form.encoding}
            allowDeselect={false}
            onChange={value => setWish(wish => ({ form: { ...wish.form, encoding: value as Encoding }, mapping: null }))}
          />
          <Select
            label={t('Dates')}
            data={Object.entries(dateWords).map(([value, label]) => ({ value, label: t(label) }))}
            value={mapping.dates}
            allowDeselect={false}
            onChange={value => {
              settle(csvSentences.dates)
              map({ dates: value as DateOrder })
            }}
          />
          <Select
            label={t('Decimals')}
            data={[
              { value: '.', label: t('Point: 1,000.50') },
              { value: ',', label: t('Comma: 1.000,50') },
            ]}
            value={mapping.decimals}
            allowDeselect={false}
            onChange={value => {
              settle(csvSentences.decimals)
              map({ decimals: value as DecimalSign, column_decimals: {} })
            }}
          />
          <TextInput
            label={t('Time zone')}
            description={t('Of times without an offset.')}
            value={mapping.time_zone}
            onChange={event => map({ time_zone: event.currentTarget.value })}
          />
        </div>
        {seen.doubts
          .filter(doubt => !settled.includes(doubt.text))
          .map(doubt => (
            <Alert key={doubt.text + doubt.field} mt="sm" color="amber" icon={<IconAlertTriangle size={18} />}>
              {words(doubt)}. {t('Look at the rows below.')}
            </Alert>
          ))}
      </Part>

      <Part title={t('What the columns mean')} help={t('Columns without a meaning are left out.')}>
        <Columns seen={seen} map={map} />
      </Part>

      <Constants seen={seen} map={map} />
      <Rules mapping={mapping} map={map} />

      <Part title={t('As it will be read')} help={t('The first rows of the file, with everything above applied.')}>
        <Lines seen={seen} stale={stale} />
      </Part>

      {seen.problems.length > 0 ? (
        <Part title={t('What was found')} help={t('In the first {{count}} rows.', { count: seen.looked_at })}>
          <Table verticalSpacing={4}>
            <Table.Tbody>
              {seen.problems.slice(0, 20).map(problem => (
                <Table.Tr key={`${problem.row} ${problem.code} ${problem.column}`}>
                  <Table.Td w={110}>{t('Row {{row}}', { row: problem.row })}</Table.Td>
                  <Table.Td w={130}>
                    <StateBadge tone={severityTones[problem.severity]}>{t(severityWords[problem.severity])}</StateBadge>
                  </Table.Td>
                  <Table.Td>{words(problem)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Part>
      ) : null}

      <div className={style.foot}>
        <Button
          loading={start.isPending}
          disabled={seen.missing.length > 0}
          onClick={() => start.mutate({ body: { file_id: seen.file_id, shop, form: seen.form, mapping, keep, locale: currentLocale() } })}
        >
          {t('Import orders')}
        </Button>
        <Checkbox
          label={t('Keep this for the next file of the shop')}
          checked={keep}
          onChange={event => setKeep(event.currentTarget.checked)}
        />
        {mapping.invent.addresses ? (
          <Group gap={6} wrap="nowrap" role="status">
            <IconAlertTriangle size={18} style={{ flexShrink: 0, color: 'var(--mantine-color-amber-text)' }} />
            <Text size="sm">{t('Missing addresses are invented: for trying only')}</Text>
          </Group>
        ) : null}
        {seen.missing.length > 0 ? (
          <Text c="brick" role="status">
            {[...new Set(seen.missing.map(words))].join(' · ')}
          </Text>
        ) : null}
      </div>
    </>
  )
}

function Part({ title, help, children }: { title: string; help?: string; children: React.ReactNode }) {
  return (
    <section className={style.part}>
      <h2>{title}</h2>
      {help ? <p>{help}</p> : null}
      {children}
    </section>
  )
}

type Map = (change: Partial<Mapping>) => void

function Columns({ seen, map }: { seen: ImportPreview; map: Map }) {
  const t = useT()
  const { columns } = seen.mapping
  const taken = new Set(Object.values(columns))
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Column')}</Table.Th>
            <Table.Th>{t('First values')}</Table.Th>
            <Table.Th w={300}>{t('Meaning')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {seen.headers.map((header, place) => (
            <Table.Tr key={header}>
              <Table.Td fw={550}>{header}</Table.Td>
              <Table.Td className={style.sample}>
                {[...new Set(seen.cells.map(row => row.cells[place] ?? '').filter(cell => cell !== ''))].slice(0, 3).join(' · ') || '–'}
              </Table.Td>
              <Table.Td>
                <Select
                  aria-label={t('Meaning of {{column}}', { column: header })}
                  placeholder={t('Left out')}
                  searchable
                  clearable
                  data={CsvField.options.map(field => ({
                    value: field,
                    label: t(fieldWords[field]),
                    disabled: taken.has(field) && columns[header] !== field,
                  }))}
                  value={columns[header] ?? null}
                  onChange={value => {
                    const { [header]: _gone, ...others } = columns
                    map({ columns: value ? { ...others, [header]: value as CsvField } : others })
                  }}
                  nothingFoundMessage={t('Nothing matches')}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Constants({ seen, map }: { seen: ImportPreview; map: Map }) {
  const t = useT()
  const { mapping } = seen
  const mapped = new Set(Object.values(mapping.columns))
  const fields = constantFields.filter(field => !mapped.has(field) || mapping.constants[field])
  return (
    <Part title={t('What the file does not say')} help={t('The same for every row, or where its cell is empty.')}>
      <div className={style.fields}>
        {fields.map(field => (
          <TextInput
            key={field}
            label={t(fieldWords[field])}
            placeholder={field === 'currency' ? 'DKK' : field === 'ship_country' ? 'DK' : field === 'locale' ? 'da_DK' : ''}
            value={mapping.constants[field] ?? ''}
            onChange={event => map({ constants: { ...mapping.constants, [field]: event.currentTarget.value } })}
          />
        ))}
      </div>
      <Switch
        mt="md"
        label={t('Invent addresses for trying')}
        description={t('Where a row has none: “Sample Customer”, “Sample Street”. Never for real parcels.')}
        checked={mapping.invent.addresses}
        onChange={event => map({ invent: { ...mapping.invent, addresses: event.currentTarget.checked } })}
      />
      <Switch
        mt="sm"
        label={t('Invent barcodes, bins and weights for trying')}
        description={t('The same ones for the same SKU every time; the barcodes begin with 2.')}
        checked={mapping.invent.products}
        onChange={event => map({ invent: { ...mapping.invent, products: event.currentTarget.checked } })}
      />
    </Part>
  )
}

const becomes = ['shipping', 'discount', 'fee', 'gift_card', 'left_out'] as const

function Rules({ mapping, map }: { mapping: Mapping; map: Map }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <Part title={t('Special rows')}>
      <Button variant="default" size="compact-sm" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? t('Hide the rules') : t('Show the rules')}
      </Button>
      <Collapse expanded={open}>
        <div className={style.fields} style={{ marginTop: 12 }}>
          <Select
            label={t('Rows of one order that disagree')}
            data={[
              { value: 'refuse', label: t('Refuse the order') },
              { value: 'first', label: t('The first row counts') },
            ]}
            value={mapping.conflicts}
            allowDeselect={false}
            onChange={value => map({ conflicts: value as Mapping['conflicts'] })}
          />
          <Select
            label={t('The same product twice in an order')}
            data={[
              { value: 'keep', label: t('Two lines') },
              { value: 'add', label: t('One line with the sum') },
            ]}
            value={mapping.repeated}
            allowDeselect={false}
            onChange={value => map({ repeated: value as Mapping['repeated'] })}
          />
          <Select
            label={t('A price of zero')}
            data={[
              { value: 'keep', label: t('Take the row') },
              { value: 'leave_out', label: t('Leave the row out') },
            ]}
            value={mapping.zero_price}
            allowDeselect={false}
            onChange={value => map({ zero_price: value as Mapping['zero_price'] })}
          />
          <Select
            label={t('No product name')}
            data={[
              { value: 'keep', label: t('Take the row') },
              { value: 'leave_out', label: t('Leave the row out') },
            ]}
            value={mapping.no_description}
            allowDeselect={false}
            onChange={value => map({ no_description: value as Mapping['no_description'] })}
          />
          <TextInput
            label={t('Cancellations begin with')}
            description={t('An order number that begins so, with negative quantities.')}
            value={mapping.cancellation_prefix}
            maxLength={10}
            onChange={event => map({ cancellation_prefix: event.currentTarget.value })}
          />
        </div>
        <NonProducts mapping={mapping} map={map} />
      </Collapse>
    </Part>
  )
}

function NonProducts({ mapping, map }: { mapping: Mapping; map: Map }) {
  const t = useT()
  const written = mapping.non_products.map(({ sku, becomes: kind }) => `${sku} = ${kind}`).join('\n')
  const [text, setText] = useState(written)
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const read = lines.map(line => {
    const [, sku, kind] = /^(.+?)\s*=\s*(\w+)\s*$/.exec(line.trim()) ?? []
    return sku && (becomes as readonly string[]).includes(kind ?? '') ? { sku, becomes: kind as (typeof becomes)[number] } : null
  })
  const wrong = lines[read.indexOf(null)]
  return (
    <Textarea
      mt="md"
      maw={420}
      label={t('SKUs that are no products')}
      description={t('One a line: the SKU, an equals sign, and one of {{words}}.', { words: becomes.join(', ') })}
      error={wrong === undefined ? undefined : t('Not understood: {{line}}', { line: wrong })}
      autosize
      minRows={3}
      maxRows={12}
      value={text}
      onChange={event => setText(event.currentTarget.value)}
      onBlur={() => {
        if (wrong === undefined && text !== written) map({ non_products: read.filter(one => one !== null) })
      }}
    />
  )
}

function Lines({ seen, stale }: { seen: ImportPreview; stale: boolean }) {
  const t = useT()
  if (seen.lines.length === 0) return <Text c="dimmed">{t('No row can be read like this.')}</Text>
  return (
    <Table.ScrollContainer
      minWidth={860}
      style={{ opacity: stale ? 0.6 : 1 }}
      aria-busy={stale}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': t('As it will be read') } }}
    >
      <Table verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Order')}</Table.Th>
            <Table.Th>{t('Ordered at')}</Table.Th>
            <Table.Th>{t('Recipient')}</Table.Th>
            <Table.Th>{t('SKU')}</Table.Th>
            <Table.Th>{t('Product')}</Table.Th>
            <Table.Th ta="right">{t('Quantity')}</Table.Th>
            <Table.Th ta="right">{t('Price')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {seen.lines.map((line, at) => (
            // Rows of a preview have no identity of their own but their place.
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never move
            <Table.Tr key={at}>
              <Table.Td fw={550}>{line.order_no}</Table.Td>
              <Table.Td>{line.ordered_at ? instant(line.ordered_at) : '–'}</Table.Td>
              <Table.Td>
                {line.recipient || '–'}
                <Text size="xs" c="dimmed">
                  {[line.place, country(line.country)].filter(Boolean).join(', ')}
                </Text>
              </Table.Td>
              <Table.Td>{line.sku ?? '–'}</Table.Td>
              <Table.Td>{line.name}</Table.Td>
              <Table.Td ta="right">{number(line.qty)}</Table.Td>
              <Table.Td ta="right">{line.price === null ? '–' : money(toMinor(line.price, line.currency), line.currency)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
