/** A file before it is imported: how it is written, what its columns mean, and its first rows as they will be read. */
import { Alert, Button, Checkbox, Group, List, NumberInput, Select, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle, IconBookmark } from '@tabler/icons-react'
import { useState } from 'react'
import { toMinor } from '#domain/money.ts'
import { entriesOf } from '#domain/objects.ts'
import { severityTones, severityWords } from '#domain/row-severity.ts'
import { ErrorState } from '#ui/kit/ErrorState.tsx'
import { bytes, country, instant, money, number } from '#ui/kit/format.ts'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { currentLocale, useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { Columns, Constants, Part, Rules } from './ImportMapping.tsx'
import style from './Imports.module.css'
import { dateWords, encodingWords, separatorWords, spokenValues } from './import.labels.ts'
import type { Mapping } from './mapping.rules.ts'
import { orderImports } from './order-imports.contract.ts'
import type { FileForm, ImportPreview } from './order-imports.schemas.ts'
import { csvSentences } from './rejected-rows.rules.ts'

/** What a person changed of what was found. */
interface Wish {
  form: Partial<FileForm>
  mapping: Mapping | null
  /** The mapping that is kept for the shop does not count. */
  detect: boolean
}

export function ImportFile({ file_id, shop, started }: { file_id: number; shop: string; started: (id: number) => void }) {
  const [wish, setWish] = useState<Wish>({ form: {}, mapping: null, detect: false })
  // A constant is typed letter by letter; the file is read anew when the typing rests.
  const [asked] = useDebouncedValue(wish, 350)
  const preview = useCall(orderImports.preview, { body: { file_id, shop, ...asked } }, { keep: true, fresh: 60_000 })
  const seen = preview.data
  if (!seen) return preview.error ? <ErrorState error={preview.error} again={() => void preview.refetch()} /> : <Skeleton shape="form" />
  return (
    <>
      {preview.error ? <ErrorState error={preview.error} again={() => void preview.refetch()} /> : null}
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
  const [confirmed, setConfirmed] = useState<readonly string[]>([])
  const unconfirmed = seen.doubts.filter(({ text, values }) => text === csvSentences.guessed && !confirmed.includes(String(values.column)))
  const confirm = (column: string) => setConfirmed(columns => [...columns, column])
  const settle = (doubt: string) => setSettled(doubts => [...doubts, doubt])
  const start = useSend(orderImports.start, { refreshes: [orderImports.list], done: ({ id }) => started(id) })
  const { mapping } = seen
  const map = (change: Partial<Mapping>) => setWish(wish => ({ ...wish, mapping: { ...(wish.mapping ?? mapping), ...change } }))
  const words = (problem: { text: string; values: Record<string, string | number> }) => t(problem.text, spokenValues(problem.values, t))
  return (
    <>
      <Text>
        <strong>{seen.file_name}</strong> · {bytes(seen.bytes)} · {t('for the shop {{shop}}', { shop })}
      </Text>
      {seen.saved ? (
        <Alert mt="sm" color="gray" icon={<IconBookmark size={16} />} title={t('The columns are read as in the last file of this shop')}>
          <Group gap="sm" align="center">
            {t('Dates and numbers were looked at again.')}
            <Button variant="default" size="compact-sm" onClick={() => setWish(wish => ({ ...wish, mapping: null, detect: true }))}>
              {t('Detect the columns anew')}
            </Button>
          </Group>
        </Alert>
      ) : null}

      <Part title={t('How the file is written')} help={t('Found by looking at the file. Correct what is wrong.')}>
        <div className={style.fields}>
          <Select
            label={t('Separator')}
            data={entriesOf(separatorWords).map(([value, label]) => ({ value, label: t(label) }))}
            value={seen.form.separator}
            allowDeselect={false}
            onChange={value => value && setWish(wish => ({ ...wish, form: { ...wish.form, separator: value }, mapping: null }))}
          />
          <Select
            label={t('Encoding')}
            data={entriesOf(encodingWords).map(([value, label]) => ({ value, label: t(label) }))}
            value={seen.form.encoding}
            allowDeselect={false}
            onChange={value => value && setWish(wish => ({ ...wish, form: { ...wish.form, encoding: value }, mapping: null }))}
          />
          <Select
            label={t('Dates')}
            data={entriesOf(dateWords).map(([value, label]) => ({ value, label: t(label) }))}
            value={mapping.dates}
            allowDeselect={false}
            onChange={value => {
              if (value === null) return
              settle(csvSentences.dates)
              map({ dates: value })
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
              if (value === null) return
              settle(csvSentences.decimals)
              map({ decimals: value, column_decimals: {} })
            }}
          />
          <NumberInput
            label={t('Row with the column names')}
            min={1}
            max={1_000}
            allowDecimal={false}
            value={seen.form.header_row}
            onChange={value => {
              if (typeof value === 'number' && value >= 1)
                setWish(wish => ({ ...wish, form: { ...wish.form, header_row: value }, mapping: null }))
            }}
          />
          <TextInput
            label={t('Time zone')}
            description={t('Of times without an offset.')}
            value={mapping.time_zone}
            onChange={event => map({ time_zone: event.currentTarget.value })}
          />
        </div>
        <Doubts
          doubts={seen.doubts.filter(
            ({ text, values }) => !settled.includes(text) && !(text === csvSentences.guessed && confirmed.includes(String(values.column))),
          )}
          unused={seen.unused.map(({ column }) => column)}
          confirm={confirm}
        />
      </Part>

      <Part title={t('What the columns mean')} help={t('Columns without a meaning are left out.')}>
        <Columns seen={seen} map={map} confirmed={confirmed} confirm={confirm} />
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
          // What was seen before the last change is not what would be imported.
          disabled={stale || seen.missing.length > 0 || unconfirmed.length > 0}
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
          <Group gap={8} wrap="nowrap" role="status">
            <IconAlertTriangle size={16} style={{ flexShrink: 0, color: 'var(--soon)' }} />
            <Text size="sm">{t('Missing addresses are invented: for trying only')}</Text>
          </Group>
        ) : null}
        {seen.missing.length === 0 && unconfirmed.length > 0 ? (
          <Text c="brick" role="status">
            {t('Confirm or correct what these columns mean: {{columns}}', {
              columns: unconfirmed.map(({ values }) => values.column).join(', '),
            })}
          </Text>
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

interface DoubtsProps {
  doubts: ImportPreview['doubts']
  unused: readonly string[]
  confirm: (column: string) => void
}

/** What a person should look at, in one place: each point alone would hide the others. */
function Doubts({ doubts, unused, confirm }: DoubtsProps) {
  const t = useT()
  if (doubts.length === 0)
    return unused.length === 0 ? null : (
      <Text mt="sm" size="sm" c="dimmed">
        {t('These columns are left out: {{columns}}', { columns: unused.join(', ') })}
      </Text>
    )
  return (
    <Alert mt="sm" color="amber" icon={<IconAlertTriangle size={16} />} title={t('Look at this before you import')}>
      <List size="sm" spacing={4}>
        {doubts.map(doubt => (
          <List.Item key={`${doubt.text} ${doubt.field} ${doubt.message}`}>
            {t(doubt.text, spokenValues(doubt.values, t))} {/* On a phone, the column with its own button lies beside what is in sight. */}
            {doubt.text === csvSentences.guessed ? (
              <Button size="compact-xs" variant="default" onClick={() => confirm(String(doubt.values.column))}>
                {t('Correct')}
              </Button>
            ) : null}
          </List.Item>
        ))}
        {unused.length > 0 ? <List.Item>{t('These columns are left out: {{columns}}', { columns: unused.join(', ') })}</List.Item> : null}
      </List>
    </Alert>
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
              <Table.Td fw={500}>{line.order_no}</Table.Td>
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
