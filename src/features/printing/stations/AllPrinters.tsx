/** All printers of the company and its print agents, each printer with its test page. */
import { Badge, Group, Stack, Title } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { PrintAgents } from '#features/printing/print-agents/PrintAgents.tsx'
import { PrinterAlertsSection } from '#features/printing/printer-alerts/PrinterAlertsForm.tsx'
import { printerAlerts } from '#features/printing/printer-alerts/printer-alerts.contract.ts'
import { printerChecks } from '#features/printing/printer-checks/printer-checks.contract.ts'
import { PrinterTable } from '#features/printing/printers/PrinterTable.tsx'
import { printers } from '#features/printing/printers/printers.contract.ts'
import type { Printer, PrinterList } from '#features/printing/printers/printers.schemas.ts'
import { SelfTests } from '#features/printing/self-tests/SelfTests.tsx'
import { roleWords } from '#features/printing/station-printers/printer-roles.labels.ts'
import { StationPrinters } from '#features/printing/station-printers/StationPrinters.tsx'
import { stationPrinters } from '#features/printing/station-printers/station-printers.contract.ts'
import { toastInfo, toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'

export function AllPrinters({ known }: { known: PrinterList }) {
  const t = useT()
  const maySetAlerts = useIsAllowed(printerAlerts.get.access)
  const { mutate, isPending: running } = useSend(printerChecks.testPrint, {
    refreshes: [printers.list],
    done: ({ job, code }) => {
      if (job.error) toastInfo(t(job.error))
      else toastSuccess(t('The test page is on its way to {{printer}}. Scan its code {{code}} here.', { printer: job.printer_name, code }))
    },
  })
  const test = useMemo(() => ({ print: ({ id }: Printer) => mutate({ printer_id: id }), running }), [mutate, running])
  const { data: stations } = useCall(stationPrinters.list, {}, { live: ['printer'] })
  const roles = useMemo(() => {
    const uses = (stations ?? []).flatMap(({ station, printers: own }) => own.map(one => ({ ...one, station })))
    return ({ id }: Printer, wrap: 'wrap' | 'nowrap'): ReactNode => {
      const byRole = Map.groupBy(
        uses.filter(use => use.printer_id === id || use.fallback_printer_id === id),
        use => (use.printer_id === id ? use.role : 'backup'),
      )
      if (byRole.size === 0) return null
      return (
        <Group gap={4} wrap={wrap}>
          {[...byRole].map(([role, here]) => (
            <Badge key={role} variant="default" title={[...new Set(here.map(one => one.station))].join(', ')}>
              {role === 'backup' ? t('Backup') : t(roleWords[role])}
            </Badge>
          ))}
        </Group>
      )
    }
  }, [stations, t])
  return (
    <Stack gap="lg">
      <PrinterTable known={known} test={test} roles={roles} />
      <Stack gap="sm" component="section">
        <Title order={2} size="h4">
          {t('Printers of the stations')}
        </Title>
        <StationPrinters known={known.printers} />
      </Stack>
      <Stack gap="sm" component="section">
        <Title order={2} size="h4">
          {t('Self-test')}
        </Title>
        <SelfTests />
      </Stack>
      <PrintAgents />
      {maySetAlerts ? <PrinterAlertsSection /> : null}
    </Stack>
  )
}
