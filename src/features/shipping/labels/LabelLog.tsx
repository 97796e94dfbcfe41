/** The record of every exchange with a courier: what was asked, what was answered, and how long it took. */
import { Alert, Button, Group, Stack } from '@mantine/core'
import { useMemo } from 'react'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { labels } from './labels.contract.ts'
import type { LabelLogEntry } from './labels.schemas.ts'
import style from './Shipments.module.css'
import { actionWord, OutcomeBadge, outcomeWord } from './shipment.labels.tsx'
import type { ListProps } from './shipments-url.client.ts'

const keyOf = (row: LabelLogEntry) => row.id
const outcomes = ['ok', 'refused', 'unavailable', 'unknown', 'found', 'not_found'] as const

export function LabelLog({ url, setUrl, urlWith }: ListProps) {
  const t = useT()
  const { init } = useSignedIn()
  const list = usePagedList(
    labels.logSearch,
    {
      query: url.query,
      page: url.page,
      limit: 50,
      ...(url.outcome && { outcome: url.outcome }),
      ...(url.agent && { agent_code: url.agent }),
    },
    { live: ['shipment'] },
  )
  const columns = useMemo<Column<LabelLogEntry>[]>(
    () => [
      {
        key: 'when',
        title: t('When'),
        cell: row => (
          <Link to="/parcels/shipments" search={urlWith({ id: row.id })}>
            <RelativeTime at={row.created_at} />
          </Link>
        ),
      },
      { key: 'agent', title: t('Courier'), cell: row => row.agent_code },
      { key: 'action', title: t('Asked'), cell: row => actionWord(row.action) },
      { key: 'outcome', title: t('Answer'), cell: row => <OutcomeBadge outcome={row.outcome} /> },
      { key: 'order', title: t('Order'), cell: row => row.order_no ?? '–' },
      { key: 'tracking_no', title: t('Tracking number'), cell: row => row.tracking_no ?? '–' },
      { key: 'error', title: t('Reason'), flex: 2, cell: row => (row.error ? <span title={row.error}>{t(row.error)}</span> : '') },
      {
        key: 'took',
        title: t('Duration'),
        align: 'end',
        cell: row => (row.took_ms === null ? '' : t('{{number}} ms', { number: number(row.took_ms) })),
      },
      { key: 'company', title: t('Company'), hidden: true, cell: row => row.company },
    ],
    [t, urlWith],
  )
  return (
    <>
      <DataTable
        name="label-log"
        label={t('Label log')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: row.id })}
        opened={url.id || null}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="label-log"
            search={{
              value: url.query,
              set: query => setUrl({ query }, { replace: true }),
              label: t('Order, tracking or reference'),
            }}
            filters={[
              {
                key: 'outcome',
                label: t('Answer'),
                kind: 'one',
                options: outcomes.map(value => ({ value, label: outcomeWord(value) })),
                value: url.outcome ? [url.outcome] : [],
                set: ([outcome = '']) => setUrl({ outcome: outcome }),
              },
              {
                key: 'agent',
                label: t('Courier'),
                kind: 'one',
                options: init.ParcelAgentCode.map(agent => ({ value: agent.agent_code, label: t(agent.name) })),
                value: url.agent ? [url.agent] : [],
                set: ([agent = '']) => setUrl({ agent }),
              },
            ]}
          />
        }
        filtered={url.query !== '' || url.outcome !== '' || url.agent !== ''}
        clearFilters={() => setUrl({ query: '', outcome: '', agent: '' })}
        empty={
          <EmptyList
            title={t('No courier was asked yet')}
            action={
              <Button component={Link} to="/parcels/shipments">
                {t('Shipments')}
              </Button>
            }
          >
            {t('Every exchange is written down here, without keys and passwords.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span className={style.number}>{`${row.agent_code}, ${actionWord(row.action)}`}</span>
              <OutcomeBadge outcome={row.outcome} />
            </RowCardLine>
            <RowCardLine>
              <span className={style.dim}>{row.order_no}</span>
              <RelativeTime at={row.created_at} as="age" />
            </RowCardLine>
          </RowCard>
        )}
      />
      <Entry id={url.id} close={() => setUrl({ id: 0 })} />
    </>
  )
}

function Entry({ id, close }: { id: number; close: () => void }) {
  const t = useT()
  const entry = useCall(labels.log, { id }, { enabled: id > 0 })
  return (
    <Drawer opened={id > 0} onClose={close} position="right" size={640} title={t('Exchange with the courier')}>
      {id > 0 ? (
        <QueryState of={entry}>
          {row => (
            <Stack gap="md">
              <Group gap="sm">
                <span className={style.number}>{`${row.agent_code}, ${actionWord(row.action)}`}</span>
                <OutcomeBadge outcome={row.outcome} />
                <RelativeTime at={row.created_at} />
                {row.order_id === null ? null : (
                  <Link to="/parcels/orders" search={{ id: row.order_id }}>
                    {row.order_no}
                  </Link>
                )}
              </Group>
              {row.error ? <Alert color="brick">{t(row.error)}</Alert> : null}
              <Text title={t('Request')} value={row.request} />
              <Text title={t('Response')} value={row.response} />
            </Stack>
          )}
        </QueryState>
      ) : null}
    </Drawer>
  )
}

function Text({ title, value }: { title: string; value: unknown }) {
  const t = useT()
  const text = value === null || value === undefined ? '' : JSON.stringify(value, null, 2)
  return (
    <section aria-label={title}>
      <h3 className={style.heading}>
        {title} {text ? <CopyButton text={text} /> : null}
      </h3>
      {text ? <pre className={style.exchange}>{text}</pre> : <span className={style.dim}>{t('Nothing')}</span>}
    </section>
  )
}
