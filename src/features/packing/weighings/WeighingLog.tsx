/** What parcels weighed at the stations: expected and weighed, who took a weight that differs, and what products seem to weigh. */
import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { access } from '#contract/access.ts'
import { isOneOf } from '#domain/objects.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { type Filter, FilterBar } from '#ui/kit/FilterBar.tsx'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCommand } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { type WeighingOutcome, weighingOutcomes } from './weighings.codes.ts'
import { weighings } from './weighings.contract.ts'
import { outcomeLabels, outcomeTones } from './weighings.labels.ts'
import type { Weighing } from './weighings.schemas.ts'

const View = {
  tab: urlChoice(['rules', 'weighings'], 'rules'),
  query: urlText(),
  outcome: urlChoice(['', ...weighingOutcomes], ''),
  from: urlText(),
  to: urlText(),
  page: urlNumber(1),
}
const keyOf = (row: Weighing) => row.id
const grams = (weight_g: number): string => `${number(weight_g)} g`
const difference = ({ weight_g, expected_g }: Weighing): string =>
  `${weight_g < expected_g ? '−' : '+'}${number(Math.abs(weight_g - expected_g))} g`

export function WeighingLog() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const question = {
    ...(url.query && { query: url.query }),
    ...(url.outcome && { outcome: url.outcome }),
    ...(url.from && { from: url.from }),
    ...(url.to && { to: url.to }),
  }
  const list = usePagedList(weighings.list, { ...question, page: url.page, limit: 50 }, { live: ['packing'], keyOf })
  const save = useCommand((asked: typeof question) => send(weighings.export, asked), { done: saveFile })
  const columns = useMemo<Column<Weighing>[]>(
    () => [
      { key: 'at', title: t('When'), cell: row => <RelativeTime at={row.weighed_at} /> },
      { key: 'order', title: t('Order'), cell: row => <OrderOf row={row} /> },
      { key: 'parcel', title: t('Parcel'), align: 'end', cell: row => row.parcel_no },
      { key: 'expected', title: t('Expected'), align: 'end', cell: row => grams(row.expected_g) },
      { key: 'weight', title: t('Scale'), align: 'end', cell: row => grams(row.weight_g) },
      { key: 'difference', title: t('Difference'), align: 'end', cell: difference },
      { key: 'outcome', title: t('Result'), cell: row => <Outcome outcome={row.outcome} /> },
      { key: 'by', title: t('Weighed by'), flex: 1, cell: row => row.weighed_by },
      { key: 'overridden', title: t('Taken by'), flex: 1, cell: row => row.overridden_by ?? '–' },
      {
        key: 'learned',
        title: t('Per piece'),
        flex: 1,
        cell: row => (row.learned ? t('{{sku}}: {{grams}} each', { sku: row.learned.sku, grams: grams(row.learned.weight_g) }) : '–'),
      },
      { key: 'station', title: t('Station'), hidden: true, cell: row => row.station },
      { key: 'company', title: t('Company'), hidden: true, cell: row => row.company },
    ],
    [t],
  )
  const day = (key: 'from' | 'to', label: string): Filter => ({
    key,
    label,
    kind: 'day',
    value: url[key] ? [url[key]] : [],
    set: ([value = '']) => setUrl({ [key]: value }),
  })
  return (
    <DataTable
      name="weighings"
      label={t('Weighings')}
      columns={columns}
      list={list}
      keyOf={keyOf}
      onPage={page => setUrl({ page })}
      toolbar={
        <Group gap="xs" align="flex-start">
          <FilterBar
            name="weighings"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Person, station or order number') }}
            filters={[
              {
                key: 'outcome',
                label: t('Result'),
                kind: 'one',
                options: weighingOutcomes.map(value => ({ value, label: t(outcomeLabels[value]) })),
                value: url.outcome ? [url.outcome] : [],
                set: ([value = '']) => setUrl({ outcome: isOneOf(weighingOutcomes, value) ? value : '' }),
              },
              day('from', t('From')),
              day('to', t('Until')),
            ]}
          />
          <Button
            size="compact-md"
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={save.isPending}
            onClick={() => save.mutate(question)}
          >
            {t('Export')}
          </Button>
        </Group>
      }
      filtered={Object.keys(question).length > 0}
      clearFilters={() => setUrl({ query: '', outcome: '', from: '', to: '' })}
      empty={
        <EmptyList title={t('No parcel was weighed yet')}>{t('Each weighing at a station stands here, with what was expected.')}</EmptyList>
      }
      card={row => (
        <RowCard>
          <RowCardLine>
            <span>{row.order_no}</span>
            <Outcome outcome={row.outcome} />
          </RowCardLine>
          <RowCardLine>
            <span>{[grams(row.weight_g), difference(row), row.weighed_by].join(' · ')}</span>
            <RelativeTime at={row.weighed_at} as="age" />
          </RowCardLine>
        </RowCard>
      )}
    />
  )
}

function Outcome({ outcome }: { outcome: WeighingOutcome }) {
  const t = useT()
  return <StateBadge tone={outcomeTones[outcome]}>{t(outcomeLabels[outcome])}</StateBadge>
}

/** A link for those who may open orders. */
function OrderOf({ row }: { row: Weighing }) {
  return useIsAllowed(access.parcels) ? (
    <Link to="/parcels/orders" search={{ id: row.order_id }}>
      {row.order_no}
    </Link>
  ) : (
    row.order_no
  )
}
