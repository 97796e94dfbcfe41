/** This device: its station's name and the two printers it uses. Kept in the browser, because it belongs to the station. */
import { Alert, Autocomplete, Button, Group, Select, Stack, Text } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { stationName } from '#contract/limits.ts'
import { PrintJobState } from '#features/printing/print-jobs/PrintJobState.tsx'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { printerChecks } from '#features/printing/printer-checks/printer-checks.contract.ts'
import type { TestPrint } from '#features/printing/printer-checks/printer-checks.schemas.ts'
import { PrinterBadge } from '#features/printing/printers/PrinterBadge.tsx'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { printerName } from '#features/printing/printers/printers.labels.ts'
import type { Printer, PrinterList } from '#features/printing/printers/printers.schemas.ts'
import { device, useDevice } from '#ui/device/device-storage.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useScanner } from '#ui/scanner/handlers.tsx'
import { stations } from './stations.contract.ts'

export function DeviceSettings({ known }: { known: PrinterList }) {
  const t = useT()
  return (
    <div>
      <SettingsSection
        title={t('Station')}
        help={t('The place where this device stands. It is noted on everything that is packed and printed here.')}
      >
        <StationName />
      </SettingsSection>
      <SettingsSection title={t('Label printer')} help={t('Takes labels of 100 × 150 mm as soon as an order is packed.')}>
        <PrinterChoice which="labelPrinter" paper="label" known={known} />
      </SettingsSection>
      <SettingsSection title={t('A4 printer')} help={t('Takes packing slips, customs papers, lists and code sheets.')}>
        <PrinterChoice which="A4Printer" paper="a4" known={known} />
      </SettingsSection>
    </div>
  )
}

function StationName() {
  const t = useT()
  const station = useDevice('packingStation')
  const [name, setName] = useState(station ?? '')
  const [error, setError] = useState<string>()
  const list = useCall(stations.list, {})
  const use = useSend(stations.use, {
    refreshes: [stations.list],
    done: known => {
      device.write('packingStation', known.name)
      setName(known.name)
      toastSuccess(t('This device is {{station}} now', { station: known.name }))
    },
  })
  const save = () => {
    const typed = stationName(name)
    setError(typed === undefined ? t('A station has 1 to 20 characters') : undefined)
    if (typed !== undefined) use.mutate({ name: typed })
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        save()
      }}
    >
      <Group align="flex-end" gap="sm">
        <Autocomplete
          label={t('Name of the station')}
          placeholder={t('For example Bench 1')}
          maxLength={20}
          value={name}
          onChange={setName}
          data={list.data?.map(one => one.name) ?? []}
          error={error}
          style={{ flex: '1 1 14rem' }}
        />
        <Button
          type="submit"
          loading={use.isPending}
          {...disabledBecause(
            name.trim() === (station ?? '') && (station ? t('This device uses this station already') : t('Enter a name first')),
          )}
        >
          {t('Use this station')}
        </Button>
      </Group>
    </form>
  )
}

function PrinterChoice({ which, paper, known }: { which: 'labelPrinter' | 'A4Printer'; paper: 'label' | 'a4'; known: PrinterList }) {
  const t = useT()
  const chosen = useDevice('printer')
  const id = chosen?.[which] ?? null
  const printer = known.printers.find(one => one.id === id)
  const [test, setTest] = useState<TestPrint>()
  const { play } = useScanner()
  const print = useSend(printerChecks.testPrint, {
    refreshes: [printers.list, printJobs.list],
    done: answer => {
      setTest(answer)
      play(answer.job.state === 'failed' ? 'error' : 'ok')
    },
  })
  // Printers of the right kind first; the others are offered all the same, since the kind is a guess.
  const options = (kind: Printer['paper']) =>
    known.printers.filter(one => one.paper === kind).map(one => ({ value: String(one.id), label: labelOf(printerName(t, one.name), one) }))
  const other = paper === 'label' ? 'a4' : 'label'
  const groups = [
    { group: paper === 'label' ? t('Label printers') : t('A4 printers'), items: options(paper) },
    { group: t('Other printers'), items: options(other) },
  ].filter(group => group.items.length > 0)
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <Select
          label={paper === 'label' ? t('Label printer of this device') : t('A4 printer of this device')}
          placeholder={t('No printer chosen')}
          data={groups}
          value={id === null ? null : String(id)}
          clearable
          searchable
          onChange={value => {
            setTest(undefined)
            device.write('printer', { A4Printer: null, labelPrinter: null, ...chosen, [which]: value === null ? null : Number(value) })
          }}
          {...(id !== null && !printer ? { error: t('The chosen printer does not exist any more') } : {})}
          style={{ flex: '1 1 14rem' }}
        />
        <Button
          variant="default"
          leftSection={<IconPrinter size={16} />}
          {...disabledBecause(!printer && t('Select a printer first'))}
          loading={print.isPending}
          onClick={() => printer && print.mutate({ printer_id: printer.id, paper })}
        >
          {t('Print test page')}
        </Button>
      </Group>
      {printer ? (
        <Group gap="sm">
          <PrinterBadge state={printer.state} />
          <Text size="sm" c="dimmed">
            {printer.proved_at ? (
              <>
                {t('Proved with the scanner')}: <RelativeTime at={printer.proved_at} as="age" />
              </>
            ) : (
              t('Not proved with the scanner yet')
            )}
          </Text>
        </Group>
      ) : null}
      {printer && printer.paper !== paper ? (
        <Text size="sm" c="var(--soon)">
          {paper === 'label' ? t('This looks like a printer for A4 paper.') : t('This looks like a printer for labels.')}
        </Text>
      ) : null}
      <div aria-live="polite">{test ? <TestResult test={test} proved={printer?.proved_at ?? null} /> : null}</div>
    </Stack>
  )
}

const labelOf = (name: string, { computer }: Printer) => (computer ? `${name} · ${computer}` : name)

/** What the printer's provider really answered, and what to do next. */
function TestResult({ test, proved }: { test: TestPrint; proved: string | null }) {
  const t = useT()
  // The job goes on after the answer: printed, or not.
  const { data } = useCall(printJobs.get, { id: test.job.id }, { live: ['print'] })
  const job = data ?? test.job
  const failed = ['failed', 'expired', 'cancelled', 'unknown'].includes(job.state)
  const isProved = proved !== null && proved > job.created_at
  return (
    <Alert
      color={failed ? 'brick' : isProved ? 'moss' : 'harbour'}
      title={
        failed
          ? t('The test page did not come out')
          : isProved
            ? t('Printer and scanner are OK')
            : t('Now scan the code {{code}} on the page', { code: test.code })
      }
    >
      <PrintJobState job={job} reason />
    </Alert>
  )
}
