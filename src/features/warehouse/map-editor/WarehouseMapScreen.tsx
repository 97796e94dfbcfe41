/** Warehouse maps: the list of them, and what the active one teaches about the places of goods. */

import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { HotSpotsPanel } from '#features/warehouse/slotting/HotSpotsPanel.tsx'
import { mapEditors, warehouseMaps } from '#features/warehouse/warehouse-maps/warehouse-maps.contract.ts'
import type { MapRow } from '#features/warehouse/warehouse-maps/warehouse-maps.schemas.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useNavigate, useUrlState } from '#ui/kit/url-state.ts'
import { useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { MapImport } from './MapImport.tsx'
import { NewMap } from './NewMap.tsx'

const View = {
  show: urlChoice(['maps', 'hot-spots'], 'maps'),
  query: urlText(),
  page: urlNumber(1),
  product_count: urlNumber(50, { least: 1, most: 500 }),
  order_from: urlText(),
}

const keyOf = (row: MapRow) => row.map_id

export function WarehouseMapScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const [dialog, setDialog] = useState<'new' | 'import' | null>(null)
  const mayDraw = useIsAllowed(mapEditors)
  return (
    <Page
      title={url.show === 'maps' ? t('Warehouse map') : t('Most picked bins')}
      documentTitle={t('Warehouse map')}
      fill={url.show === 'maps'}
      {...(url.show === 'maps' ? {} : { back: { to: '/settings/warehouse-map', label: t('All maps') } })}
      actions={
        url.show === 'maps' ? (
          <>
            <Button component={Link} to="/settings/warehouse-map" search={{ show: 'hot-spots' }} variant="default">
              {t('Most picked bins')}
            </Button>
            {mayDraw ? (
              <Menu position="bottom-end">
                <Menu.Target>
                  <Button rightSection={<IconChevronDown size={16} />}>{t('New map')}</Button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => setDialog('new')}>{t('Draw a map')}</Menu.Item>
                  <Menu.Item onClick={() => setDialog('import')}>{t('Import CSV or JSON')}</Menu.Item>
                </Menu.Dropdown>
              </Menu>
            ) : null}
          </>
        ) : null
      }
    >
      {url.show === 'maps' ? (
        <Maps
          query={url.query}
          page={url.page}
          setQuery={query => setUrl({ query }, { replace: true })}
          setPage={page => setUrl({ page })}
          draw={() => setDialog('new')}
        />
      ) : (
        <HotSpotsPanel product_count={url.product_count} order_from={url.order_from} set={change => setUrl(change, { replace: true })} />
      )}
      {dialog === 'new' ? <NewMap close={() => setDialog(null)} /> : null}
      {dialog === 'import' ? <ImportNew close={() => setDialog(null)} /> : null}
    </Page>
  )
}

function ImportNew({ close }: { close: () => void }) {
  const t = useT()
  const go = useNavigate()
  const create = useSend(warehouseMaps.create, {
    refreshes: [warehouseMaps.search],
    said: t('Map created'),
    done: map => go('/settings/warehouse-map/edit', { id: map.map_id }),
  })
  return (
    <MapImport
      close={close}
      taking={create.isPending}
      take={({ title, drawing }, fileName) =>
        create.mutate({ body: { title: title ?? (fileName.replace(/\.\w+$/, '').slice(0, 120) || t('Warehouse')), drawing } })
      }
    />
  )
}

interface MapsProps {
  query: string
  page: number
  setQuery: (query: string) => void
  setPage: (page: number) => void
  draw: () => void
}

function Maps({ query, page, setQuery, setPage, draw }: MapsProps) {
  const t = useT()
  const go = useNavigate()
  const list = usePagedList(warehouseMaps.search, { query, page }, { live: ['map'], keyOf: keyOf })
  const columns = useMemo<Column<MapRow>[]>(
    () => [
      {
        key: 'title',
        title: t('Map'),
        flex: 2,
        cell: row => (
          <Link to="/settings/warehouse-map/edit" search={{ id: row.map_id }}>
            {row.title}
          </Link>
        ),
      },
      {
        key: 'state',
        title: t('Status'),
        cell: row => (row.active_result_id === null ? null : <StateBadge tone="done">{t('In use')}</StateBadge>),
      },
      { key: 'size', title: t('Cells'), align: 'end', cell: row => `${number(row.width)} × ${number(row.height)}` },
      { key: 'locations', title: t('Locations'), align: 'end', cell: row => number(row.location_count) },
      {
        key: 'results',
        title: t('Results'),
        align: 'end',
        cell: row => (
          <Link to="/settings/warehouse-map/results" search={{ id: row.map_id }}>
            {number(row.result_count)}
          </Link>
        ),
      },
      { key: 'changed', title: t('Changed'), cell: row => <RelativeTime at={row.updated_at} /> },
      { key: 'by', title: t('Created by'), flex: 1, cell: row => row.created_by },
    ],
    [t],
  )
  const mayDraw = useIsAllowed(mapEditors)
  return (
    <DataTable
      name="warehouse-maps"
      label={t('Maps')}
      columns={columns}
      list={list}
      keyOf={keyOf}
      open={row => go(mayDraw ? '/settings/warehouse-map/edit' : '/settings/warehouse-map/results', { id: row.map_id })}
      onPage={setPage}
      rowActions={row => [
        ...(mayDraw ? [{ label: t('Draw'), run: () => go('/settings/warehouse-map/edit', { id: row.map_id }) }] : []),
        { label: t('Results'), run: () => go('/settings/warehouse-map/results', { id: row.map_id }) },
      ]}
      toolbar={<FilterBar name="warehouse-maps" search={{ value: query, set: setQuery, label: t('Search maps') }} />}
      filtered={query !== ''}
      clearFilters={() => setQuery('')}
      empty={
        <EmptyList title={t('No map yet')} action={mayDraw ? <Button onClick={draw}>{t('Draw a map')}</Button> : undefined}>
          {t('With a map, wagons take the shortest route and lists show the distance.')}
        </EmptyList>
      }
      card={row => (
        <RowCard>
          <RowCardLine>
            <span>{row.title}</span>
            {row.active_result_id === null ? null : <StateBadge tone="done">{t('In use')}</StateBadge>}
          </RowCardLine>
          <RowCardLine>
            <span>
              {number(row.width)} × {number(row.height)} · {t('Locations')}: {number(row.location_count)}
            </span>
            <RelativeTime at={row.updated_at} />
          </RowCardLine>
        </RowCard>
      )}
    />
  )
}
