/** The warehouse maps to choose from, on a page whose address names none. */
import { NavLink, Stack } from '@mantine/core'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { warehouseMaps } from './warehouse-maps.contract.ts'

export function MapChoice({ to }: { to: string }) {
  const t = useT()
  const maps = useCall(warehouseMaps.search, {}, { live: ['map'] })
  return (
    <Page title={t('Select a map')} back={{ to: '/settings/warehouse-map', label: t('All maps') }} narrow>
      <QueryState of={maps} shape="rows">
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyList title={t('No map yet')} action={<Link to="/settings/warehouse-map">{t('All maps')}</Link>} />
          ) : (
            <Stack gap={4}>
              {rows.map(map => (
                <NavLink
                  key={map.map_id}
                  component={Link}
                  to={to}
                  search={{ id: map.map_id }}
                  label={map.title}
                  description={`${number(map.width)} × ${number(map.height)} · ${t('{{count}} locations', { count: map.location_count })}`}
                />
              ))}
            </Stack>
          )
        }
      </QueryState>
    </Page>
  )
}
