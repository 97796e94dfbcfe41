/** Shipping methods: the methods with their rules, the couriers with their settings, and what they charge. */
import { Tabs } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { ShippingConfigScreen } from '#features/shipping/shipping-methods/ShippingConfigScreen.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'

const CourierTable = lazy(async () => ({ default: (await import('#features/shipping/parcel-shops/CourierTable.tsx')).CourierTable }))
const PriceTables = lazy(async () => ({ default: (await import('./PriceTables.tsx')).PriceTables }))

const tabs = ['methods', 'couriers', 'prices'] as const
const View = { tab: urlChoice(tabs, 'methods') }

export function ShippingSettingsScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const titles = { methods: t('Methods'), couriers: t('Couriers'), prices: t('Prices') }
  const list = (
    <Tabs value={url.tab} onChange={tab => setUrl({ tab: tabs.find(one => one === tab) ?? 'methods' })} mb="md">
      <Tabs.List>
        {tabs.map(tab => (
          <Tabs.Tab key={tab} value={tab}>
            {titles[tab]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
  if (url.tab === 'methods') return <ShippingConfigScreen tabs={list} />
  return <Suspense fallback={null}>{url.tab === 'couriers' ? <CourierTable tabs={list} /> : <PriceTables tabs={list} />}</Suspense>
}
