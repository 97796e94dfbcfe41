/** All printers of the company and its print agents, each printer with its test page. */
import { Stack } from '@mantine/core'
import { useMemo } from 'react'
import { PrintAgents } from '#features/printing/print-agents/PrintAgents.tsx'
import { printerChecks } from '#features/printing/printer-checks/printer-checks.contract.ts'
import { PrinterTable } from '#features/printing/printers/PrinterTable.tsx'
import { printers } from '#features/printing/printers/printers.contract.ts'
import type { Printer, PrinterList } from '#features/printing/printers/printers.schemas.ts'
import { toastInfo, toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'

export function AllPrinters({ known }: { known: PrinterList }) {
  const t = useT()
  const { mutate, isPending: running } = useSend(printerChecks.testPrint, {
    refreshes: [printers.list],
    done: ({ job, code }) => {
      if (job.error) toastInfo(t(job.error))
      else toastSuccess(t('The test page is on its way to {{printer}}. Scan its code {{code}} here.', { printer: job.printer_name, code }))
    },
  })
  const test = useMemo(() => ({ print: ({ id }: Printer) => mutate({ printer_id: id }), running }), [mutate, running])
  return (
    <Stack gap="lg">
      <PrinterTable known={known} test={test} />
      <PrintAgents />
    </Stack>
  )
}
