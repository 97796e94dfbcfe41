/** What a file's columns mean, what it leaves unsaid, and how its special rows are taken. */

import { Button, Collapse, Group, Select, Switch, Table, Text, Textarea, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { isOneOf } from '#domain/objects.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import { CsvField } from './columns.rules.ts'
import style from './Imports.module.css'
import { constantFields, contentWords, fieldWords, spokenValues } from './import.labels.ts'
import type { Mapping } from './mapping.rules.ts'
import type { ImportPreview } from './order-imports.schemas.ts'
import { csvSentences } from './rejected-rows.rules.ts'

export function Part({ title, help, children }: { title: string; help?: string; children: React.ReactNode }) {
  return (
    <section className={style.part}>
      <h2>{title}</h2>
      {help ? <p>{help}</p> : null}
      {children}
    </section>
  )
}

/** A column that is left out, whose meaning no other column has yet: one click takes it. */
const isMissing = (doubt: ImportPreview['doubts'][number], taken: ReadonlySet<string>): boolean =>
  doubt.text === csvSentences.left_out_column && isOneOf(CsvField.options, doubt.field) && !taken.has(doubt.field)

type Change = (change: Partial<Mapping>) => void

interface ColumnsProps {
  seen: ImportPreview
  /** Those that are not settled yet. */
  doubts: ImportPreview['doubts']
  map: Change
  confirm: (column: string) => void
}

export function Columns({ seen, doubts, map, confirm }: ColumnsProps) {
  const t = useT()
  const holds = new Map(seen.unused.map(unused => [unused.column, t(contentWords[unused.holds])]))
  const { columns } = seen.mapping
  const taken = new Set(Object.values(columns))
  return (
    <Table verticalSpacing={6} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Column')}</Table.Th>
          <Table.Th>{t('Meaning')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {seen.headers.map((header, place) => (
          <Table.Tr key={header}>
            <Table.Td className={style.column}>
              <div className={style.name}>{header}</div>
              <div className={style.sample}>
                {[...new Set(seen.cells.map(row => row.cells[place] ?? '').filter(cell => cell !== ''))].slice(0, 3).join(' · ') || '–'}
              </div>
            </Table.Td>
            <Table.Td>
              <Select
                aria-label={t('Meaning of {{column}}', { column: header })}
                placeholder={t('Left out')}
                searchable
                clearable
                data={CsvField.options.map(field => {
                  const label = t(fieldWords[field])
                  const isTaken = field !== 'items' && taken.has(field) && columns[header] !== field
                  const why = isTaken && t('another column has it')
                  return { value: field, label: why ? `${label} (${why})` : label, ...disabledBecause(why) }
                })}
                value={columns[header] ?? null}
                onChange={value => {
                  const { [header]: _gone, ...others } = columns
                  map({ columns: value ? { ...others, [header]: value } : others })
                }}
              />
              {holds.has(header) && !columns[header] ? (
                <Text size="xs" c="dimmed" mt={2}>
                  {t('Left out: {{contents}}', { contents: holds.get(header) ?? '' })}
                </Text>
              ) : null}
              {doubts
                .filter(doubt => doubt.values.column === header)
                .map(doubt => (
                  <Group key={`${doubt.text} ${doubt.field}`} gap={8} mt={4} wrap="nowrap" align="flex-start">
                    <IconAlertTriangle size={16} className={style.doubtMark} aria-hidden />
                    <div>
                      <Text size="xs">{t(doubt.text, spokenValues(doubt.values, t))}</Text>
                      {doubt.text === csvSentences.guessed ? (
                        <Button mt={4} size="compact-xs" variant="default" onClick={() => confirm(header)}>
                          {t('Correct')}
                        </Button>
                      ) : null}
                      {isMissing(doubt, taken) ? (
                        <Button
                          mt={4}
                          size="compact-xs"
                          variant="default"
                          onClick={() => map({ columns: { ...columns, [header]: doubt.field as CsvField } })}
                        >
                          {t('Take it as {{field}}', { field: t(fieldWords[doubt.field as CsvField]) })}
                        </Button>
                      ) : null}
                    </div>
                  </Group>
                ))}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

export function Constants({ seen, map }: { seen: ImportPreview; map: Change }) {
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
        label={t('Use sample addresses')}
        description={t('Where a row has none: “Sample Customer”, “Sample Street”. Never for real parcels.')}
        checked={mapping.invent.addresses}
        onChange={event => map({ invent: { ...mapping.invent, addresses: event.currentTarget.checked } })}
      />
      <Switch
        mt="sm"
        label={t('Use sample barcodes, bins and weights')}
        description={t('The same ones for the same SKU every time; the barcodes begin with 2.')}
        checked={mapping.invent.products}
        onChange={event => map({ invent: { ...mapping.invent, products: event.currentTarget.checked } })}
      />
    </Part>
  )
}

const becomes = ['shipping', 'discount', 'fee', 'gift_card', 'left_out'] as const

export function Rules({ mapping, map }: { mapping: Mapping; map: Change }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <Part title={t('Special rows')}>
      <Button variant="default" size="compact-sm" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? t('Hide rules') : t('Show rules')}
      </Button>
      <Collapse expanded={open}>
        <div className={style.fields} style={{ marginTop: 12 }}>
          <Select
            label={t('Conflicting order rows')}
            data={[
              { value: 'refuse', label: t('Reject the order') },
              { value: 'first', label: t('The first row counts') },
            ]}
            value={mapping.conflicts}
            onChange={value => value && map({ conflicts: value })}
          />
          <Select
            label={t('Product twice in an order')}
            data={[
              { value: 'keep', label: t('Two lines') },
              { value: 'add', label: t('One line with the sum') },
            ]}
            value={mapping.repeated}
            onChange={value => value && map({ repeated: value })}
          />
          <Select
            label={t('A price of zero')}
            data={[
              { value: 'keep', label: t('Take the row') },
              { value: 'leave_out', label: t('Leave the row out') },
            ]}
            value={mapping.zero_price}
            onChange={value => value && map({ zero_price: value })}
          />
          <Select
            label={t('No product name')}
            data={[
              { value: 'keep', label: t('Take the row') },
              { value: 'leave_out', label: t('Leave the row out') },
            ]}
            value={mapping.no_description}
            onChange={value => value && map({ no_description: value })}
          />
          <Select
            label={t('Rows without an order number')}
            data={[
              { value: 'refuse', label: t('Reject them') },
              { value: 'order_above', label: t('Belong to the order above') },
            ]}
            value={mapping.blank_order_no}
            onChange={value => map({ blank_order_no: value as Mapping['blank_order_no'] })}
          />
          <TextInput
            label={t('Cancellations begin with')}
            description={t('An order number that begins so, with negative quantities.')}
            value={mapping.cancellation_prefix}
            maxLength={10}
            onChange={event => map({ cancellation_prefix: event.currentTarget.value })}
          />
          {mapping.cancelled ? (
            <Select
              label={t('{{column}}: cancelled rows', { column: mapping.cancelled.column })}
              data={[
                { value: 'leave_out', label: t('Leave the row out') },
                { value: 'keep', label: t('Take the row') },
              ]}
              value="leave_out"
              onChange={value => value === 'keep' && map({ cancelled: null })}
            />
          ) : null}
        </div>
        <NonProducts key={JSON.stringify(mapping.non_products)} mapping={mapping} map={map} />
      </Collapse>
    </Part>
  )
}

function NonProducts({ mapping, map }: { mapping: Mapping; map: Change }) {
  const t = useT()
  const written = mapping.non_products.map(({ sku, becomes: kind }) => `${sku} = ${kind}`).join('\n')
  const [text, setText] = useState(written)
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const read = lines.map(line => {
    const [, sku, kind] = /^(.+?)\s*=\s*(\w+)\s*$/.exec(line.trim()) ?? []
    return sku && isOneOf(becomes, kind) ? { sku, becomes: kind } : null
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
