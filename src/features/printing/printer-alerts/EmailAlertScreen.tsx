/** Settings, on a Raspberry Pi: who gets an e-mail when a printer is offline. */
import { Page } from '#ui/kit/Page.tsx'
import { useT } from '#ui/kit/translate.ts'
import { PrinterAlertsSection } from './PrinterAlertsForm.tsx'

export function EmailAlertScreen() {
  const t = useT()
  return (
    <Page title={t('E-mail alert')}>
      <PrinterAlertsSection />
    </Page>
  )
}
