/** The access log: who saw which video, and when. */
import { useMemo } from 'react'
import { access } from '#contract/access.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { packingVideo } from './packing-video.contract.ts'
import type { VideoView } from './packing-video.schemas.ts'
import type { VideoListPlace } from './video-place.client.ts'

const keyOf = (row: VideoView) => row.id

export function VideoViews({ query, page, set }: VideoListPlace) {
  const t = useT()
  const mayOpen = useIsAllowed(access.parcels)
  const list = usePagedList(packingVideo.views, { page, limit: 50, ...(query && { query }) }, { live: ['video'] })
  const columns = useMemo<Column<VideoView>[]>(
    () => [
      { key: 'at', title: t('When'), cell: row => <RelativeTime at={row.viewed_at} /> },
      { key: 'who', title: t('Seen by'), flex: 2, cell: row => row.viewer_name ?? t('By shared link') },
      {
        key: 'order',
        title: t('Order'),
        flex: 1,
        cell: row =>
          mayOpen ? (
            <Link to="/parcels/orders" search={{ id: row.order_id }}>
              {row.order_no}
            </Link>
          ) : (
            row.order_no
          ),
      },
      { key: 'video', title: t('Video'), align: 'end', cell: row => row.video_id },
    ],
    [t, mayOpen],
  )
  return (
    <DataTable
      name="video-views"
      label={t('Access log')}
      columns={columns}
      list={list}
      keyOf={keyOf}
      onPage={next => set({ page: next })}
      toolbar={
        <FilterBar
          name="video-views"
          search={{ value: query, set: text => set({ query: text, page: 1 }, { replace: true }), label: t('Person or order number') }}
          filters={[]}
        />
      }
      filtered={query !== ''}
      clearFilters={() => set({ query: '', page: 1 })}
      empty={
        <EmptyList title={t('No one has seen a video yet')}>
          {t('Each person who opens a video stands here, once for ten minutes.')}
        </EmptyList>
      }
      card={row => (
        <RowCard>
          <RowCardLine>
            <span>{row.viewer_name ?? t('By shared link')}</span>
            <RelativeTime at={row.viewed_at} as="age" />
          </RowCardLine>
          <span>{row.order_no}</span>
        </RowCard>
      )}
    />
  )
}
