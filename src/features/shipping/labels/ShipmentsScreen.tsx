/** Shipments: finding a parcel, scanning parcels on their way, and the record of every exchange with a courier. */
import { Button } from '@mantine/core'
import { IconHistory, IconPlus, IconScan } from '@tabler/icons-react'
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
  if (url.tab !== 'parcels')
    return (
      <Page
        title={url.tab === 'scan' ? t('Scan parcels') : t('Label log')}
        fill={url.tab === 'log'}
        back={{ to: '/parcels/shipments', label: t('Back to shipments') }}
      >
        {url.tab === 'scan' ? <ShipmentScan /> : <LabelLog url={url} setUrl={setUrl} urlWith={urlWith} />}
      </Page>
    )
  return (
    <Page
      title={t('Shipments')}
      fill
      actions={
        <>
          <Button
            component={Link}
            to="/parcels/shipments"
            search={{ tab: 'log' }}
            variant="default"
            leftSection={<IconHistory size={16} />}
          >
            {t('Label log')}
          </Button>
          <Button component={Link} to="/parcels/shipments" search={{ tab: 'scan' }} variant="default" leftSection={<IconScan size={16} />}>
            {t('Scan parcels')}
          </Button>
          <Button component={Link} to="/parcels/shipments/new" leftSection={<IconPlus size={16} />}>
            {t('New shipment')}
          </Button>
        </>
      }
    >
      <ShipmentList url={url} setUrl={setUrl} urlWith={urlWith} />
    </Page>
  )
}
