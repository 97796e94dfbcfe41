/** The export of the list: format and columns first, then the file. It goes on when the dialog is closed. */
import { Button, Checkbox, Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { hasFile } from '#features/company/jobs/job-file.rules.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { type ExportColumn, exportColumns } from '#features/orders/orders/orders.codes.ts'
import type { OrderFilters } from '#features/orders/orders/orders.schemas.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Progress } from '#ui/kit/Progress.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useLocale, useT } from '#ui/kit/translate.ts'
import { saveFile, send, useCall, useSend } from '#ui/query/calls.ts'
import { type ExportFormat, exportFormats, mostExportedOrders } from './order-exports.codes.ts'
import { orderExports } from './order-exports.contract.ts'
import type { OrderExport } from './order-exports.schemas.ts'

interface ExportDialogProps {
  filters: Partial<OrderFilters>
  sort: OrderExport['sort']
  close: () => void
}

export default function ExportDialog({ filters, sort, close }: ExportDialogProps) {
  const t = useT()
  const locale = useLocale()
  const [format, setFormat] = useState<ExportFormat>('csv')
  const [columns, setColumns] = useState<readonly ExportColumn[]>(exportColumns)
  const [job_id, setJob] = useState<number | null>(null)
  const start = useSend(orderExports.start, { refreshes: [jobs.list], done: answer => setJob(answer.job_id) })
  const words: Record<ExportColumn, string> = {
    order_no: t('Order'),
    company: t('Company'),
    shop: t('Shop'),
    phase: t('Status'),
    ordered_at: t('Ordered'),
    ship_by: t('Ship by'),
    packed_at: t('Packed'),
    customer_name: t('Customer'),
    customer_email: t('E-mail'),
    customer_phone: t('Phone'),
    address1: t('Address'),
    address2: t('Address line 2'),
    postcode: t('Postcode'),
    city: t('City'),
    country: t('Country'),
    items: t('Items'),
    weight_g: t('Weight'),
    currency: t('Currency'),
    total_incl_vat: t('Total incl. VAT'),
    agent_code: t('Courier'),
    shipping_method: t('Shipping method'),
    tracking_no: t('Tracking number'),
    tags: t('Tags'),
  }
  const formats: Record<ExportFormat, string> = { csv: 'CSV', xlsx: 'Excel (.xlsx)' }
  if (job_id !== null) return <Making job_id={job_id} close={close} />
  return (
    <Dialog opened onClose={close} size={640} title={t('Export orders')}>
      <form
        onSubmit={event => {
          event.preventDefault()
          start.mutate({ body: { format, columns: exportColumns.filter(one => columns.includes(one)), filters, sort, locale } })
        }}
      >
        <Stack>
          <Text>{t('The list as it is filtered and sorted now.')}</Text>
          <Radio.Group label={t('Format')} value={format} onChange={value => setFormat(exportFormats.find(one => one === value) ?? 'csv')}>
            <Stack mt="xs" gap="xs">
              {exportFormats.map(one => (
                <Radio
                  key={one}
                  value={one}
                  label={formats[one]}
                  description={t('At most {{count}} orders', { count: mostExportedOrders[one] })}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Checkbox.Group
            label={t('Columns')}
            value={[...columns]}
            onChange={chosen => setColumns(exportColumns.filter(one => chosen.includes(one)))}
          >
            <SimpleGrid cols={{ base: 2, xs: 3 }} mt="xs" spacing="xs">
              {exportColumns.map(column => (
                <Checkbox key={column} value={column} label={words[column]} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <Group justify="flex-end">
            <Button component={Link} to="/parcels/jobs" variant="subtle">
              {t('All jobs')}
            </Button>
            <Button
              type="submit"
              loading={start.isPending}
              {...disabledBecause(columns.length === 0 && t('Select at least one column'))}
              data-autofocus
            >
              {t('Export')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function Making({ job_id, close }: { job_id: number; close: () => void }) {
  const t = useT()
  const job = useCall(jobs.get, { id: job_id }, { live: ['job'], every: 2_000 })
  const cancel = useSend(jobs.cancel, { refreshes: [jobs.get, jobs.list] })
  const [saving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    try {
      saveFile(await send(jobs.file, { id: job_id }))
    } catch (error) {
      toastError(error)
    } finally {
      setSaving(false)
    }
  }
  const state = job.data?.state ?? 'queued'
  return (
    <Dialog opened onClose={close} title={t('Export orders')}>
      <Stack>
        {state === 'done' ? (
          <Text role="status">
            {t('The file with {{count}} orders is ready. It stays under Jobs for seven days.', { count: job.data?.done ?? 0 })}
          </Text>
        ) : state === 'failed' || state === 'cancelled' ? (
          <Text role="status">{t('The export was stopped after {{count}} orders.', { count: job.data?.done ?? 0 })}</Text>
        ) : (
          <>
            <Progress
              label={t('{{count}} orders', { count: job.data?.done ?? 0 })}
              done={job.data?.done ?? 0}
              total={null}
              cancel={() => cancel.mutate({ id: job_id })}
              cancelling={cancel.isPending}
            />
            <Text c="dimmed">{t('The file is also listed under Jobs, for seven days.')}</Text>
          </>
        )}
        <Group justify="flex-end">
          <Button component={Link} to="/parcels/jobs" variant="default">
            {t('All jobs')}
          </Button>
          {job.data && hasFile(job.data) ? (
            <Button loading={saving} onClick={() => void save()} data-autofocus>
              {t('Download file')}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Dialog>
  )
}
