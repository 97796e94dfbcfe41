/** A walk over a floor: a line with arrows, and its stops numbered in the order in which one comes to them. */
import { useMemo } from 'react'
import style from './Floor.module.css'
import { legsOf, walkPicture } from './floor-plan.rules.ts'
import type { Stop } from './warehouse-maps.schemas.ts'

interface RouteViewProps {
  path: readonly { x: number; y: number }[]
  stops: readonly Stop[]
  /** Pixels of a cell. */
  k: number
  /** Index of the stop that comes next; without it all are alike. */
  next?: number
}

export function RouteView({ path, stops, k, next }: RouteViewProps) {
  const legs = useMemo(() => {
    const every = Math.max(2, Math.round(46 / k))
    const size = Math.min(0.6, Math.max(0.34, 7 / k))
    return legsOf(path, stops).map(leg => walkPicture(leg, { every, size }))
  }, [path, stops, k])
  const radius = Math.min(13, Math.max(8, k * 0.6))
  const tone = (i: number) => (next === undefined || i === next ? '' : i < next ? style.past : style.later)
  return (
    <>
      <g transform={`scale(${k})`}>
        {legs.map((leg, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: legs have no other key than their place in the walk
          <g key={i} className={tone(i)}>
            <path className={style.walk} d={leg.line} />
            <path className={style.jump} d={leg.jumps} />
            <path className={style.walkArrows} d={leg.arrows} />
          </g>
        ))}
      </g>
      {stops
        .map((stop, i) => ({ stop, i }))
        // The next one lies over all others.
        .sort((a, b) => Number(a.i === next) - Number(b.i === next))
        .map(({ stop, i }) =>
          stop.x === null || stop.y === null ? null : (
            <g
              key={stop.no}
              className={[style.stop, next !== undefined && i < next ? style.reached : '', i === next ? style.next : ''].join(' ')}
              transform={`translate(${(stop.x + 0.5) * k} ${(stop.y + 0.5) * k})`}
            >
              <circle r={i === next ? radius + 4 : radius} />
              <text fontSize={radius * (stop.no > 99 ? 0.8 : 1.05)}>{stop.no}</text>
            </g>
          ),
        )}
    </>
  )
}
