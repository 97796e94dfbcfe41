/** Importing orders: choose a file, see how it is read, start, and watch what becomes of it. */
import { Anchor, Autocomplete, Button, FileButton, Group, Table, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import * as z from 'zod'
import { limits } from '#contract/limits.ts'
import { ShopCode } from '#features/company/api-keys/cms-keys.schemas.ts'
import { bytes, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { errorSentence, toastInfo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { ImportFile } from './ImportFile.tsx'
import { ImportResult } from './ImportResult.tsx'
import style from './Imports.module.css'
import { changedNothing, orderImports } from './order-imports.contract.ts'
import type { OrderImport } from './order-imports.schemas.ts'

const View = z.object({
  /** The file that is being looked at. */
  file: z.coerce.number<unknown>().int().min(0).default(0),
  shop: z.string().default('main'),
  /** The import that is open. */
  id: z.coerce.number<unknown>().int().min(0).default(0),
})

export function OrderImportsScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const home = { to: '/parcels/orders/import', label: t('All imports') }
  if (url.id > 0)
    return (
      <Page title={t('Import')} back={home}>
        <ImportResult id={url.id} />
      </Page>
    )
  if (url.file > 0)
    return (
      <Page title={t('Import orders')} back={home}>
        <ImportFile key={`${url.file} ${url.shop}`} file_id={url.file} shop={url.shop} started={id => setUrl({ id, file: 0 })} />
      </Page>
    )
  return (
    <Page
      title={t('Import orders')}
      note={t('CSV files and Excel workbooks with the rows of orders.')}
      back={{ to: '/parcels/orders', label: t('Orders') }}
    >
      <Choose shop={url.shop} chosen={(file, shop) => setUrl({ file, shop })} />
      <Earlier />
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
  const take = (file: File | null | undefined) => {
    if (!file || !code.success) return
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
          error={!code.success}
          w={220}
        />
        <FileButton onChange={take} accept=".csv,.txt,.tsv,.xlsx,text/csv">
          {props => (
            <Button {...props} loading={upload.isPending} disabled={!code.success} leftSection={<IconFileUpload size={18} />}>
              {t('Choose file')}
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

function Earlier() {
  const t = useT()
  const list = useCall(orderImports.list, { limit: 20 }, { live: ['import', 'job'] })
  return (
    <section className={style.part}>
      <h2>{t('Earlier imports')}</h2>
      <QueryState of={list} shape="rows">
        {({ rows }) =>
          rows.length === 0 ? (
            <Text c="dimmed">{t('There are none yet.')}</Text>
          ) : (
            <Table.ScrollContainer minWidth={640}>
              <Table verticalSpacing="xs" highlightOnHover>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('File')}</Table.Th>
                    <Table.Th>{t('Shop')}</Table.Th>
                    <Table.Th>{t('When')}</Table.Th>
                    <Table.Th>{t('State')}</Table.Th>
                    <Table.Th ta="right">{t('New')}</Table.Th>
                    <Table.Th ta="right">{t('Updated')}</Table.Th>
                    <Table.Th ta="right">{t('Refused rows')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map(row => (
                    <Table.Tr key={row.id}>
                      <Table.Td>
                        <Anchor component={Link} to="/parcels/orders/import" search={{ id: row.id }}>
                          {row.file_name}
                        </Anchor>
                      </Table.Td>
                      <Table.Td>{row.shop}</Table.Td>
                      <Table.Td>
                        <RelativeTime at={row.created_at} />
                        {row.created_by ? (
                          <Text size="xs" c="dimmed">
                            {row.created_by}
                          </Text>
                        ) : null}
                      </Table.Td>
                      <Table.Td>
                        <ImportState row={row} />
                      </Table.Td>
                      <Table.Td ta="right">{number(row.created)}</Table.Td>
                      <Table.Td ta="right">{number(row.updated)}</Table.Td>
                      <Table.Td ta="right">{number(row.rows_refused)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </QueryState>
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
