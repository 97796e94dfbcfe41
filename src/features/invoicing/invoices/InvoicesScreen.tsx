/** Invoices for customs: what waits for each courier and country, and every invoice. */
import { Anchor, Tabs } from '@mantine/core'
import { access } from '#contract/access.ts'
import { country, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { useLastOpened } from '#ui/kit/list-state.ts'
import { useT } from '#ui/kit/translate.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { InvoicePage } from './InvoicePage.tsx'
import { InvoiceTable } from './InvoiceTable.tsx'
import { invoices } from './invoices.contract.ts'
import { InvoicesUrl, wayOf } from './invoices-url.client.ts'
import { WaitingOrders } from './WaitingOrders.tsx'

export function InvoicesScreen() {
  const t = useT()
  const [url, setUrl, urlWith] = useUrlState(InvoicesUrl)
  const cameFrom = useLastOpened(url.id)
  const maySet = useIsAllowed(access.settings)
  const tabs = useCall(invoices.tabs, {}, { live: ['invoice', 'bulk_config'], keep: true })
  if (url.id > 0) return <InvoicePage key={url.id} url={url} setUrl={setUrl} urlWith={urlWith} />
  const way = tabs.data?.find(one => wayOf(one) === url.way)
  const top =
    tabs.data && tabs.data.length > 0 ? (
      <Tabs
        value={way ? url.way : 'all'}
        onChange={chosen => setUrl({ way: chosen === 'all' ? '' : (chosen ?? ''), show: 'all', query: '', page: 1 })}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="all">{t('All invoices')}</Tabs.Tab>
          {tabs.data.map(one => (
            <Tabs.Tab key={wayOf(one)} value={wayOf(one)}>
              {`${t(one.agent)} → ${country(one.country)} ${number(one.ready + one.incomplete)}`}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
    ) : undefined
  const setUp =
    tabs.data?.length === 0 ? (
      <>
        {t('Bulk invoicing is off: no parcel waits here.')}{' '}
        {maySet ? (
          <Anchor component={Link} underline="always" to="/settings/bulk-invoicing-config">
            {t('Set up bulk invoicing')}
          </Anchor>
        ) : null}
      </>
    ) : undefined
  return way ? (
    <WaitingOrders key={wayOf(way)} way={way} top={top} url={url} setUrl={setUrl} urlWith={urlWith} />
  ) : (
    <InvoiceTable top={top} note={setUp} cameFrom={cameFrom} url={url} setUrl={setUrl} urlWith={urlWith} />
  )
}
