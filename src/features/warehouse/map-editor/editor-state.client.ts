/** What the editor of a map knows: the drawing with its steps back, what is chosen on it, and the tool in hand. */
import { useCallback, useMemo, useState } from 'react'
import type { Drawing, Side } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { toastInfo } from '#ui/kit/toasts.ts'
import { t } from '#ui/kit/translate.ts'
import {
  type Area,
  areaBetween,
  clipped,
  directionOf,
  lineBetween,
  type Mask,
  maskOf,
  maskOfCells,
  mostOf,
  type NewLocations,
  nextName,
  type Piece,
  painted,
  withLocations,
  withRack,
  withThing,
} from './drawing-edits.rules.ts'
import { beginHistory, type History, redo, step, undo } from './undo-history.rules.ts'

export interface Cell {
  x: number
  y: number
}

export const toolNames = [
  'select',
  'hand',
  'rack',
  'aisle',
  'one_way',
  'blocked',
  'location',
  'start',
  'station',
  'zone',
  'stairs',
] as const
export type Tool = (typeof toolNames)[number]

export interface ToolOptions {
  shape: 'rectangle' | 'line' | 'free'
  direction: 'drawn' | '^' | 'v' | '<' | '>'
  /** A new rack gets locations at once. */
  rackLocations: boolean
  locations: NewLocations
}

/** The last area goes from where choosing began to the cursor. */
export interface Chosen {
  others: readonly Area[]
  anchor: Cell
  cursor: Cell
}

export interface Stroke {
  from: Cell
  to: Cell
  /** Cells of a free stroke. */
  cells?: readonly Cell[]
}

export interface Editor {
  drawing: Drawing
  history: History<Drawing>
  /** One step; changes of the same `part` in a row are one. */
  change: (to: (drawing: Drawing) => Drawing, part?: string) => void
  undo: () => void
  redo: () => void
  begin: (drawing: Drawing) => void
  chosen: Chosen
  areas: readonly Area[]
  mask: Mask
  choose: (chosen: Chosen) => void
  chooseArea: (area: Area, others?: readonly Area[]) => void
  /** Chooses a place and brings it into sight. */
  show: (area: Area) => void
  goal: { area: Area; no: number } | null
  tool: Tool
  setTool: (tool: Tool) => void
  options: ToolOptions
  setOptions: (change: Partial<ToolOptions>) => void
  piece: Piece | null
  setPiece: (piece: Piece | null) => void
  /** Where stairs begin that have no end yet. */
  stairFrom: Cell | null
  setStairFrom: (cell: Cell | null) => void
  /** Does with a stroke what the tool does. */
  apply: (stroke: Stroke, mask?: Mask) => void
}

const held = ({ width, height }: Pick<Drawing, 'width' | 'height'>, { x, y }: Cell): Cell => ({
  x: Math.min(x, width - 1),
  y: Math.min(y, height - 1),
})

export function useEditor(first: Drawing): Editor {
  const [history, setHistory] = useState(() => beginHistory(first))
  const [wanted, setChosen] = useState<Chosen>({ others: [], anchor: { x: 0, y: 0 }, cursor: { x: 0, y: 0 } })
  const [tool, setToolOnly] = useState<Tool>('select')
  const [options, setAllOptions] = useState<ToolOptions>({
    shape: 'rectangle',
    direction: 'drawn',
    rackLocations: false,
    locations: { sides: ['n', 'e', 's', 'w'] satisfies Side[], besideAisles: true, lowest: 0, levels: 1 },
  })
  const [piece, setPiece] = useState<Piece | null>(null)
  const [stairFrom, setStairFrom] = useState<Cell | null>(null)
  const [goal, setGoal] = useState<Editor['goal']>(null)
  const drawing = history.present
  const { width, height } = drawing

  // Undoing may leave a smaller grid under what was chosen on a larger one.
  const chosen = useMemo<Chosen>(
    () => ({
      others: wanted.others.flatMap(area => clipped({ width, height }, area) ?? []),
      anchor: held({ width, height }, wanted.anchor),
      cursor: held({ width, height }, wanted.cursor),
    }),
    [wanted, width, height],
  )
  const areas = useMemo(() => [...chosen.others, areaBetween(chosen.anchor, chosen.cursor)], [chosen])
  const mask = useMemo(() => maskOf({ width, height }, areas), [areas, width, height])

  const change = useCallback(
    (to: (drawing: Drawing) => Drawing, part?: string) => setHistory(so => step(so, to(so.present), part ?? null)),
    [],
  )
  const chooseArea = useCallback((area: Area, others: readonly Area[] = []) => {
    setChosen({
      others,
      anchor: { x: area.x, y: area.y },
      cursor: { x: area.x + area.width - 1, y: area.y + area.height - 1 },
    })
  }, [])

  const apply = (stroke: Stroke, chosenMask?: Mask) => {
    const { from, to } = stroke
    const area = areaBetween(from, to)
    const shaped =
      chosenMask ??
      (options.shape === 'rectangle'
        ? maskOf(drawing, [area])
        : maskOfCells(drawing, options.shape === 'line' ? lineBetween(from, to) : (stroke.cells ?? [to])))
    const paint = (kind: Parameters<typeof painted>[2]) => change(so => painted(so, shaped, kind))
    const spot = (kind: 'starts' | 'stations', word: string) => {
      if (drawing[kind].length >= mostOf[kind]) toastInfo(t('There are as many as there may be: {{most}}', { most: mostOf[kind] }))
      else change(so => withThing(so, kind, { name: nextName(so[kind], word), x: to.x, y: to.y }))
    }
    if (tool === 'rack') {
      const locations = options.rackLocations ? options.locations : null
      if (options.shape === 'rectangle' && !chosenMask) change(so => withRack(so, area, locations))
      else
        change(so => {
          const racked = painted(so, shaped, '#')
          return locations ? withLocations(racked, shaped, { ...locations, besideAisles: true }) : racked
        })
    } else if (tool === 'aisle') paint('.')
    else if (tool === 'blocked') paint('x')
    else if (tool === 'one_way') paint(options.direction === 'drawn' ? directionOf(from, to) : options.direction)
    else if (tool === 'location') {
      const after = withLocations(drawing, shaped, options.locations)
      if (after === drawing) toastInfo(t('No bin added: no free aisle on the chosen sides'))
      else change(() => after)
    } else if (tool === 'start') spot('starts', t('Start'))
    else if (tool === 'station') spot('stations', t('Station'))
    else if (tool === 'zone') {
      if (drawing.zones.length >= mostOf.zones) toastInfo(t('There are as many as there may be: {{most}}', { most: mostOf.zones }))
      else change(so => withThing(so, 'zones', { name: nextName(so.zones, t('Zone')), ...area, cost: 2 }))
    } else if (tool === 'stairs') {
      const begin = stairFrom ?? (from.x === to.x && from.y === to.y ? null : from)
      if (!begin) setStairFrom(to)
      else {
        setStairFrom(null)
        if (drawing.stairs.length >= mostOf.stairs) toastInfo(t('There are as many as there may be: {{most}}', { most: mostOf.stairs }))
        else if (begin.x !== to.x || begin.y !== to.y)
          change(so => withThing(so, 'stairs', { name: nextName(so.stairs, t('Stairs')), from: begin, to, metres: 10, one_way: false }))
      }
    }
  }

  return {
    drawing,
    history,
    change,
    undo: useCallback(() => setHistory(undo), []),
    redo: useCallback(() => setHistory(redo), []),
    begin: useCallback((next: Drawing) => setHistory(beginHistory(next)), []),
    chosen,
    areas,
    mask,
    choose: setChosen,
    chooseArea,
    show: useCallback(
      (area: Area) => {
        chooseArea(area)
        setGoal(before => ({ area, no: (before?.no ?? 0) + 1 }))
      },
      [chooseArea],
    ),
    goal,
    tool,
    setTool: useCallback((next: Tool) => {
      setToolOnly(next)
      setStairFrom(null)
    }, []),
    options,
    setOptions: useCallback((some: Partial<ToolOptions>) => setAllOptions(before => ({ ...before, ...some })), []),
    piece,
    setPiece,
    stairFrom,
    setStairFrom,
    apply,
  }
}
