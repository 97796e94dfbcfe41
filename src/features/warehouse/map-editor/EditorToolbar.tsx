/** The tools of the map editor, each with its word and its key, and what the one in hand can do. */
import { Checkbox, SegmentedControl } from '@mantine/core'
import {
  IconArrowsMove,
  IconArrowUp,
  IconBox,
  IconHandStop,
  IconHome,
  IconPlayerPlay,
  IconPointer,
  IconRoad,
  IconSquareDashed,
  IconSquareX,
  IconStairs,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useMemo } from 'react'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { type Shortcut, useShortcuts } from '#ui/kit/shortcuts.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './Editor.module.css'
import { type Editor, type Tool, type ToolOptions, toolNames } from './editor-state.client.ts'
import { NumberField, SidesField } from './fields.tsx'

/** The key is the letter of the English word, or its neighbour where that one is taken. */
const tools: Record<Tool, { word: string; key: string; icon: ComponentType<{ size: number }> }> = {
  select: { word: 'Select', key: 'v', icon: IconPointer },
  hand: { word: 'Hand', key: 'h', icon: IconHandStop },
  rack: { word: 'Rack', key: 'r', icon: IconArrowsMove },
  aisle: { word: 'Aisle', key: 'a', icon: IconRoad },
  one_way: { word: 'One-way', key: 'o', icon: IconArrowUp },
  blocked: { word: 'Blocked', key: 'b', icon: IconSquareX },
  location: { word: 'Location', key: 'l', icon: IconBox },
  start: { word: 'Start', key: 's', icon: IconPlayerPlay },
  station: { word: 'Station', key: 'p', icon: IconHome },
  zone: { word: 'Zone', key: 'z', icon: IconSquareDashed },
  stairs: { word: 'Stairs', key: 't', icon: IconStairs },
}

const paints: readonly Tool[] = ['rack', 'aisle', 'one_way', 'blocked', 'location']

export function EditorToolbar({ editor }: { editor: Editor }) {
  const t = useT()
  const { tool, setTool } = editor
  useShortcuts(
    useMemo<Shortcut[]>(
      () =>
        toolNames.map(name => ({
          keys: tools[name].key,
          does: t('Tool: {{tool}}', { tool: t(tools[name].word) }),
          run: () => setTool(name),
        })),
      [t, setTool],
    ),
  )
  return (
    <div className={style.tools}>
      <div className={style.toolbar} role="toolbar" aria-label={t('Tools')}>
        {toolNames.map(name => {
          const { word, key, icon: Icon } = tools[name]
          return (
            <button
              key={name}
              type="button"
              aria-pressed={tool === name}
              aria-keyshortcuts={key}
              title={`${t(word)} (${key.toUpperCase()})`}
              className={style.tool}
              onClick={() => setTool(name)}
            >
              <Icon size={16} />
              {t(word)}
            </button>
          )
        })}
      </div>
      <Options editor={editor} />
    </div>
  )
}

function Options({ editor }: { editor: Editor }) {
  const t = useT()
  const { tool, options, setOptions } = editor
  return (
    <div className={style.options}>
      {paints.includes(tool) ? (
        <SegmentedControl
          size="xs"
          aria-label={t('Shape')}
          value={options.shape}
          onChange={shape => setOptions({ shape: shape })}
          data={[
            { value: 'rectangle', label: t('Rectangle') },
            { value: 'line', label: t('Line') },
            { value: 'free', label: t('Cell by cell') },
          ]}
        />
      ) : null}
      {tool === 'one_way' ? (
        <NativeChoice
          size="xs"
          aria-label={t('Direction')}
          value={options.direction}
          choose={direction => setOptions({ direction })}
          data={[
            { value: 'drawn', label: t('As it is drawn') },
            { value: '^', label: t('One-way up') },
            { value: '>', label: t('One-way right') },
            { value: 'v', label: t('One-way down') },
            { value: '<', label: t('One-way left') },
          ]}
        />
      ) : null}
      {tool === 'rack' ? (
        <Checkbox
          size="xs"
          radius="xs"
          label={t('With locations')}
          checked={options.rackLocations}
          onChange={event => setOptions({ rackLocations: event.currentTarget.checked })}
        />
      ) : null}
      {tool === 'location' || (tool === 'rack' && options.rackLocations) ? <LocationOptions editor={editor} /> : null}
      {tool === 'select' ? t('Drag to select, drag what is chosen to move it. Double-click chooses a whole rack, Ctrl adds.') : null}
      {tool === 'hand' ? t('Drag to move the sheet. The wheel zooms.') : null}
      {tool === 'start' ? t('Click where wagons start. The first start counts.') : null}
      {tool === 'station' ? t('Click where wagons end. The first station counts.') : null}
      {tool === 'zone' ? t('Drag over cells in which walking takes longer.') : null}
      {tool === 'stairs'
        ? editor.stairFrom
          ? t('Select the other end of the stairs')
          : t('Click one end of stairs, a ramp or a lift, then the other.')
        : null}
    </div>
  )
}

export function LocationOptions({ editor }: { editor: Editor }) {
  const t = useT()
  const { locations } = editor.options
  const set = (change: Partial<ToolOptions['locations']>) => editor.setOptions({ locations: { ...locations, ...change } })
  return (
    <>
      <SidesField value={locations.sides} set={sides => set({ sides })} />
      <Checkbox
        size="xs"
        radius="xs"
        label={t('only beside aisles')}
        checked={locations.besideAisles}
        onChange={event => set({ besideAisles: event.currentTarget.checked })}
      />
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the field is inside */}
      <label>
        {t('Levels')}
        <NumberField
          label=""
          aria-label={t('Levels')}
          w={56}
          min={1}
          max={21 - locations.lowest}
          value={locations.levels}
          set={levels => set({ levels })}
        />
      </label>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the field is inside */}
      <label>
        {t('from level')}
        <NumberField
          label=""
          aria-label={t('from level')}
          w={56}
          min={0}
          max={20}
          value={locations.lowest}
          set={lowest => set({ lowest, levels: Math.min(locations.levels, 21 - lowest) })}
        />
      </label>
    </>
  )
}
