/** The cages of today: what waits in each, what was scanned, and how long it is until the courier comes. */
import { Alert, Button, Group } from '@mantine/core'
import { IconAlertTriangle, IconBarcode, IconPlus, IconTruck } from '@tabler/icons-react'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { number, weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import style from './Collect.module.css'
import { CageMark, CutOffClock, Scanned } from './collect-list.labels.tsx'
import { collectLists, collectListsOwn } from './collect-lists.contract.ts'
import type { Tile } from './collect-lists.schemas.ts'

export function CollectTiles() {
  const t = useT()
  const overview = useCall(collectListsOwn.overview, {}, { live: ['collect_list', 'shipment', 'order'], every: 60_000, keep: true })
  return (
    <QueryState of={overview} shape="rows">
      {({ tiles, unscanned }) => {
        const next = nextPickup(tiles)
        return (
          <>
            {unscanned > 0 ? (
              <Alert color="brick" icon={<IconAlertTriangle size={16} />} mb="md">
                <Group justify="space-between" gap="sm">
                  <span>
                    {t('{{count}} parcels were handed over and not scanned by their courier within 24 working hours', { count: unscanned })}
                  </span>
                  <Button component={Link} to="/parcels/shipments" search={{ board: 'no_scan' }} variant="default" size="compact-md">
                    {t('Show')}
                  </Button>
                </Group>
              </Alert>
            ) : null}
            {tiles.length === 0 ? (
              <EmptyList
                title={t('Nothing waits for a courier')}
                action={
                  <Button component={Link} to="/parcels/shipments">
                    {t('Shipments')}
                  </Button>
                }
              >
                {t('Packed parcels with a label appear here, in the cage that their label names.')}
              </EmptyList>
            ) : (
              <div className={style.tiles}>
                {tiles.map(tile => (
                  <OneTile key={tile.key} tile={tile} next={tile.key === next} />
                ))}
              </div>
            )}
          </>
        )
      }}
    </QueryState>
  )
}

/** The cage whose courier comes next, of those that need something: its button alone is filled. */
export const nextPickup = (tiles: readonly Tile[]): string | undefined =>
  tiles
    .filter(tile => tile.running !== null || tile.closed.length > 0 || tile.waiting > 0)
    .toSorted((one, other) => (one.cut_off_at ?? '9').localeCompare(other.cut_off_at ?? '9'))[0]?.key

function OneTile({ tile, next }: { tile: Tile; next: boolean }) {
  const t = useT()
  const { cage, running, closed } = tile
  return (
    <section className={style.tile} data-late={tile.late || undefined} aria-label={`${t(cage.agent)} ${t(cage.name)}`}>
      <header>
        <div>
          {cage.name === cage.agent ? null : <span className={style.dim}>{t(cage.agent)}</span>}
          <h2>
            <CageMark name={cage.name} colour={cage.colour} large />
          </h2>
        </div>
        <CutOffClock at={tile.cut_off_at} late={tile.late} />
      </header>
      <div className={style.numbers}>
        <div>
          <strong>{number(tile.waiting)}</strong>
          <span>{t('to scan')}</span>
        </div>
        <div>
          <strong>{number(tile.scanned)}</strong>
          <span>{t('scanned')}</span>
        </div>
        <div>
          <strong>{weight(tile.weight_g)}</strong>
          <span>{t('weight')}</span>
        </div>
      </div>
      {running ? <Scanned scanned={tile.scanned} expected={tile.expected} /> : null}
      {tile.left_behind > 0 ? (
        <p className={style.warning}>
          <IconAlertTriangle size={16} aria-hidden />
          {t('{{count}} parcels were packed before the last pickup and never scanned out', { count: tile.left_behind })}
        </p>
      ) : null}
      {running && running.take_out > 0 ? (
        <p className={style.warning}>
          <IconAlertTriangle size={16} aria-hidden />
          {t('Take {{count}} parcels out of the cage', { count: running.take_out })}
        </p>
      ) : null}
      <footer>
        {running ? (
          <>
            <Button
              component={Link}
              to="/lists/collect/scan"
              search={{ id: running.id }}
              variant={next ? 'filled' : 'default'}
              leftSection={<IconBarcode size={16} />}
            >
              {t('Scan out')}
            </Button>
            <Button component={Link} to="/lists/collect" search={{ id: running.id }} variant="default">
              {running.code}
            </Button>
          </>
        ) : (
          <StartButton tile={tile} filled={next && closed.length === 0} />
        )}
        {closed.map((list, index) => (
          <Button
            key={list.id}
            component={Link}
            to="/lists/collect"
            search={{ id: list.id }}
            variant={next && !running && index === 0 ? 'filled' : 'default'}
            leftSection={<IconTruck size={16} />}
          >
            {t('Hand over {{list}} ({{count}})', { list: list.code, count: list.scanned })}
          </Button>
        ))}
      </footer>
    </section>
  )
}

/** Makes the list and goes scanning: who stands at the cage needs nothing in between. */
export function StartButton({ tile, filled }: { tile: Pick<Tile, 'cage'>; filled: boolean }) {
  const t = useT()
  const go = useNavigate()
  const create = useSend(collectLists.create, {
    refreshes: [collectListsOwn.overview, collectLists.search],
    done: list => go('/lists/collect/scan', { id: list.id }),
  })
  return (
    <Button
      variant={filled ? 'filled' : 'default'}
      leftSection={<IconPlus size={16} />}
      loading={create.isPending}
      onClick={() => create.mutate({ body: { agent_code: tile.cage.agent_code, cage: tile.cage.name } })}
    >
      {t('Start a list')}
    </Button>
  )
}
