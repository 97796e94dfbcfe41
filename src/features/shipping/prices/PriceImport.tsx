/** Prices from a CSV file: mistakes stand at their cells and are corrected there, then all rows are stored at once. */
import { Alert, Button, FileButton, Group, List, Stack, Switch, Table, Text, TextInput } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { number } from '#ui/kit/format.ts'
import { errorSentence, toastInfo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import { type PriceColumn, priceColumns } from './prices.codes.ts'
import { prices } from './prices.contract.ts'
import type { ImportRow } from './prices.schemas.ts'

const titles: Record<PriceColumn, string> = {
  agent_code: 'Courier',
  shipping_method: 'Method',
  zone: 'Zone',
  max_g: 'Up to (g)',
  max_length_mm: 'Length (mm)',
  max_side_sum_mm: 'Sides (mm)',
  volume_divisor: 'cm³ per kg',
  amount: 'Price',
  per_kg_amount: 'Per kg',
  currency: 'Currency',
  valid_from: 'From',
  valid_to: 'Until',
}
const shownRows = 100

export function PriceImport({ ofCompany, done, close }: { ofCompany: { company?: string }; done: () => void; close: () => void }) {
  const t = useT()
  const [rows, setRows] = useState<ImportRow[] | null>(null)
  const [changed, setChanged] = useState(false)
  const [onlyWrong, setOnlyWrong] = useState(true)
  const check = useSend(prices.import, {
    quiet: true,
    refreshes: [prices.list, prices.zones],
    done: answer => {
      setRows(answer.rows)
      setChanged(false)
      if (!answer.saved) return
      toastInfo(t('{{count}} prices saved', { count: answer.added + answer.replaced }))
      done()
    },
  })
  const send = (save: boolean) =>
    check.mutate({ ...ofCompany, body: { rows: (rows ?? []).map(({ row, cells }) => ({ row, cells })), save } })
  const read = async (file: File | null) => {
    if (file) check.mutate({ ...ofCompany, body: { text: await textOf(file), save: false } })
  }
  const change = (row: number, column: PriceColumn, text: string) => {
    setChanged(true)
    setRows(all => all?.map(one => (one.row === row ? { ...one, cells: { ...one.cells, [column]: text } } : one)) ?? null)
  }
  const answer = check.data
  const wrong = answer?.wrong ?? 0
  const listed = (rows ?? []).filter(row => !onlyWrong || wrong === 0 || Object.keys(row.errors).length > 0)
  const columns = priceColumns.filter(
    column => listed.some(row => row.cells[column] !== undefined || row.errors[column]) || column === 'amount',
  )
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('A CSV file with these columns: {{columns}}. Zones are named, prices are without VAT.', { columns: priceColumns.join(', ') })}
      </Text>
      <Group>
        <FileButton onChange={file => void read(file)} accept=".csv,text/csv,text/plain">
          {props => (
            <Button {...props} variant={rows ? 'default' : 'filled'} leftSection={<IconFileUpload size={16} />} loading={check.isPending}>
              {rows ? t('Another file') : t('Select a file')}
            </Button>
          )}
        </FileButton>
      </Group>
      {check.error ? <Alert color="brick">{errorSentence(check.error)}</Alert> : null}
      {rows && answer ? (
        <>
          <Alert color={wrong > 0 ? 'amber' : 'moss'} role="status">
            {wrong > 0 ? (
              t('{{count}} rows have mistakes. Correct them here; nothing is saved yet.', { count: wrong })
            ) : (
              <List size="sm" listStyleType="none">
                <List.Item>{t('New prices: {{count}}', { count: answer.added })}</List.Item>
                {answer.replaced > 0 ? <List.Item>{t('Replaced prices: {{count}}', { count: answer.replaced })}</List.Item> : null}
                {answer.ended > 0 ? (
                  <List.Item>{t('Earlier prices that end the day before: {{count}}', { count: answer.ended })}</List.Item>
                ) : null}
              </List>
            )}
          </Alert>
          {wrong > 0 ? (
            <Switch
              label={t('Only rows with mistakes')}
              checked={onlyWrong}
              onChange={event => setOnlyWrong(event.currentTarget.checked)}
            />
          ) : null}
          <Table.ScrollContainer minWidth={900}>
            <Table verticalSpacing={4} horizontalSpacing={4}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('Row')}</Table.Th>
                  {columns.map(column => (
                    <Table.Th key={column}>{t(titles[column])}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {listed.slice(0, shownRows).map(row => (
                  <Table.Tr key={row.row}>
                    <Table.Td className="num">{number(row.row)}</Table.Td>
                    {columns.map(column => {
                      const error = row.errors[column]
                      return (
                        <Table.Td key={column} valign="top">
                          <TextInput
                            size="sm"
                            aria-label={t('{{column}}, row {{row}}', { column: t(titles[column]), row: row.row })}
                            value={row.cells[column] ?? ''}
                            maxLength={200}
                            error={error ? t(error.text, error.values ?? {}) : undefined}
                            onChange={event => change(row.row, column, event.currentTarget.value)}
                          />
                        </Table.Td>
                      )
                    })}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          {listed.length > shownRows ? (
            <Text size="sm" c="dimmed">
              {t('{{count}} more rows', { count: listed.length - shownRows })}
            </Text>
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            {wrong > 0 || changed ? (
              <Button loading={check.isPending} onClick={() => send(false)}>
                {t('Check again')}
              </Button>
            ) : (
              <Button loading={check.isPending} onClick={() => send(true)}>
                {t('Save prices')}
              </Button>
            )}
          </Group>
        </>
      ) : null}
    </Stack>
  )
}

/** Spreadsheets of Windows write another encoding than UTF-8 where a program says nothing. */
async function textOf(file: File): Promise<string> {
  const bytes = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
