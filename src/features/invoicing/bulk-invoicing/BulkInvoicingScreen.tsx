/** Bulk invoicing: one configuration for each courier and country, and the company's own rates. */
import { Anchor, Button, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { ManualRates } from '#features/company/exchange-rates/ManualRates.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { country } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { staticList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { bulkInvoicing } from './bulk-invoicing.contract.ts'
import type { BulkInvoicingConfig } from './bulk-invoicing.schemas.ts'
import { ConfigForm } from './ConfigForm.tsx'
import { CopyForm } from './CopyForm.tsx'
import { RecipientsForm } from './RecipientsForm.tsx'

const View = {
  tab: urlChoice(['couriers', 'rates'], 'couriers'),
  /** Id of the open configuration, or `new`. */
  id: urlText(),
  part: urlChoice(['config', 'recipients', 'copy'], 'config'),
}
const path = '/settings/bulk-invoicing-config'
const keyOf = (row: BulkInvoicingConfig) => row.config_id
const configRefreshes = [bulkInvoicing.list, bulkInvoicing.get]

export function BulkInvoicingScreen() {
  const t = useT()
  const [url, setUrl, urlWith] = useUrlState(View)
  const configs = useCall(bulkInvoicing.list, {}, { live: ['bulk_config'] })
  const close = () => setUrl({ id: '', part: 'config' })
  const turn = useSend(bulkInvoicing.setActive, {
    refreshes: configRefreshes,
    said: answer => (answer.active ? t('Bulk invoicing is on') : t('Bulk invoicing is off')),
  })
  const list = {
    ...staticList(configs.data ?? []),
    isLoading: configs.isPending,
    error: configs.error,
    refetch: () => void configs.refetch(),
  }
  const columns = useMemo<Column<BulkInvoicingConfig>[]>(
    () => [
      {
        key: 'courier',
        title: t('Courier'),
        flex: 1,
        cell: row => (
          <Anchor component={Link} underline="always" to={path} search={urlWith({ id: String(row.config_id) })}>
            {t(row.agent)}
          </Anchor>
        ),
      },
      { key: 'country', title: t('Country'), flex: 1, cell: row => country(row.country) },
      { key: 'state', title: t('Status'), cell: row => <ConfigState of={row} /> },
      { key: 'importer', title: t('Importer'), flex: 2, cell: row => row.importer.name || '–' },
      { key: 'currency', title: t('Currency'), cell: row => row.currency },
      { key: 'emails', title: t('Sent to'), flex: 2, cell: row => row.emails.join(', ') || '–' },
    ],
    [t, urlWith],
  )
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setUrl({ id: 'new', part: 'config' })}>
      {t('Add country')}
    </Button>
  )
  const top: ReactNode = (
    <Tabs value={url.tab} onChange={chosen => setUrl({ tab: chosen === 'rates' ? 'rates' : 'couriers' })} keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="couriers">{t('Countries')}</Tabs.Tab>
        <Tabs.Tab value="rates">{t('Exchange rates')}</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  )
  if (url.tab === 'rates') return <ManualRates title={t('Bulk invoicing')} top={top} />
  const titles = { config: t('Bulk invoicing'), recipients: t('Recipients of invoices'), copy: t('Copy to another country') }
  return (
    <Page title={t('Bulk invoicing')} fill tabs={top} actions={list.total === 0 ? null : add}>
      <DataTable
        name="bulk-invoicing"
        label={t('Bulk invoicing')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: String(row.config_id), part: 'config' })}
        opened={Number(url.id) || null}
        rowActions={row => [
          { label: t('Edit'), run: () => setUrl({ id: String(row.config_id), part: 'config' }) },
          { label: t('Recipients'), run: () => setUrl({ id: String(row.config_id), part: 'recipients' }) },
          { label: t('Copy to…'), run: () => setUrl({ id: String(row.config_id), part: 'copy' }) },
          {
            label: row.active ? t('Switch off') : t('Switch on'),
            run: () => turn.mutate({ config_id: row.config_id, active: !row.active }),
          },
        ]}
        empty={
          <EmptyList title={t('No bulk invoicing yet')} action={add}>
            {t('Parcels to one country outside the customs union then share one invoice.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{`${t(row.agent)} → ${country(row.country)}`}</span>
              <ConfigState of={row} />
            </RowCardLine>
            <span>{row.importer.name || '–'}</span>
          </RowCard>
        )}
      />
      <Drawer opened={url.id !== ''} onClose={close} size={640} title={url.id === 'new' ? t('New configuration') : titles[url.part]}>
        {url.id === 'new' ? (
          <ConfigForm config={null} close={close} />
        ) : Number(url.id) > 0 ? (
          <Opened key={`${url.id}-${url.part}`} id={Number(url.id)} part={url.part} close={close} />
        ) : null}
      </Drawer>
    </Page>
  )
}

function Opened({ id, part, close }: { id: number; part: 'config' | 'recipients' | 'copy'; close: () => void }) {
  const one = useCall(bulkInvoicing.get, { id })
  return (
    <QueryState of={one} shape="form">
      {config =>
        part === 'recipients' ? (
          <RecipientsForm config={config} close={close} />
        ) : part === 'copy' ? (
          <CopyForm config={config} close={close} />
        ) : (
          <ConfigForm config={config} close={close} />
        )
      }
    </QueryState>
  )
}

function ConfigState({ of: config }: { of: BulkInvoicingConfig }) {
  const t = useT()
  if (config.active) return <StateBadge tone="done">{t('In use')}</StateBadge>
  return config.incomplete.length > 0 ? (
    <StateBadge tone="soon">{t('Incomplete')}</StateBadge>
  ) : (
    <StateBadge tone="quiet">{t('Off')}</StateBadge>
  )
}
