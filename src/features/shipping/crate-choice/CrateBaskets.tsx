/** Baskets that packers put into another box than the suggested one: adopt what they use, or leave the basket out. */
import { Group, Text } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { access } from '#contract/access.ts'
import { isOneOf } from '#domain/objects.ts'
import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { money, number, size } from '#ui/kit/format.ts'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { send, useCommand } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { type BasketState, basketStates } from './crate-choice.codes.ts'
import { crateChoice } from './crate-choice.contract.ts'
import type { BasketDeviation } from './crate-choice.schemas.ts'

const View = {
  tab: urlText(),
  by: urlText(),
  company: urlNumber(0),
  state: urlChoice(basketStates, 'open'),
  page: urlNumber(1),
}
const keyOf = (row: BasketDeviation) => `${row.company_id}-${row.key}-${row.suggested.id}-${row.used.id}`
const stateLabels: Record<BasketState, string> = { open: 'Not decided', adopted: 'Adopted', ignored: 'Ignored' }

/** An item of the basket whose measured size is doubted: the largest one. */
function doubted({ lines, larger }: BasketDeviation) {
  const sized = lines.filter(line => line.size_mm !== null)
  const volume = (sides: readonly number[] | null) => (sides ?? []).reduce((all, side) => all * side, 1)
  const [largest] = sized.toSorted((a, b) => volume(b.size_mm) - volume(a.size_mm))
  return largest?.size_mm ? { name: largest.name, size: size(...largest.size_mm), larger } : null
}

const contents = ({ lines }: BasketDeviation): string => lines.map(line => `${line.qty} × ${line.name}`).join(', ')

export function CrateBaskets({ tabs }: { tabs: ReactNode }) {
  const t = useT()
  const mayDecide = useIsAllowed(access.crateRules)
  const [url, setUrl] = useUrlState(View)
  const question = { state: url.state, ...(url.company > 0 && { company: url.company }) }
  const list = usePagedList(crateChoice.baskets, { ...question, page: url.page, limit: 50 }, { live: ['crate'], keyOf })
  const decide = useCommand(
    ({ row, state, crate_id }: { row: BasketDeviation; state: BasketState; crate_id: number | null; undo?: boolean }) =>
      send(crateChoice.decideBasket, { body: { company_id: row.company_id, key: row.key, state, crate_id } }),
    {
      refreshes: [crateChoice.baskets, crateChoice.preview],
      done: (_answer, { row, state, undo }) => {
        list.showPendingChanges()
        if (undo) return
        const said = {
          adopted: t('{{box}} is suggested for this basket from now on', { box: row.used.name }),
          ignored: t('The basket is left out'),
          open: t('The basket is back in the report'),
        }
        toastWithUndo(said[state], () =>
          decide.mutate({ row, state: row.state, crate_id: row.state === 'adopted' ? row.used.id : null, undo: true }),
        )
      },
    },
  )
  const columns = useMemo<Column<BasketDeviation>[]>(
    () => [
      { key: 'basket', title: t('Basket'), flex: 3, cell: row => <Basket row={row} /> },
      { key: 'boxes', title: t('Box'), flex: 2, cell: row => `${row.suggested.name} → ${row.used.name}` },
      {
        key: 'times',
        title: t('Parcels'),
        align: 'end',
        cell: row => t('{{n}} of {{all}}', { n: number(row.times), all: number(row.parcels) }),
      },
      { key: 'difference', title: t('Difference'), align: 'end', cell: row => <Difference row={row} /> },
      { key: 'last', title: t('Last'), cell: row => <RelativeTime at={row.last_at} /> },
    ],
    [t],
  )
  const byCompany = useCompanyFilter({
    kind: 'one',
    value: url.company > 0 ? [String(url.company)] : [],
    set: ([value]) => setUrl({ company: Number(value ?? 0) }),
  })
  return (
    <Page title={t('Boxes')} fill>
      {tabs}
      <DataTable
        name="crate-baskets"
        label={t('Baskets')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        onPage={page => setUrl({ page })}
        rowActions={row =>
          mayDecide
            ? [
                ...(row.state === 'adopted'
                  ? []
                  : [
                      {
                        label: t('Adopt {{box}}', { box: row.used.name }),
                        run: () => decide.mutate({ row, state: 'adopted', crate_id: row.used.id }),
                      },
                    ]),
                row.state === 'open'
                  ? { label: t('Ignore'), run: () => decide.mutate({ row, state: 'ignored', crate_id: null }) }
                  : { label: t('Decide again'), run: () => decide.mutate({ row, state: 'open', crate_id: null }) },
              ]
            : []
        }
        toolbar={
          <FilterBar
            name="crate-baskets"
            filters={[
              {
                key: 'state',
                label: t('Decision'),
                kind: 'one',
                options: basketStates.map(value => ({ value, label: t(stateLabels[value]) })),
                value: [url.state],
                set: ([value = 'open']) => setUrl({ state: isOneOf(basketStates, value) ? value : 'open' }),
              },
              ...byCompany,
            ]}
          />
        }
        filtered={url.state !== 'open' || url.company > 0}
        clearFilters={() => setUrl({ state: 'open', company: 0 })}
        empty={
          <EmptyList title={t('No deviating basket')}>
            {t('Packers used the suggested box, or the same products were packed too rarely.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{`${row.suggested.name} → ${row.used.name}`}</span>
              <span>{t('{{n}} of {{all}}', { n: number(row.times), all: number(row.parcels) })}</span>
            </RowCardLine>
            <span>{contents(row)}</span>
          </RowCard>
        )}
      />
    </Page>
  )
}

function Basket({ row }: { row: BasketDeviation }) {
  const t = useT()
  const doubt = row.times >= 3 ? doubted(row) : null
  return (
    <span title={contents(row)}>
      {contents(row)}
      {doubt ? (
        <Text component="span" size="sm" c="dimmed" ml="xs">
          {doubt.larger
            ? t('Check the size of {{name}}: {{size}} seems too small', { name: doubt.name, size: doubt.size })
            : t('Check the size of {{name}}: {{size}} seems too large', { name: doubt.name, size: doubt.size })}
        </Text>
      ) : null}
      {row.decided_by === null ? null : (
        <Group component="span" display="inline-flex" ml="xs">
          <Text component="span" size="sm" c="dimmed">
            {t('by {{name}}', { name: row.decided_by })}
          </Text>
        </Group>
      )}
    </span>
  )
}

function Difference({ row: { difference, currency } }: { row: BasketDeviation }) {
  if (difference === 0) return '–'
  return (
    <Text component="span" c={difference > 0 ? 'var(--stop)' : 'var(--done)'}>
      {difference > 0 ? '+' : ''}
      {money(difference, currency)}
    </Text>
  )
}
