/** The report of boxes: which one was suggested, which one packers used, and what the difference cost. */
import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { ExportButton } from '#ui/kit/ExportButton.tsx'
import { type Filter, FilterBar } from '#ui/kit/FilterBar.tsx'
import { money, number, percent } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand } from '#ui/query/calls.ts'
import { CrateBaskets } from './CrateBaskets.tsx'
import { crateChoice } from './crate-choice.contract.ts'
import type { CrateUse, CrateReport as Report } from './crate-choice.schemas.ts'

const views = ['', 'baskets'] as const
const Choice = { tab: urlText(), by: urlChoice(views, '') }
const View = {
  tab: urlText(),
  by: urlChoice(views, ''),
  company: urlNumber(0),
  deviating: urlChoice(['', 'true'], ''),
  from: urlText(),
  to: urlText(),
  page: urlNumber(1),
}
const keyOf = ({ suggested, used, currency }: CrateUse) => `${suggested?.id ?? 0}-${used.id}-${currency}`

export function CrateReport({ tabs }: { tabs: ReactNode }) {
  const t = useT()
  const [url, setUrl] = useUrlState(Choice)
  const top = (
    <>
      {tabs}
      <SegmentedControl
        mb="sm"
        aria-label={t('Report by')}
        data={[
          { value: '', label: t('By box') },
          { value: 'baskets', label: t('By basket') },
        ]}
        value={url.by}
        onChange={by => setUrl({ by: by === 'baskets' ? 'baskets' : '' })}
      />
    </>
  )
  return url.by === 'baskets' ? <CrateBaskets tabs={top} /> : <ReportByCrate tabs={top} />
}

function ReportByCrate({ tabs }: { tabs: ReactNode }) {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const question = {
    ...(url.company > 0 && { company: url.company }),
    ...(url.deviating && { deviating: true }),
    ...(url.from && { from: url.from }),
    ...(url.to && { to: url.to }),
  }
  const list = usePagedList(crateChoice.report, { ...question, page: url.page, limit: 50 }, { live: ['crate'], keyOf })
  const { data } = useCall(crateChoice.report, { ...question, page: 1, limit: 1 }, { live: ['crate'], keep: true })
  const save = useCommand(() => send(crateChoice.export, question), { done: saveFile })
  const byCompany = useCompanyFilter({
    kind: 'one',
    value: url.company > 0 ? [String(url.company)] : [],
    set: ([value]) => setUrl({ company: Number(value ?? 0) }),
  })
  const day = (key: 'from' | 'to', label: string): Filter => ({
    key,
    label,
    kind: 'day',
    value: url[key] ? [url[key]] : [],
    set: ([value = '']) => setUrl({ [key]: value }),
  })
  const columns = useMemo<Column<CrateUse>[]>(
    () => [
      { key: 'suggested', title: t('Suggested'), flex: 1, cell: row => row.suggested?.name ?? t('None') },
      { key: 'used', title: t('Used'), flex: 1, cell: row => row.used.name },
      { key: 'times', title: t('Parcels'), align: 'end', cell: row => number(row.times) },
      { key: 'cost', title: t('Box cost'), align: 'end', cell: row => money(row.cost, row.currency) },
      { key: 'difference', title: t('Difference'), align: 'end', cell: row => <Difference row={row} /> },
      { key: 'last', title: t('Last'), cell: row => <RelativeTime at={row.last_at} /> },
    ],
    [t],
  )
  return (
    <Page title={t('Boxes')} fill actions={<ExportButton save={save} />}>
      {tabs}
      <DataTable
        name="crate-report"
        label={t('Report')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        onPage={page => setUrl({ page })}
        toolbar={
          <Group gap="xs" wrap="nowrap" align="flex-start">
            <FilterBar
              name="crate-report"
              filters={[
                {
                  key: 'deviating',
                  label: t('Boxes used'),
                  kind: 'one',
                  options: [{ value: 'true', label: t('Another one than suggested') }],
                  value: url.deviating ? [url.deviating] : [],
                  set: ([value]) => setUrl({ deviating: value === 'true' ? 'true' : '' }),
                },
                ...byCompany,
                day('from', t('From')),
                day('to', t('Until')),
              ]}
            />
            {data ? <Totals of={data.totals} /> : null}
          </Group>
        }
        filtered={Object.keys(question).length > 0}
        clearFilters={() => setUrl({ company: 0, deviating: '', from: '', to: '' })}
        empty={
          <EmptyList
            title={t('No parcel with a box yet')}
            action={
              <Button component={Link} to="/settings/crates">
                {t('Boxes')}
              </Button>
            }
          >
            {t('Scan the code of a box at the station when you use another one than suggested.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{row.used.name}</span>
              <span>{number(row.times)}</span>
            </RowCardLine>
            <RowCardLine>
              <span>{t('Suggested: {{name}}', { name: row.suggested?.name ?? t('None') })}</span>
              <Difference row={row} />
            </RowCardLine>
          </RowCard>
        )}
      />
    </Page>
  )
}

function Difference({ row: { difference, currency } }: { row: CrateUse }) {
  if (difference === 0) return '–'
  return (
    <Text component="span" c={difference > 0 ? 'var(--stop)' : 'var(--done)'}>
      {difference > 0 ? '+' : ''}
      {money(difference, currency)}
    </Text>
  )
}

/** How often packers follow the suggestion. */
function Totals({ of: { parcels, suggested, followed } }: { of: Report['totals'] }) {
  const t = useT()
  return (
    <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap', alignSelf: 'center' }}>
      {suggested === 0
        ? t('{{count}} parcels', { count: parcels })
        : t('In the suggested box: {{followed}} of {{suggested}} ({{share}})', {
            followed: number(followed),
            suggested: number(suggested),
            share: percent(followed / suggested),
          })}
    </Text>
  )
}
