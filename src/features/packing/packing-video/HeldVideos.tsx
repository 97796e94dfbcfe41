/** Videos that are kept beyond their time: until when, by whom and why. */
import { IconLockOpen } from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'
import { access } from '#contract/access.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable, type RowAction } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { bytes, day } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { packingVideo } from './packing-video.contract.ts'
import type { HeldVideo } from './packing-video.schemas.ts'
import type { VideoListPlace } from './video-place.client.ts'

export function HeldVideos({ query, page, set }: VideoListPlace) {
  const t = useT()
  const mayOpen = useIsAllowed(access.parcels)
  const mayRelease = useIsAllowed(packingVideo.release.access)
  const list = usePagedList(packingVideo.held, { page, limit: 50, ...(query && { query }) }, { live: ['video'] })
  const { mutate: release } = useSend(packingVideo.release, { done: list.showPendingChanges, said: t('The video is no longer kept') })
  const columns = useMemo<Column<HeldVideo>[]>(
    () => [
      {
        key: 'order',
        title: t('Order'),
        cell: row =>
          mayOpen ? (
            <Link to="/parcels/orders" search={{ id: row.order_id }}>
              {row.order_no}
            </Link>
          ) : (
            row.order_no
          ),
      },
      { key: 'reason', title: t('Reason'), flex: 3, cell: row => <span title={row.held_reason}>{row.held_reason}</span> },
      { key: 'until', title: t('Until'), cell: row => day(row.held_until) },
      { key: 'by', title: t('Kept by'), flex: 1, cell: row => row.held_by_name },
      { key: 'recorded', title: t('Filmed'), cell: row => <RelativeTime at={row.starts_at} as="day" /> },
      { key: 'station', title: t('Station'), cell: row => row.station },
      { key: 'size', title: t('Size'), align: 'end', hidden: true, cell: row => bytes(row.bytes) },
    ],
    [t, mayOpen],
  )
  const actions = useCallback(
    (row: HeldVideo): RowAction[] => [
      {
        label: t('Stop keeping'),
        icon: <IconLockOpen size={16} />,
        danger: true,
        run: async () => {
          const gone = Date.parse(row.delete_after) <= Date.now()
          const sure = await confirm({
            title: t('Stop keeping this video?'),
            body: gone ? t('Its days are over: it is deleted within the hour.') : t('It is deleted when its days are over.'),
            action: t('Stop keeping'),
            keep: t('Keep video'),
            danger: true,
          })
          if (sure) release({ id: row.id })
        },
      },
    ],
    [t, release],
  )
  return (
    <DataTable
      name="held-videos"
      label={t('Kept videos')}
      columns={columns}
      list={list}
      keyOf={keyOf}
      onPage={next => set({ page: next })}
      {...(mayRelease ? { rowActions: actions } : {})}
      toolbar={
        <FilterBar
          name="held-videos"
          search={{ value: query, set: text => set({ query: text, page: 1 }, { replace: true }), label: t('Person or order number') }}
          filters={[]}
        />
      }
      filtered={query !== ''}
      clearFilters={() => set({ query: '', page: 1 })}
      empty={
        <EmptyList title={t('No video is kept')}>{t('A video is kept on the page of its order, with a reason and a last day.')}</EmptyList>
      }
      card={row => (
        <RowCard>
          <RowCardLine>
            <strong>{row.order_no}</strong>
            <span>{day(row.held_until)}</span>
          </RowCardLine>
          <div>{row.held_reason}</div>
          <RowCardLine>
            <span>{row.held_by_name}</span>
            <span>{row.station}</span>
          </RowCardLine>
        </RowCard>
      )}
    />
  )
}

const keyOf = (row: HeldVideo) => row.id
