/** Printers and station: what this device is called, where it prints, and the proof that it works. */
import { Stack, Tabs } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { printStates } from '#features/printing/print-jobs/print-jobs.codes.ts'
import { printerChecks } from '#features/printing/printer-checks/printer-checks.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { toastInfo, toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { ScannerHere, scannerSentences, useScanHandler, useScanner } from '#ui/scanner/handlers.tsx'
import { DeviceSettings } from './DeviceSettings.tsx'

// A device opens its own settings far more often than the other tabs.
const AllPrinters = lazy(() => import('./AllPrinters.tsx').then(module => ({ default: module.AllPrinters })))
const PrintQueue = lazy(() => import('#features/printing/print-jobs/PrintQueue.tsx').then(module => ({ default: module.PrintQueue })))
const Calibration = lazy(() => import('#ui/scanner/Calibration.tsx').then(module => ({ default: module.Calibration })))
const StationScanner = lazy(() => import('./StationScanner.tsx').then(module => ({ default: module.StationScanner })))

const View = {
  tab: urlChoice(['device', 'printers', 'queue', 'scanner'], 'device'),
  state: urlChoice(['', ...printStates], ''),
  page: urlNumber(1),
}

export function PrinterSettingsScreen() {
  const t = useT()
  return (
    <ScannerHere onUnknown={code => toastInfo(code.kind === 'refused' ? t(code.reason) : t(scannerSentences.unknown, { text: code.text }))}>
      <Settings />
    </ScannerHere>
  )
}

function Settings() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const list = useCall(printers.list, { refresh: false }, { live: ['printer'], every: 30_000 })
  useScannedBack()
  const queue = url.tab === 'queue'
  return (
    <Page title={t('Printers and station')} fill={queue}>
      <Tabs
        value={url.tab}
        onChange={tab => tab && setUrl({ tab: tab, page: 1 })}
        keepMounted={false}
        style={queue ? { display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0 } : undefined}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="device">{t('This device')}</Tabs.Tab>
          <Tabs.Tab value="scanner">{t('Scanner and sounds')}</Tabs.Tab>
          <Tabs.Tab value="printers">{t('All printers')}</Tabs.Tab>
          <Tabs.Tab value="queue">{t('Print queue')}</Tabs.Tab>
        </Tabs.List>
        <Suspense fallback={<Skeleton shape={queue ? 'rows' : 'form'} />}>
          <Tabs.Panel value="device">
            <QueryState of={list} shape="form">
              {known => <DeviceSettings known={known} />}
            </QueryState>
          </Tabs.Panel>
          <Tabs.Panel value="printers">
            <QueryState of={list} shape="rows">
              {known => <AllPrinters known={known} />}
            </QueryState>
          </Tabs.Panel>
          <Tabs.Panel value="queue" style={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}>
            <PrintQueue state={url.state} page={url.page} onState={state => setUrl({ state })} onPage={page => setUrl({ page })} />
          </Tabs.Panel>
          <Tabs.Panel value="scanner">
            <Stack gap="lg">
              <Calibration />
              <StationScanner />
            </Stack>
          </Tabs.Panel>
        </Suspense>
      </Tabs>
    </Page>
  )
}

/** A test code scanned anywhere on this screen proves its printer, and the scanner with it. */
function useScannedBack() {
  const t = useT()
  const { play } = useScanner()
  const prove = useSend(printerChecks.proveTest, {
    refreshes: [printers.list],
    done: printer => {
      play('done')
      toastSuccess(t('Printer and scanner are OK: {{printer}}', { printer: printer.name }))
    },
  })
  useScanHandler({
    match: code => /^TEST-(\d{1,9})$/.exec(code.text)?.[1],
    handle: number => prove.mutate({ number: Number(number) }),
  })
}
