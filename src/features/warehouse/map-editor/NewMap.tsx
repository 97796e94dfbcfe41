/** A new map: from nothing, or from the rectangular warehouse that most are. */
import { Button, Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { drawingLimits } from '#features/warehouse/warehouse-maps/drawing.codes.ts'
import { FloorPlan } from '#features/warehouse/warehouse-maps/FloorPlan.tsx'
import { warehouseMaps } from '#features/warehouse/warehouse-maps/warehouse-maps.contract.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { number } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { useSend } from '#ui/query/calls.ts'
import style from './Editor.module.css'
import { NumberField } from './fields.tsx'
import { emptyFloor, rectangular, type Template, templateFits, templateLocations, templateSize } from './template.rules.ts'

export function NewMap({ close }: { close: () => void }) {
  const t = useT()
  const go = useNavigate()
  const [title, setTitle] = useState(t('Warehouse'))
  const [from, setFrom] = useState<'template' | 'nothing'>('template')
  const [size, setSize] = useState({ width: 40, height: 30, cell_mm: 1_000 })
  const [template, setTemplate] = useState<Template>(() => ({
    aisles: 6,
    bays: 20,
    levels: 3,
    crossAisles: 1,
    aisleWidth: 1,
    oneWay: false,
    cell_mm: 1_000,
    aisleNames: 'letters',
    bayNumbers: 'odd_even',
    separator: '-',
    startName: t('Start'),
    stationName: t('Packing'),
  }))
  const set = (change: Partial<Template>) => setTemplate({ ...template, ...change })
  const fits = from === 'nothing' || templateFits(template)
  const drawing = useMemo(
    () => (from === 'nothing' ? emptyFloor(size.width, size.height, size.cell_mm) : templateFits(template) ? rectangular(template) : null),
    [from, size, template],
  )
  const create = useSend(warehouseMaps.create, {
    refreshes: [warehouseMaps.search],
    said: t('Map created'),
    done: map => go('/settings/warehouse-map/edit', { id: map.map_id }),
  })
  const codes = drawing?.locations ?? []
  const { width, height } = from === 'nothing' ? size : templateSize(template)
  return (
    <Dialog opened onClose={close} size="xl" title={t('New map')}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (drawing && title.trim() !== '') create.mutate({ body: { title: title.trim(), drawing } })
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t('Title of the map')}
            value={title}
            maxLength={120}
            error={title.trim() === '' ? t('A map needs a title') : null}
            onChange={event => setTitle(event.currentTarget.value)}
            data-autofocus
          />
          <SegmentedControl
            value={from}
            onChange={value => setFrom(value)}
            data={[
              { value: 'template', label: t('Parallel aisles') },
              { value: 'nothing', label: t('An empty floor') },
            ]}
          />
          {from === 'nothing' ? (
            <div className={`${style.fields} ${style.wide}`}>
              <NumberField
                size="sm"
                label={t('Width')}
                min={2}
                max={drawingLimits.side}
                value={size.width}
                set={value => setSize({ ...size, width: value })}
              />
              <NumberField
                size="sm"
                label={t('Height')}
                min={2}
                max={drawingLimits.side}
                value={size.height}
                set={value => setSize({ ...size, height: value })}
              />
              <NumberField
                size="sm"
                label={t('Cell, mm')}
                min={100}
                max={10_000}
                step={50}
                value={size.cell_mm}
                set={cell_mm => setSize({ ...size, cell_mm })}
              />
            </div>
          ) : (
            <>
              <div className={`${style.fields} ${style.wide}`}>
                <NumberField size="sm" label={t('Aisles')} min={1} max={130} value={template.aisles} set={aisles => set({ aisles })} />
                <NumberField
                  size="sm"
                  label={t('Bays per side')}
                  min={2}
                  max={390}
                  value={template.bays}
                  set={bays => set({ bays, crossAisles: Math.min(template.crossAisles, bays - 1) })}
                />
                <NumberField size="sm" label={t('Levels')} min={1} max={20} value={template.levels} set={levels => set({ levels })} />
                <NumberField
                  size="sm"
                  label={t('Ways across')}
                  min={0}
                  max={Math.min(20, template.bays - 1)}
                  value={template.crossAisles}
                  set={crossAisles => set({ crossAisles })}
                />
                <NumberField
                  size="sm"
                  label={t('Aisle, cells')}
                  min={1}
                  max={6}
                  value={template.aisleWidth}
                  set={aisleWidth => set({ aisleWidth })}
                />
                <NumberField
                  size="sm"
                  label={t('Cell, mm')}
                  min={100}
                  max={10_000}
                  step={50}
                  value={template.cell_mm}
                  set={cell_mm => set({ cell_mm })}
                />
                <NativeChoice
                  label={t('Aisle names')}
                  value={template.aisleNames}
                  choose={aisleNames => set({ aisleNames })}
                  data={[
                    { value: 'letters', label: 'A, B, C' },
                    { value: 'numbers', label: '1, 2, 3' },
                  ]}
                />
                <TextInput
                  label={t('Between them')}
                  value={template.separator}
                  maxLength={3}
                  onChange={event => set({ separator: event.currentTarget.value })}
                />
              </div>
              <Group gap="lg">
                <NativeChoice
                  aria-label={t('Bay numbers')}
                  value={template.bayNumbers}
                  choose={bayNumbers => set({ bayNumbers })}
                  data={[
                    { value: 'odd_even', label: t('Odd bays on the left, even ones on the right') },
                    { value: 'up_and_down', label: t('Up the left side, back down the right side') },
                  ]}
                />
                <Checkbox
                  size="sm"
                  label={t('Aisles are one-way, up and down in turn')}
                  checked={template.oneWay}
                  onChange={event => set({ oneWay: event.currentTarget.checked })}
                />
              </Group>
            </>
          )}
          {drawing ? (
            <>
              <FloorPlan floor={drawing} locations={codes} label={t('Preview of the new map')} height="17rem" />
              <Text size="sm" c="dimmed">
                {t('{{width}} × {{height}} cells', { width, height })} · {t('{{count}} locations', { count: codes.length })}
                {codes.length > 0 ? ` · ${codes[0]?.code} … ${codes.at(-1)?.code}` : ''}
              </Text>
            </>
          ) : (
            <Text c="brick" role="alert">
              {t('That is too large: at most {{side}} × {{side}} cells and {{locations}} locations', {
                side: drawingLimits.side,
                locations: number(drawingLimits.locations),
              })}{' '}
              ({number(width)} × {number(height)}, {number(templateLocations(template))})
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              loading={create.isPending}
              {...disabledBecause(title.trim() === '' ? t('Enter a name first') : !fits && t('Every field needs a number that fits'))}
            >
              {t('Create map')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
