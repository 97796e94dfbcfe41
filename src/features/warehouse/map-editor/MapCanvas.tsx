/** The drawing under the hand: pan, zoom, choose and draw with pointer or keys. Only a dozen shapes, however large the map. */
import { ActionIcon } from '@mantine/core'
import { IconMinus, IconPlus, IconZoomScan } from '@tabler/icons-react'
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Drawing, Location } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { detailed, FloorLayers, FloorMarks } from '#features/warehouse/warehouse-maps/FloorLayers.tsx'
import { tileSide } from '#features/warehouse/warehouse-maps/floor-plan.rules.ts'
import { number } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import {
  type Area,
  areaBetween,
  boxOf,
  cleared,
  copied,
  isWithin,
  kindAt,
  lineBetween,
  maskOf,
  moved,
  pasted,
  racksAt,
} from './drawing-edits.rules.ts'
import style from './Editor.module.css'
import type { Cell, Chosen, Editor, Stroke } from './editor-state.client.ts'
import { kindLabels } from './map.labels.ts'

/** `k` pixels are a cell; x and y are where the grid begins. */
interface Sight {
  k: number
  x: number
  y: number
}

export interface Underlay {
  url: string
  /** In cells. */
  x: number
  y: number
  width: number
  opacity: number
}

type Drag =
  | { kind: 'pan'; x: number; y: number; sight: Sight }
  | { kind: 'choose'; chosen: Chosen }
  | { kind: 'move'; from: Cell; right: number; down: number; extend: boolean }
  | { kind: 'draw'; stroke: Stroke }

const [least, most] = [1.5, 90]
/** Codes are written from this size of a cell on. */
const readable = 30

interface MapCanvasProps {
  editor: Editor
  wrong: readonly { x: number; y: number }[]
  underlay: Underlay | null
}

export function MapCanvas({ editor, wrong, underlay }: MapCanvasProps) {
  const t = useT()
  const { drawing, mask, tool } = editor
  const box = useRef<HTMLDivElement>(null)
  const [viewport, setViewport] = useState<{ width: number; height: number } | null>(null)
  const [wished, setSight] = useState<Sight | null>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  // While something is dragged, only the canvas is drawn again; the other panels get the selection when the drag ends.
  const chosen = useMemo<Chosen>(
    () =>
      drag?.kind === 'choose'
        ? drag.chosen
        : drag?.kind === 'draw'
          ? { others: [], anchor: drag.stroke.from, cursor: drag.stroke.to }
          : editor.chosen,
    [drag, editor.chosen],
  )
  const areas = useMemo(() => [...chosen.others, areaBetween(chosen.anchor, chosen.cursor)], [chosen])
  const sight = useMemo(() => wished ?? fitting(drawing, viewport), [wished, drawing, viewport])

  // The outside system is the layout of the page.
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const watcher = new ResizeObserver(() => setViewport({ width: element.clientWidth, height: element.clientHeight }))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])

  const zoom = (factor: number, at?: { x: number; y: number }) => {
    const point = at ?? { x: (viewport?.width ?? 0) / 2, y: (viewport?.height ?? 0) / 2 }
    setSight(before => {
      const now = before ?? sight
      const k = Math.min(most, Math.max(least, now.k * factor))
      return { k, x: point.x - ((point.x - now.x) / now.k) * k, y: point.y - ((point.y - now.y) / now.k) * k }
    })
  }
  const pan = (right: number, down: number) =>
    setSight(before => {
      const now = before ?? sight
      return { ...now, x: now.x + right, y: now.y + down }
    })
  const wheel = useRef<(event: WheelEvent) => void>(undefined)
  useEffect(() => {
    wheel.current = event => {
      event.preventDefault()
      const unit = event.deltaMode === 1 ? 18 : 1
      const { left, top } = box.current?.getBoundingClientRect() ?? { left: 0, top: 0 }
      if (event.shiftKey && event.deltaX === 0) pan(-event.deltaY * unit, 0)
      else if (event.altKey || (event.deltaX !== 0 && !event.ctrlKey)) pan(-event.deltaX * unit, -event.deltaY * unit)
      else zoom(Math.exp((-event.deltaY * unit) / (event.ctrlKey ? 160 : 500)), { x: event.clientX - left, y: event.clientY - top })
    }
  })
  // A wheel that React listens to cannot keep the page from scrolling.
  useEffect(() => {
    const element = box.current
    if (!element) return
    const roll = (event: WheelEvent) => wheel.current?.(event)
    element.addEventListener('wheel', roll, { passive: false })
    return () => element.removeEventListener('wheel', roll)
  }, [])

  const shown = useRef(0)
  // The outside system is what else on the page points at a place.
  useEffect(() => {
    if (!editor.goal || !viewport || editor.goal.no === shown.current) return
    shown.current = editor.goal.no
    const { area } = editor.goal
    setSight(before => {
      const now = before ?? fitting(drawing, viewport)
      const k = Math.max(now.k, Math.min(34, viewport.width / (area.width + 6), viewport.height / (area.height + 6)))
      return { k, x: viewport.width / 2 - (area.x + area.width / 2) * k, y: viewport.height / 2 - (area.y + area.height / 2) * k }
    })
  }, [editor.goal, viewport, drawing])

  const follow = (cell: Cell) =>
    setSight(before => {
      const now = before ?? sight
      if (!viewport) return before
      const margin = Math.min(now.k, 40)
      const [x, y] = [now.x + cell.x * now.k, now.y + cell.y * now.k]
      const right = x < margin ? margin - x : x + now.k > viewport.width - margin ? viewport.width - margin - x - now.k : 0
      const down = y < margin ? margin - y : y + now.k > viewport.height - margin ? viewport.height - margin - y - now.k : 0
      return right === 0 && down === 0 ? before : { ...now, x: now.x + right, y: now.y + down }
    })

  const cellOf = (event: PointerEvent | React.MouseEvent): Cell => {
    const { left, top } = box.current?.getBoundingClientRect() ?? { left: 0, top: 0 }
    const place = (value: number, end: number) => Math.min(end - 1, Math.max(0, Math.floor(value)))
    return {
      x: place((event.clientX - left - sight.x) / sight.k, drawing.width),
      y: place((event.clientY - top - sight.y) / sight.k, drawing.height),
    }
  }

  const press = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button > 1 || (event.target instanceof Element && event.target.closest('button'))) return
    box.current?.querySelector<HTMLElement>('[role="application"]')?.focus({ preventScroll: true })
    event.currentTarget.setPointerCapture(event.pointerId)
    const cell = cellOf(event)
    if (event.button === 1 || tool === 'hand') {
      event.preventDefault()
      setDrag({ kind: 'pan', x: event.clientX, y: event.clientY, sight })
    } else if (tool === 'select') {
      const extend = event.ctrlKey || event.metaKey
      if (event.shiftKey) setDrag({ kind: 'choose', chosen: { ...chosen, cursor: cell } })
      else if (!extend && areas.some(area => isWithin(area, cell))) setDrag({ kind: 'move', from: cell, right: 0, down: 0, extend })
      else setDrag({ kind: 'choose', chosen: { others: extend ? areas : [], anchor: cell, cursor: cell } })
    } else setDrag({ kind: 'draw', stroke: { from: cell, to: cell, cells: [cell] } })
  }
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (!drag) return
    if (drag.kind === 'pan') {
      setSight({ ...drag.sight, x: drag.sight.x + event.clientX - drag.x, y: drag.sight.y + event.clientY - drag.y })
      return
    }
    const cell = cellOf(event)
    if (drag.kind === 'move') {
      const [right, down] = [cell.x - drag.from.x, cell.y - drag.from.y]
      if (right !== drag.right || down !== drag.down) setDrag({ ...drag, right, down })
      return
    }
    if (cell.x === chosen.cursor.x && cell.y === chosen.cursor.y) return
    if (drag.kind === 'choose') setDrag({ kind: 'choose', chosen: { ...drag.chosen, cursor: cell } })
    else
      setDrag({
        kind: 'draw',
        stroke: { ...drag.stroke, to: cell, cells: [...(drag.stroke.cells ?? []), ...lineBetween(drag.stroke.to, cell)] },
      })
  }
  const release = (event: PointerEvent<HTMLDivElement>) => {
    if (!drag) return
    setDrag(null)
    if (drag.kind === 'draw' || drag.kind === 'choose') editor.choose(chosen)
    if (drag.kind === 'draw') editor.apply(drag.stroke)
    if (drag.kind !== 'move') return
    if (drag.right !== 0 || drag.down !== 0) shift(editor, drag.right, drag.down)
    else {
      const cell = cellOf(event)
      editor.choose({ others: [], anchor: cell, cursor: cell })
    }
  }

  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget) return
    const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
    const arrow = arrows[event.key]
    const command = event.ctrlKey || event.metaKey
    const key = event.key.toLowerCase()
    if (arrow) {
      if (event.altKey) shift(editor, arrow[0], arrow[1])
      else {
        const far = command ? 10 : 1
        const cursor = {
          x: Math.min(drawing.width - 1, Math.max(0, chosen.cursor.x + arrow[0] * far)),
          y: Math.min(drawing.height - 1, Math.max(0, chosen.cursor.y + arrow[1] * far)),
        }
        editor.choose(event.shiftKey ? { ...chosen, cursor } : { others: [], anchor: cursor, cursor })
        follow(cursor)
      }
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (tool !== 'select' && tool !== 'hand')
        editor.apply(
          { from: chosen.anchor, to: chosen.cursor },
          editor.options.shape === 'line' && chosen.others.length === 0 ? undefined : areas.length > 1 ? mask : undefined,
        )
    } else if (event.key === 'Escape') {
      if (editor.stairFrom) editor.setStairFrom(null)
      else if (tool !== 'select') editor.setTool('select')
      else editor.choose({ others: [], anchor: chosen.cursor, cursor: chosen.cursor })
    } else if (event.key === 'Delete' || event.key === 'Backspace') editor.change(so => cleared(so, mask))
    else if (event.key === '+' || event.key === '=') zoom(1.3)
    else if (event.key === '-') zoom(1 / 1.3)
    else if (event.key === '0' && !command) setSight(null)
    else if (event.key === 'Home') {
      editor.choose({ others: [], anchor: { x: 0, y: 0 }, cursor: { x: 0, y: 0 } })
      follow({ x: 0, y: 0 })
    } else if (command && key === 'a') editor.chooseArea({ x: 0, y: 0, width: drawing.width, height: drawing.height })
    else if (command && (key === 'c' || key === 'x')) {
      editor.setPiece(copied(drawing, mask))
      if (key === 'x') editor.change(so => cleared(so, mask))
    } else if (command && key === 'v') paste(editor)
    else if (command && key === 'd') {
      const piece = copied(drawing, mask)
      if (piece) paste({ ...editor, piece }, { x: piece.from.x + piece.width, y: piece.from.y })
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  const count = areas.length > 1 ? maskOf(drawing, areas).size : (areas[0]?.width ?? 0) * (areas[0]?.height ?? 0)
  const here = useMemo(() => describe(drawing, chosen.cursor), [drawing, chosen.cursor])
  const sentence = [
    t('x {{x}}, y {{y}}', { ...chosen.cursor }),
    here.kind ? t(kindLabels[here.kind]) : '',
    ...here.names,
    here.locations.length > 3 ? t('{{count}} locations', { count: here.locations.length }) : here.locations.map(one => one.code).join(', '),
    count > 1 ? t('{{count}} cells chosen', { count }) : '',
    editor.stairFrom ? t('Select the other end of the stairs') : '',
  ]
    .filter(part => part !== '')
    .join(' · ')

  return (
    <div className={style.canvas} ref={box}>
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a drawing is worked on by keys as by a pointer, which is what an application is
        tabIndex={0}
        role="application"
        aria-label={t('Drawing of the floor')}
        aria-describedby="canvas-keys"
        className={`${style.surface} ${tool === 'hand' ? style.pans : style.draws}`}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={() => setDrag(null)}
        onKeyDown={keys}
        onDoubleClick={event => {
          if (tool !== 'select') return
          const cell = cellOf(event)
          const racks = racksAt(drawing, new Set([cell.y * drawing.width + cell.x]))
          const [rack] = racks
          if (rack) editor.chooseArea(rack.box, event.ctrlKey || event.metaKey ? chosen.others : [])
        }}
      >
        <svg aria-hidden="true">
          <defs>
            <pattern id="cell-grid" width="1" height="1" patternUnits="userSpaceOnUse">
              <path className={style.gridLine} d="M1 0V1H0" strokeWidth={1 / sight.k} />
            </pattern>
          </defs>
          <g transform={`translate(${sight.x} ${sight.y}) scale(${sight.k})`}>
            <FloorLayers floor={drawing} locations={drawing.locations} detail={sight.k >= detailed} {...inSight(sight, viewport)} />
            {underlay ? (
              <image
                href={underlay.url}
                x={underlay.x}
                y={underlay.y}
                width={underlay.width}
                opacity={underlay.opacity}
                preserveAspectRatio="xMinYMin meet"
                style={{ pointerEvents: 'none' }}
              />
            ) : null}
            {sight.k >= 6 ? <rect className={style.grid} width={drawing.width} height={drawing.height} /> : null}
            <path className={style.wrong} d={wrong.map(({ x, y }) => `M${x + 0.04} ${y + 0.04}h.92v.92h-.92z`).join('')} />
            {areas.map((area, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: areas have no other key than the order in which they were chosen
              <rect key={i} className={style.chosen} x={area.x} y={area.y} width={area.width} height={area.height} />
            ))}
            <rect className={style.cursor} x={chosen.cursor.x} y={chosen.cursor.y} width={1} height={1} />
            {editor.stairFrom ? <rect className={style.ghost} x={editor.stairFrom.x} y={editor.stairFrom.y} width={1} height={1} /> : null}
            {drag ? <Ghost drag={drag} editor={editor} /> : null}
          </g>
          <g transform={`translate(${sight.x} ${sight.y})`} style={{ pointerEvents: 'none' }}>
            <FloorMarks floor={drawing} k={sight.k} />
          </g>
          {sight.k >= readable && viewport ? (
            <Codes locations={drawing.locations} width={drawing.width} sight={sight} viewport={viewport} />
          ) : null}
        </svg>
      </div>
      <div className={style.where} role="status">
        {sentence}
      </div>
      <p id="canvas-keys" hidden>
        {t(
          'Arrow keys move the cell cursor, with Shift they select more, with Alt they move what is chosen. Enter or Space uses the tool. Delete clears. Plus, minus and 0 zoom.',
        )}
      </p>
      <div className={style.zoom}>
        <ActionIcon aria-label={t('Smaller')} title={t('Smaller')} onClick={() => zoom(1 / 1.5)}>
          <IconMinus size={20} />
        </ActionIcon>
        <ActionIcon aria-label={t('Show whole floor')} title={t('Show whole floor')} onClick={() => setSight(null)}>
          <IconZoomScan size={20} />
        </ActionIcon>
        <ActionIcon aria-label={t('Larger')} title={t('Larger')} onClick={() => zoom(1.5)}>
          <IconPlus size={20} />
        </ActionIcon>
      </div>
    </div>
  )
}

function fitting({ width, height }: Drawing, viewport: { width: number; height: number } | null): Sight {
  if (!viewport) return { k: 8, x: 8, y: 8 }
  const k = Math.min(48, Math.max(least, Math.min((viewport.width - 24) / width, (viewport.height - 60) / height)))
  return { k, x: (viewport.width - width * k) / 2, y: Math.max(12, (viewport.height - 36 - height * k) / 2) }
}

/** The cells in sight, rounded to tiles. */
function inSight({ k, x, y }: Sight, viewport: { width: number; height: number } | null) {
  const tile = (value: number, snap: (value: number) => number) => snap(value / k / tileSide) * tileSide
  return {
    left: tile(-x, Math.floor),
    top: tile(-y, Math.floor),
    right: tile((viewport?.width ?? 0) - x, Math.ceil),
    bottom: tile((viewport?.height ?? 0) - y, Math.ceil),
  }
}

/** Moves what is chosen, and the choice with it. */
export function shift(editor: Editor, right: number, down: number): void {
  const after = moved(editor.drawing, editor.mask, right, down)
  if (after.right === 0 && after.down === 0) return
  editor.change(() => after.drawing)
  const along = <T extends Cell>(one: T): T => ({ ...one, x: one.x + after.right, y: one.y + after.down })
  editor.choose({ others: editor.chosen.others.map(along), anchor: along(editor.chosen.anchor), cursor: along(editor.chosen.cursor) })
}

/** Lays what was copied at the upper left cell of the choice, or at `at`. */
export function paste({ piece, areas, drawing, change, chooseArea }: Editor, at?: Cell): void {
  const box = boxOf(areas)
  if (!piece || !box) return
  const place = at ?? box
  if (place.x >= drawing.width || place.y >= drawing.height) return
  change(so => pasted(so, piece, place))
  chooseArea({
    x: place.x,
    y: place.y,
    width: Math.min(piece.width, drawing.width - place.x),
    height: Math.min(piece.height, drawing.height - place.y),
  })
}

function Ghost({ drag, editor }: { drag: Drag; editor: Editor }) {
  if (drag.kind === 'move' && (drag.right !== 0 || drag.down !== 0))
    return (
      <g transform={`translate(${drag.right} ${drag.down})`}>
        {editor.areas.map((area, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: areas have no other key than the order in which they were chosen
          <rect key={i} className={style.ghost} x={area.x} y={area.y} width={area.width} height={area.height} />
        ))}
      </g>
    )
  if (drag.kind !== 'draw') return null
  const { from, to, cells } = drag.stroke
  const single = editor.tool === 'start' || editor.tool === 'station'
  if (editor.tool === 'stairs') return <path className={style.ghost} d={`M${from.x + 0.5} ${from.y + 0.5}L${to.x + 0.5} ${to.y + 0.5}`} />
  const area: Area = single ? { ...to, width: 1, height: 1 } : areaBetween(from, to)
  if (single || editor.tool === 'zone' || editor.options.shape === 'rectangle')
    return <rect className={style.ghost} x={area.x} y={area.y} width={area.width} height={area.height} />
  const drawn = editor.options.shape === 'line' ? lineBetween(from, to) : (cells ?? [])
  return <path className={style.ghost} d={drawn.map(cell => `M${cell.x} ${cell.y}h1v1h-1z`).join('')} />
}

function describe(drawing: Drawing, cell: Cell) {
  const here = (one: Cell) => one.x === cell.x && one.y === cell.y
  return {
    kind: kindAt(drawing, cell),
    locations: drawing.locations.filter(here),
    names: [
      ...[...drawing.starts, ...drawing.stations].filter(here).map(one => one.name),
      ...drawing.zones.filter(zone => isWithin(zone, cell)).map(zone => `${zone.name} ×${number(zone.cost, 1)}`),
      ...drawing.stairs.filter(stair => here(stair.from) || here(stair.to)).map(stair => stair.name),
    ],
  }
}

/** Codes of the locations in sight: as many of a cell as fit into it. */
const Codes = memo(function Codes({
  locations,
  width,
  sight,
  viewport,
}: {
  locations: readonly Location[]
  width: number
  sight: Sight
  viewport: { width: number; height: number }
}) {
  const byCell = useMemo(() => Map.groupBy(locations, one => one.y * width + one.x), [locations, width])
  const { k, x, y } = sight
  const [left, top] = [Math.max(0, Math.floor(-x / k)), Math.max(0, Math.floor(-y / k))]
  const [right, bottom] = [Math.min(width, Math.ceil((viewport.width - x) / k)), Math.ceil((viewport.height - y) / k)]
  const texts: React.ReactNode[] = []
  for (let row = top; row < bottom; row++)
    for (let column = left; column < right; column++) {
      const some = byCell.get(row * width + column)
      if (!some) continue
      const longest = some.reduce((length, one) => Math.max(length, one.code.length), 1)
      const size = Math.min(11, (k * 1.55) / longest)
      if (size < 4.5) continue
      const lines = Math.max(1, Math.floor((k - 4) / (size * 1.15)))
      const codes =
        some.length <= lines ? some.map(one => one.code) : [...some.slice(0, lines - 1).map(one => one.code), `+${some.length - lines + 1}`]
      const middle = y + (row + 0.5) * k - ((codes.length - 1) * size * 1.15) / 2 + size * 0.36
      for (const [line, code] of codes.entries())
        texts.push(
          <text
            key={`${row} ${column} ${line}`}
            className={style.code}
            fontSize={size}
            x={x + (column + 0.5) * k}
            y={middle + line * size * 1.15}
          >
            {code}
          </text>,
        )
    }
  return <>{texts}</>
})
