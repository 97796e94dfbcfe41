/** The map as a whole: its title and size, what stands on it, and a picture to trace. */
import { Button, FileButton, Slider, TextInput } from '@mantine/core'
import { drawingLimits } from '#features/warehouse/warehouse-maps/drawing.codes.ts'
import { number } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { resized } from './drawing-edits.rules.ts'
import style from './Editor.module.css'
import type { Editor } from './editor-state.client.ts'
import { NumberField } from './fields.tsx'
import type { Underlay } from './MapCanvas.tsx'
import { Places } from './SelectionPanel.tsx'

interface MapPanelProps {
  editor: Editor
  title: string
  setTitle: (title: string) => void
  underlay: Underlay | null
  setUnderlay: (underlay: Underlay | null) => void
}

export function MapPanel({ editor, title, setTitle, underlay, setUnderlay }: MapPanelProps) {
  const t = useT()
  const { drawing, change } = editor
  const metres = (cells: number) => number((cells * drawing.cell_mm) / 1_000, 1)
  const none = drawing.starts.length + drawing.stations.length + drawing.zones.length + drawing.stairs.length === 0
  return (
    <>
      <section className={style.part}>
        <TextInput
          label={t('Title of the map')}
          value={title}
          maxLength={120}
          error={title.trim() === '' ? t('A map needs a title') : null}
          onChange={event => setTitle(event.currentTarget.value)}
        />
        <div className={style.fields}>
          <NumberField
            label={t('Width')}
            min={2}
            max={drawingLimits.side}
            value={drawing.width}
            set={width => change(so => resized(so, width, so.height), 'width')}
          />
          <NumberField
            label={t('Height')}
            min={2}
            max={drawingLimits.side}
            value={drawing.height}
            set={height => change(so => resized(so, so.width, height), 'height')}
          />
          <NumberField
            label={t('Cell, mm')}
            style={{ gridColumn: 'span 2' }}
            min={100}
            max={10_000}
            step={50}
            value={drawing.cell_mm}
            set={cell_mm => change(so => ({ ...so, cell_mm }), 'cell_mm')}
          />
        </div>
        <span className={style.dim}>
          {t('{{width}} × {{height}} m', { width: metres(drawing.width), height: metres(drawing.height) })} ·{' '}
          {t('{{count}} locations', { count: drawing.locations.length })}
        </span>
      </section>
      <section className={style.part}>
        <h3>{t('Starts, stations, zones and stairs')}</h3>
        {none ? <span className={style.dim}>{t('None yet. The tools above draw them.')}</span> : <Places editor={editor} />}
      </section>
      <section className={style.part}>
        <h3>{t('Picture to trace')}</h3>
        {underlay ? (
          <>
            <div className={style.fields}>
              <NumberField label={t('x')} min={-400} max={400} value={underlay.x} set={x => setUnderlay({ ...underlay, x })} />
              <NumberField label={t('y')} min={-400} max={400} value={underlay.y} set={y => setUnderlay({ ...underlay, y })} />
              <NumberField
                label={t('Width')}
                style={{ gridColumn: 'span 2' }}
                min={1}
                max={2_000}
                value={underlay.width}
                set={width => setUnderlay({ ...underlay, width })}
              />
            </div>
            <Slider
              aria-label={t('How strong')}
              label={null}
              min={0.1}
              max={1}
              step={0.05}
              value={underlay.opacity}
              onChange={opacity => setUnderlay({ ...underlay, opacity })}
            />
            <Button size="compact-sm" variant="default" onClick={() => setUnderlay(null)}>
              {t('Remove picture')}
            </Button>
          </>
        ) : (
          <>
            <FileButton
              accept="image/*"
              onChange={file => file && setUnderlay({ url: URL.createObjectURL(file), x: 0, y: 0, width: drawing.width, opacity: 0.45 })}
            >
              {props => (
                <Button {...props} size="compact-sm" variant="default">
                  {t('Select a picture')}
                </Button>
              )}
            </FileButton>
            <span className={style.dim}>{t('It lies over the floor while you draw. It stays in this browser and is not saved.')}</span>
          </>
        )}
      </section>
    </>
  )
}
