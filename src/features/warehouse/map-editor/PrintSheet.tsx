/** The whole map on one sheet of paper. */
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import type { Drawing } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { FloorLayers, FloorMarks } from '#features/warehouse/warehouse-maps/FloorLayers.tsx'
import style from './Editor.module.css'

/** Pixels of a cell on the sheet; it is scaled to the paper. */
const k = 24

export function PrintSheet({ title, drawing, done }: { title: string; drawing: Drawing; done: () => void }) {
  // The outside system is the browser's print dialog.
  useEffect(() => {
    window.addEventListener('afterprint', done)
    const timer = setTimeout(() => window.print(), 50)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('afterprint', done)
    }
  }, [done])
  const cells = Map.groupBy(drawing.locations, one => `${one.x} ${one.y}`)
  return createPortal(
    <div className={style.sheet}>
      <h1>{title}</h1>
      <svg viewBox={`-2 -2 ${drawing.width * k + 4} ${drawing.height * k + 4}`} role="img" aria-label={title}>
        <g transform={`scale(${k})`}>
          <FloorLayers floor={drawing} locations={drawing.locations} />
        </g>
        {[...cells].map(([key, some]) => {
          const [first] = some
          if (!first) return null
          return (
            <text
              key={key}
              className={style.code}
              fontSize={Math.min(8, (k * 1.5) / first.code.length)}
              x={(first.x + 0.5) * k}
              y={(first.y + 0.6) * k}
            >
              {first.code}
            </text>
          )
        })}
        <FloorMarks floor={drawing} k={k} />
      </svg>
    </div>,
    document.body,
  )
}
