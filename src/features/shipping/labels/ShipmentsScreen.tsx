/** Shipments: finding a parcel, scanning parcels on their way, and the record of every exchange with a courier. */
import { Button, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useCallback } from 'react'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { LabelLog } from './LabelLog.tsx'
import { ShipmentList } from './ShipmentList.tsx'
import { ShipmentScan } from './ShipmentScan.tsx'
import { ShipmentsUrl } from './shipments-url.client.ts'

export function ShipmentsScreen() {
  const t = useT()
  const [url, setUrl, urlWith] = useUrlState(ShipmentsUrl)
  const choose = useCallback(
    (tab: string | null) =>
      setUrl({
        tab: tab ?? 'parcels',
        query: '',
        state: '',
        board: '',
        agent: '',
        company: '',
        outcome: '',
        id: 0,
      }),
    [setUrl],
  )
  return (
    <Page
      title={t('Shipments')}
      fill={url.tab !== 'scan'}
      actions={
        <Button component={Link} to="/parcels/shipments/new" leftSection={<IconPlus size={16} />}>
          {t('New shipment')}
        </Button>
      }
    >
      <Tabs value={url.tab} onChange={choose} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="parcels">{t('Parcels')}</Tabs.Tab>
          <Tabs.Tab value="scan">{t('Scan parcels')}</Tabs.Tab>
          <Tabs.Tab value="log">{t('Label log')}</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      {url.tab === 'scan' ? (
        <ShipmentScan />
      ) : url.tab === 'log' ? (
        <LabelLog url={url} setUrl={setUrl} urlWith={urlWith} />
      ) : (
        <ShipmentList url={url} setUrl={setUrl} urlWith={urlWith} />
      )}
    </Page>
  )
}
