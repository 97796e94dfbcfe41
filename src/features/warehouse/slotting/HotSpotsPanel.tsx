/** Where most is fetched, as heat on the map and as numbers; and which products should change places. */
import { Alert, Button, NumberInput, TextInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { mapResults } from '#features/warehouse/map-results/map-results.contract.ts'
import own from '#features/warehouse/map-results/Results.module.css'
import style from '#features/warehouse/warehouse-maps/Floor.module.css'
import { FloorPlan } from '#features/warehouse/warehouse-maps/FloorPlan.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { dateIn, number, today } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, useCall } from '#ui/query/calls.ts'
import { slotting, slottingOwn } from './slotting.contract.ts'
import type { HotSpot, Slotting } from './slotting.schemas.ts'
import { slottingAsCsv } from './slotting-sheet.rules.ts'

interface HotSpotsPanelProps {
  product_count: number
  /** A day, or empty for the last 30 days. */
  order_from: string
  set: (change: { product_count?: number; order_from?: string }) => void
}

const dayMs = 86_400_000
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

export function HotSpotsPanel({ product_count, order_from, set }: HotSpotsPanelProps) {
  const t = useT()
  const from = isDay(order_from) ? order_from : ''
  const active = useCall(mapResults.active, {}, { live: ['map'] })
  const spots = useCall(
    slotting.hotSpots,
    { product_count, advice: 'no', ...(from ? { order_from: from } : {}) },
    { keep: true, fresh: 60_000 },
  )
  // The page is drawn again and again, but a day is a day.
  const days = useMemo(() => (from ? Math.min(90, Math.max(1, Math.ceil((Date.now() - Date.parse(from)) / dayMs))) : 30), [from])
  return (
    <>
      <div className={own.figures} style={{ alignItems: 'end', gap: 'var(--s-3)' }}>
        <TextInput
          type="date"
          label={t('Orders from')}
          value={from || dateIn(Date.now() - 30 * dayMs)}
          max={today()}
          onChange={event => set({ order_from: event.currentTarget.value })}
        />
        <NumberInput
          label={t('Products')}
          w={110}
          min={1}
          max={500}
          value={product_count}
          onChange={value => typeof value === 'number' && value >= 1 && value <= 500 && set({ product_count: value })}
        />
      </div>
      <section className={own.part}>
        <h2>{t('Most picked bins')}</h2>
        <QueryState of={spots}>
          {({ spots: found }) => (
            <div className={own.beside}>
              <QueryState of={active}>
                {({ active: map }) =>
                  map ? (
                    <FloorPlan
                      floor={map.drawing}
                      locations={map.drawing.locations}
                      label={t('The places where most is fetched, darker the more. The same numbers stand in the list beside it.')}
                      height="62vh"
                      over={k => <Heat spots={found} k={k} />}
                    />
                  ) : (
                    <EmptyList
                      title={t('No map is active')}
                      action={
                        <Button component={Link} to="/settings/warehouse-map">
                          {t('All maps')}
                        </Button>
                      }
                    >
                      {t('Compute a map and set the result active: then the places are shown on it.')}
                    </EmptyList>
                  )
                }
              </QueryState>
              {found.length === 0 ? (
                <span className={own.dim}>{t('Nothing was ordered in this time')}</span>
              ) : (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by keys
                <ol tabIndex={0} className={own.stops} aria-label={t('Bins by number of picks')}>
                  {found.map(spot => (
                    <li key={spot.bin}>
                      <span>{number(spot.picks)}</span>
                      <div>
                        <b>{spot.bin || t('Without a bin')}</b>
                        {spot.x === null ? <small className={own.dim}> · {t('not on the map')}</small> : null}
                        <div className={own.dim}>{spot.products.map(one => one.name || one.sku).join(', ')}</div>
                      </div>
                    </li>
                  ))}
                </ol>
              )}
            </div>
          )}
        </QueryState>
      </section>
      <Advice days={days} />
    </>
  )
}

/** Darker and with its number; where several bins are fetched from one place, they are counted together. */
function Heat({ spots, k }: { spots: readonly HotSpot[]; k: number }) {
  const cells = useMemo(() => {
    const byCell = Map.groupBy(
      spots.filter(one => one.x !== null && one.y !== null),
      one => `${one.x} ${one.y}`,
    )
    return [...byCell.values()]
      .map(some => ({ x: Number(some[0]?.x), y: Number(some[0]?.y), picks: some.reduce((sum, one) => sum + one.picks, 0) }))
      .sort((a, b) => b.picks - a.picks)
  }, [spots])
  const most = cells[0]?.picks ?? 1
  const grown = Math.max(0, 14 - k) / 2
  return (
    <g className={style.heat}>
      {cells.toReversed().map(({ x, y, picks }) => (
        <rect
          key={`${x} ${y}`}
          x={x * k - grown}
          y={y * k - grown}
          width={k + grown * 2}
          height={k + grown * 2}
          rx={3}
          opacity={0.18 + 0.72 * Math.sqrt(picks / most)}
        />
      ))}
      {cells.slice(0, k >= 18 ? cells.length : 15).map(({ x, y, picks }) => (
        <text key={`${x} ${y}`} x={(x + 0.5) * k} y={(y + 0.5) * k} fontSize={Math.min(13, Math.max(10, k * 0.5))}>
          {number(picks)}
        </text>
      ))}
    </g>
  )
}

function Advice({ days }: { days: number }) {
  const t = useT()
  const advice = useCall(slottingOwn.advice, { days, swaps: 20 }, { keep: true, fresh: 300_000 })
  const titles = [
    t('Company'),
    t('SKU'),
    t('Product'),
    t('Picks'),
    t('From bin'),
    t('To bin'),
    t('SKU that makes room'),
    t('Product that makes room'),
    t('Its picks'),
    t('Metres saved per day'),
  ]
  const save = (answer: Slotting) => {
    saveFile(new File([slottingAsCsv(answer.swaps, titles)], 'slotting.csv', { type: 'text/csv' }))
  }
  return (
    <section className={own.part}>
      <h2>{t('Which products should change places')}</h2>
      <QueryState of={advice} shape="rows">
        {answer =>
          answer.result_id === null ? (
            <span className={own.dim}>{t('No map is active')}</span>
          ) : answer.swaps.length === 0 ? (
            <span className={own.dim}>
              {answer.walks === 0 ? t('Nothing was ordered in this time') : t('No swap saves a metre a day: the goods lie well')}
            </span>
          ) : (
            <>
              <Alert color="harbour" title={savings(t, answer)}>
                {t('{{walks}} walks on {{count}} days were walked again; now they take {{metres}} m a day.', {
                  walks: number(answer.walks),
                  count: answer.days,
                  metres: number(answer.metres_per_day),
                })}
              </Alert>
              <div>
                <Button variant="default" size="compact-sm" leftSection={<IconDownload size={16} />} onClick={() => save(answer)}>
                  {t('Export as CSV')}
                </Button>
              </div>
              <div className={own.scroll}>
                <table className={own.table}>
                  <thead>
                    <tr>
                      <td>{t('Product')}</td>
                      <td>{t('Move')}</td>
                      <td>{t('Makes room')}</td>
                      <td style={{ textAlign: 'end' }}>{t('Saved a day')}</td>
                    </tr>
                  </thead>
                  <tbody>
                    {answer.swaps.map(({ product, from_bin, to_bin, other, saved_metres_per_day }) => (
                      <tr key={`${product.company} ${product.sku} ${from_bin}`}>
                        <td>
                          <b>{product.name || product.sku}</b>
                          <div className={own.dim}>
                            {product.company} · {product.sku} · {t('{{count}} picks', { count: product.picks })}
                          </div>
                        </td>
                        <td>
                          {from_bin} → <b>{to_bin}</b>
                        </td>
                        <td>
                          {other ? (
                            <>
                              {other.name || other.sku}
                              <div className={own.dim}>
                                {t('{{count}} picks', { count: other.picks })} · → {from_bin}
                              </div>
                            </>
                          ) : (
                            <span className={own.dim}>{t('The bin is free')}</span>
                          )}
                        </td>
                        <td style={{ textAlign: 'end' }}>{t('{{metres}} m', { metres: number(saved_metres_per_day) })}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          )
        }
      </QueryState>
    </section>
  )
}

function savings(t: ReturnType<typeof useT>, { swaps, saved_metres_per_day: saved }: Slotting): string {
  const values = { count: swaps.length, metres: number(saved), kilometres: number(saved / 1_000, 1) }
  return saved >= 1_000
    ? t('Move these {{count}} products: it saves {{kilometres}} km per day', values)
    : t('Move these {{count}} products: it saves {{metres}} m per day', values)
}
