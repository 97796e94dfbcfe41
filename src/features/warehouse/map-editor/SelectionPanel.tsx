/** What is chosen on the map, in numbers and with everything that can be done to it: nothing here needs a drag. */
import { ActionIcon, Button, Checkbox, Group, Menu, NumberInput, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowLeft, IconArrowRight, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { drawingLimits, sides } from '#features/warehouse/warehouse-maps/drawing.codes.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { toastInfo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import {
  aligned,
  boxOf,
  changedThing,
  cleared,
  copied,
  distributed,
  type Edge,
  inserted,
  isWithin,
  type Kind,
  mirrored,
  painted,
  racksAt,
  removed,
  withLocations,
  withoutThing,
} from './drawing-edits.rules.ts'
import style from './Editor.module.css'
import { LocationOptions } from './EditorToolbar.tsx'
import type { Editor } from './editor-state.client.ts'
import { NumberField } from './fields.tsx'
import { paste, shift } from './MapCanvas.tsx'
import { kindLabels, sideArrows, sideLabels } from './map.labels.ts'

const oneWays: [Kind, typeof IconArrowUp][] = [
  ['<', IconArrowLeft],
  ['>', IconArrowRight],
  ['^', IconArrowUp],
  ['v', IconArrowDown],
]

/** More than so many things are counted, not listed. */
const listed = 12

export function SelectionPanel({ editor, nameThem }: { editor: Editor; nameThem: () => void }) {
  const t = useT()
  const { drawing, areas, mask, change, chosen } = editor
  const box = boxOf(areas) ?? { x: 0, y: 0, width: 1, height: 1 }
  const inMask = (one: { x: number; y: number }) => mask.has(one.y * drawing.width + one.x)
  const locations = drawing.locations.flatMap((one, index) => (inMask(one) ? [{ one, index }] : []))
  const set = (part: Partial<typeof box>) => editor.chooseArea({ ...box, ...part })
  return (
    <>
      <section className={style.part}>
        <h3>{t('{{count}} cells chosen', { count: mask.size })}</h3>
        <div className={style.fields}>
          <NumberField label={t('x')} min={0} max={drawing.width - box.width} value={box.x} set={x => set({ x })} />
          <NumberField label={t('y')} min={0} max={drawing.height - box.height} value={box.y} set={y => set({ y })} />
          <NumberField label={t('Width')} min={1} max={drawing.width - box.x} value={box.width} set={width => set({ width })} />
          <NumberField label={t('Height')} min={1} max={drawing.height - box.y} value={box.height} set={height => set({ height })} />
        </div>
        <div className={style.actions}>
          {(['#', '.', 'x'] as const).map(kind => (
            <Button key={kind} size="compact-sm" variant="default" onClick={() => change(so => painted(so, mask, kind))}>
              {t(kindLabels[kind])}
            </Button>
          ))}
          {oneWays.map(([kind, Icon]) => (
            <ActionIcon
              key={kind}
              size={24}
              variant="default"
              aria-label={t(kindLabels[kind])}
              title={t(kindLabels[kind])}
              onClick={() => change(so => painted(so, mask, kind))}
            >
              <Icon size={16} />
            </ActionIcon>
          ))}
        </div>
      </section>

      <section className={style.part}>
        <h3>{t('Locations')}</h3>
        <div className={style.options}>
          <LocationOptions editor={editor} />
        </div>
        <div className={style.actions}>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              const after = withLocations(drawing, mask, editor.options.locations)
              if (after === drawing) toastInfo(t('No bin added: no free aisle on the chosen sides'))
              else change(() => after)
            }}
          >
            {t('Add locations')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            {...disabledBecause(locations.length === 0 && t('Select a location first'))}
            onClick={nameThem}
          >
            {t('Name {{count}} locations', { count: locations.length })}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            {...disabledBecause(locations.length === 0 && t('Select a location first'))}
            onClick={() => change(so => ({ ...so, locations: so.locations.filter(one => !inMask(one)) }))}
          >
            {t('Remove locations')}
          </Button>
        </div>
        {locations.length > listed ? (
          <span className={style.dim}>{t('{{count}} locations', { count: locations.length })}</span>
        ) : (
          locations.map(({ one, index }) => <LocationFields key={index} editor={editor} index={index} location={one} />)
        )}
      </section>

      <section className={style.part}>
        <h3>{t('What is chosen')}</h3>
        <div className={style.actions}>
          <Button size="compact-sm" variant="default" onClick={() => editor.setPiece(copied(drawing, mask))}>
            {t('Copy')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              editor.setPiece(copied(drawing, mask))
              change(so => cleared(so, mask))
            }}
          >
            {t('Cut')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            {...disabledBecause(!editor.piece && t('Copy something first'))}
            onClick={() => paste(editor)}
          >
            {t('Paste here')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => change(so => mirrored(so, mask, 'horizontal'))}>
            {t('Mirror left and right')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => change(so => mirrored(so, mask, 'vertical'))}>
            {t('Mirror top and bottom')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => change(so => cleared(so, mask))}>
            {t('Clear')}
          </Button>
        </div>
        <MoveFields editor={editor} />
        <Aligning editor={editor} />
      </section>

      <Here editor={editor} inMask={inMask} />

      <section className={style.part}>
        <h3>{t('Rows and columns')}</h3>
        <Group gap={8}>
          {(['y', 'x'] as const).map(axis => {
            const size = axis === 'y' ? box.height : box.width
            return (
              <Menu key={axis} position="bottom-start">
                <Menu.Target>
                  <Button size="compact-sm" variant="default">
                    {axis === 'y' ? t('{{count}} rows', { count: size }) : t('{{count}} columns', { count: size })}
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item
                    {...disabledBecause(
                      drawing[axis === 'y' ? 'height' : 'width'] >= drawingLimits.side && t('The map is as large as it may be'),
                    )}
                    onClick={() => change(so => inserted(so, axis, box[axis], size))}
                  >
                    {axis === 'y' ? t('Insert above') : t('Insert to the left')}
                  </Menu.Item>
                  <Menu.Item
                    {...disabledBecause(
                      drawing[axis === 'y' ? 'height' : 'width'] >= drawingLimits.side && t('The map is as large as it may be'),
                    )}
                    onClick={() => change(so => inserted(so, axis, box[axis] + size, size))}
                  >
                    {axis === 'y' ? t('Insert below') : t('Insert to the right')}
                  </Menu.Item>
                  <Menu.Item color="brick" onClick={() => change(so => removed(so, axis, box[axis], size))}>
                    {axis === 'y' ? t('Remove rows') : t('Remove columns')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )
          })}
        </Group>
        <span className={style.dim}>{t('Cursor at x {{x}}, y {{y}}', { ...chosen.cursor })}</span>
      </section>
    </>
  )
}

function MoveFields({ editor }: { editor: Editor }) {
  const t = useT()
  const [by, setBy] = useState(1)
  return (
    <Group gap={8} align="end">
      <NumberField label={t('Move by')} w={72} min={1} max={drawingLimits.side} value={by} set={setBy} />
      {(
        [
          ['To the left', -by, 0, IconArrowLeft],
          ['To the right', by, 0, IconArrowRight],
          ['Up', 0, -by, IconArrowUp],
          ['Down', 0, by, IconArrowDown],
        ] as const
      ).map(([word, right, down, Icon]) => (
        <ActionIcon key={word} variant="default" aria-label={t(word)} title={t(word)} onClick={() => shift(editor, right, down)}>
          <Icon size={16} />
        </ActionIcon>
      ))}
    </Group>
  )
}

function Aligning({ editor }: { editor: Editor }) {
  const t = useT()
  const { drawing, mask, areas } = editor
  // A choice over the whole of a large map would flood it again and again.
  const racks = areas.length > 1 || mask.size > 1 ? racksAt(drawing, mask) : []
  if (racks.length < 2) return null
  const put = (after: typeof drawing | null) => {
    if (after === null) toastInfo(t('No space: the racks would overlap'))
    else editor.change(() => after)
  }
  const edges: [Edge, string][] = [
    ['left', 'Align left'],
    ['right', 'Align right'],
    ['top', 'Align tops'],
    ['bottom', 'Align bottoms'],
  ]
  return (
    <div className={style.part}>
      <span className={style.dim}>{t('{{count}} racks', { count: racks.length })}</span>
      <div className={style.actions}>
        {edges.map(([edge, word]) => (
          <Button key={edge} size="compact-xs" variant="default" onClick={() => put(aligned(drawing, racks, edge))}>
            {t(word)}
          </Button>
        ))}
        {racks.length > 2 ? (
          <>
            <Button size="compact-xs" variant="default" onClick={() => put(distributed(drawing, racks, 'horizontal'))}>
              {t('Equal gaps across')}
            </Button>
            <Button size="compact-xs" variant="default" onClick={() => put(distributed(drawing, racks, 'vertical'))}>
              {t('Equal gaps down')}
            </Button>
          </>
        ) : null}
      </div>
    </div>
  )
}

function LocationFields({ editor, index, location }: { editor: Editor; index: number; location: Editor['drawing']['locations'][number] }) {
  const t = useT()
  const set = (change: Partial<typeof location>) =>
    editor.change(so => changedThing(so, 'locations', index, change), `location ${index} ${Object.keys(change).join()}`)
  return (
    <div className={style.thing}>
      <header>
        <TextField label={t('Code')} value={location.code} max={40} set={code => set({ code })} />
        <ActionIcon
          aria-label={t('Remove {{name}}', { name: location.code })}
          onClick={() => editor.change(so => withoutThing(so, 'locations', index))}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </header>
      <div className={style.fields}>
        <NumberField label={t('x')} min={0} max={editor.drawing.width - 1} value={location.x} set={x => set({ x })} />
        <NumberField label={t('y')} min={0} max={editor.drawing.height - 1} value={location.y} set={y => set({ y })} />
        <NativeChoice
          size="xs"
          label={t('Side')}
          value={location.side}
          choose={side => set({ side })}
          data={sides.map(side => ({ value: side, label: `${sideArrows[side]} ${t(sideLabels[side])}` }))}
        />
        <NumberField label={t('Level')} min={0} max={20} value={location.level} set={level => set({ level })} />
      </div>
    </div>
  )
}

/** A name may not be empty: what is typed counts when there is something. */
function TextField({ label, value, max, set }: { label: string; value: string; max: number; set: (text: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextInput
      size="xs"
      aria-label={label}
      maxLength={max}
      value={typed ?? value}
      onChange={event => {
        const text = event.currentTarget.value
        setTyped(text)
        if (text.trim() !== '') set(text.trim())
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

/** Starts, stations, zones and stairs that touch the choice. */
function Here({ editor, inMask }: { editor: Editor; inMask: (one: { x: number; y: number }) => boolean }) {
  const t = useT()
  const { drawing, areas } = editor
  const touches = (zone: { x: number; y: number; width: number; height: number }) =>
    areas.some(
      area =>
        isWithin(zone, area) ||
        isWithin(area, zone) ||
        (area.x < zone.x + zone.width && zone.x < area.x + area.width && area.y < zone.y + zone.height && zone.y < area.y + area.height),
    )
  const indices = {
    starts: drawing.starts.flatMap((one, i) => (inMask(one) ? [i] : [])),
    stations: drawing.stations.flatMap((one, i) => (inMask(one) ? [i] : [])),
    zones: drawing.zones.flatMap((one, i) => (touches(one) ? [i] : [])),
    stairs: drawing.stairs.flatMap((one, i) => (inMask(one.from) || inMask(one.to) ? [i] : [])),
  }
  if (Object.values(indices).every(some => some.length === 0)) return null
  return (
    <section className={style.part}>
      <h3>{t('Here')}</h3>
      <Places editor={editor} indices={indices} />
    </section>
  )
}

const places = ['starts', 'stations', 'zones', 'stairs'] as const

/** Fields of starts, stations, zones and stairs: all of them, or those of `indices`. */
export function Places({ editor, indices }: { editor: Editor; indices?: Record<(typeof places)[number], readonly number[]> }) {
  const t = useT()
  const { drawing, change } = editor
  const shown = (kind: (typeof places)[number]) => indices?.[kind] ?? drawing[kind].map((_, i) => i)
  const coordinate = (label: string, value: number, size: number, set: (value: number) => void) => (
    <NumberField label={label} min={0} max={size - 1} value={value} set={set} />
  )
  const frame = (kind: (typeof places)[number], i: number, word: string, fields: React.ReactNode) => {
    const thing = drawing[kind][i]
    if (!thing) return null
    return (
      <div key={`${kind} ${i}`} className={style.thing}>
        <header>
          <TextField
            label={t(word)}
            value={thing.name}
            max={60}
            set={name => change(so => changedThing(so, kind, i, { name }), `${kind} ${i} name`)}
          />
          <span className={style.dim}>{t(word)}</span>
          <ActionIcon aria-label={t('Remove {{name}}', { name: thing.name })} onClick={() => change(so => withoutThing(so, kind, i))}>
            <IconTrash size={16} />
          </ActionIcon>
        </header>
        <div className={style.fields}>{fields}</div>
      </div>
    )
  }
  return (
    <>
      {(['starts', 'stations'] as const).flatMap(kind =>
        shown(kind).map(i => {
          const spot = drawing[kind][i]
          if (!spot) return null
          const set = (to: Partial<typeof spot>) => change(so => changedThing(so, kind, i, to), `${kind} ${i} ${Object.keys(to).join()}`)
          return frame(
            kind,
            i,
            kind === 'starts' ? 'Start' : 'Station',
            <>
              {coordinate(t('x'), spot.x, drawing.width, x => set({ x }))}
              {coordinate(t('y'), spot.y, drawing.height, y => set({ y }))}
            </>,
          )
        }),
      )}
      {shown('zones').map(i => {
        const zone = drawing.zones[i]
        if (!zone) return null
        const set = (to: Partial<typeof zone>) => change(so => changedThing(so, 'zones', i, to), `zones ${i} ${Object.keys(to).join()}`)
        return frame(
          'zones',
          i,
          'Zone',
          <>
            {coordinate(t('x'), zone.x, drawing.width, x => set({ x }))}
            {coordinate(t('y'), zone.y, drawing.height, y => set({ y }))}
            <NumberField label={t('Width')} min={1} max={drawing.width - zone.x} value={zone.width} set={width => set({ width })} />
            <NumberField label={t('Height')} min={1} max={drawing.height - zone.y} value={zone.height} set={height => set({ height })} />
            <NumberInput
              size="xs"
              style={{ gridColumn: 'span 2' }}
              label={t('Slower by, times')}
              min={1}
              max={20}
              step={0.5}
              decimalScale={2}
              value={zone.cost}
              onChange={cost => typeof cost === 'number' && cost >= 1 && cost <= 20 && set({ cost })}
            />
          </>,
        )
      })}
      {shown('stairs').map(i => {
        const stair = drawing.stairs[i]
        if (!stair) return null
        const set = (to: Partial<typeof stair>) => change(so => changedThing(so, 'stairs', i, to), `stairs ${i} ${Object.keys(to).join()}`)
        return frame(
          'stairs',
          i,
          'Stairs',
          <>
            {coordinate(t('from x'), stair.from.x, drawing.width, x => set({ from: { ...stair.from, x } }))}
            {coordinate(t('from y'), stair.from.y, drawing.height, y => set({ from: { ...stair.from, y } }))}
            {coordinate(t('to x'), stair.to.x, drawing.width, x => set({ to: { ...stair.to, x } }))}
            {coordinate(t('to y'), stair.to.y, drawing.height, y => set({ to: { ...stair.to, y } }))}
            <NumberInput
              size="xs"
              style={{ gridColumn: 'span 2' }}
              label={t('As far as, metres')}
              min={0}
              max={1_000}
              decimalScale={1}
              value={stair.metres}
              onChange={metres => typeof metres === 'number' && metres >= 0 && metres <= 1_000 && set({ metres })}
            />
            <Checkbox
              size="xs"
              radius="xs"
              style={{ gridColumn: 'span 2' }}
              label={t('Only this way')}
              checked={stair.one_way}
              onChange={event => set({ one_way: event.currentTarget.checked })}
            />
          </>,
        )
      })}
    </>
  )
}
