/** A floor as few SVG shapes, however large it is: what the editor, the results and the page of a route all draw. */
import { memo, useMemo } from 'react'
import style from './Floor.module.css'
import { oneWayArrows, oneWayCells, pickSides, shapeOf, type Tile, tileSide, tilesOf } from './floor-plan.rules.ts'
import type { Floor } from './warehouse-maps.schemas.ts'

export type DrawnFloor = Pick<Floor, 'width' | 'height' | 'cells' | 'zones' | 'stairs' | 'starts' | 'stations'>
type Placed = Parameters<typeof pickSides>[0]
const noLocations: Placed = []

/** In units of cells: put it into a group that is scaled. */
export const FloorLayers = memo(function FloorLayers({
  floor,
  locations = noLocations,
  detail = true,
  left = Number.NEGATIVE_INFINITY,
  top = Number.NEGATIVE_INFINITY,
  right = Number.POSITIVE_INFINITY,
  bottom = Number.POSITIVE_INFINITY,
}: {
  floor: DrawnFloor
  locations?: Placed
  /** Arrows and sides of picking, which are dust where a cell is a few pixels. */
  detail?: boolean
  /** What is in sight, in whole cells, so that not every pixel of a pan draws the floor again. */
  left?: number
  top?: number
  right?: number
  bottom?: number
}) {
  const { cells, width, height, zones, stairs } = floor
  const shapes = useMemo(
    () => ({
      racks: shapeOf(cells, '#'),
      blocked: shapeOf(cells, 'x'),
      oneWay: shapeOf(cells, '^v<>'),
      arrows: tilesOf(oneWayCells(cells), oneWayArrows),
    }),
    [cells],
  )
  const sides = useMemo(() => tilesOf(locations, pickSides), [locations])
  const inSight = ({ x, y }: Tile) => detail && x < right && y < bottom && x + tileSide > left && y + tileSide > top
  return (
    <>
      <rect className={style.floor} width={width} height={height} />
      <path className={style.oneWay} d={shapes.oneWay} />
      {shapes.arrows.filter(inSight).map(({ key, path }) => (
        <path key={key} className={style.arrows} d={path} />
      ))}
      <path className={style.rack} d={shapes.racks} />
      {sides.filter(inSight).map(({ key, path }) => (
        <path key={key} className={style.sides} d={path} />
      ))}
      <path className={style.blocked} d={shapes.blocked} />
      {zones.map((zone, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: zones have no other key
        <rect key={i} className={style.zone} x={zone.x} y={zone.y} width={zone.width} height={zone.height} />
      ))}
      <path
        className={style.stair}
        d={stairs.map(({ from, to }) => `M${from.x + 0.5} ${from.y + 0.5}L${to.x + 0.5} ${to.y + 0.5}`).join('')}
      />
    </>
  )
})

/** From so many pixels of a cell on, its arrow and its sides are legible. */
export const detailed = 6

/** Starts, stations and ends of stairs, of one size at every zoom: in pixels, `k` of which are a cell. */
export function FloorMarks({ floor, k, names = true }: { floor: DrawnFloor; k: number; names?: boolean }) {
  const size = Math.min(11, Math.max(5, k * 0.42))
  const at = (cell: { x: number; y: number }) => `translate(${(cell.x + 0.5) * k} ${(cell.y + 0.5) * k})`
  const named = names && k >= 7
  return (
    <>
      {floor.zones.map(zone =>
        k >= 12 ? (
          <text
            key={`zone ${zone.name} ${zone.x} ${zone.y}`}
            className={`${style.name} ${style.zoneName}`}
            x={zone.x * k + 4}
            y={zone.y * k + 13}
          >
            {zone.name} ×{zone.cost}
          </text>
        ) : null,
      )}
      {floor.stairs.flatMap(stair =>
        (['from', 'to'] as const)
          .map(side => ({ side, end: stair[side] }))
          .map(({ side, end }) => (
            <g key={`stair ${stair.name} ${side} ${end.x} ${end.y}`} transform={at(end)}>
              <rect className={style.ends} x={-size} y={-size} width={size * 2} height={size * 2} rx={2} transform="scale(.8)" />
              <path
                className={style.mark}
                d={`M${-size * 0.5} ${size * 0.45}h${size * 0.35}v${-size * 0.45}h${size * 0.35}v${-size * 0.45}h${size * 0.35}`}
              />
              {k >= 12 && side === 'from' ? (
                <text className={style.name} y={-size - 3} textAnchor="middle">
                  {stair.name}
                </text>
              ) : null}
            </g>
          )),
      )}
      {floor.stations.map(spot => (
        <g key={`station ${spot.name} ${spot.x} ${spot.y}`} transform={at(spot)}>
          <rect className={style.station} x={-size} y={-size} width={size * 2} height={size * 2} rx={2} />
          <path
            className={style.mark}
            d={`M${-size * 0.5} ${-size * 0.1}L0 ${-size * 0.5}L${size * 0.5} ${-size * 0.1}V${size * 0.5}H${-size * 0.5}z`}
          />
          {named ? <Name at={spot} size={size} width={floor.width} name={spot.name} /> : null}
        </g>
      ))}
      {floor.starts.map(spot => (
        <g key={`start ${spot.name} ${spot.x} ${spot.y}`} transform={at(spot)}>
          <circle className={style.start} r={size} />
          <path className={style.mark} d={`M${-size * 0.3} ${-size * 0.45}L${size * 0.45} 0L${-size * 0.3} ${size * 0.45}z`} />
          {named ? <Name at={spot} size={size} width={floor.width} name={spot.name} /> : null}
        </g>
      ))}
    </>
  )
}

/** Beside its mark, on the side where the floor goes on. */
function Name({ at, size, width, name }: { at: { x: number }; size: number; width: number; name: string }) {
  const left = at.x > width * 0.7
  return (
    <text className={style.name} x={left ? -size - 3 : size + 3} y={4} textAnchor={left ? 'end' : 'start'}>
      {name}
    </text>
  )
}
