/** Wagon types: rows and columns of slots, their colours, and what they may hold. */
import { Alert, Button, Group, NativeSelect, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { isOneOf } from '#domain/objects.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { number, weight } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import style from './PickLists.module.css'
import { colourWord, SlotNumber } from './pick-list.labels.tsx'
import { coloursOfRows, slotColours, wagonSides } from './pick-lists.codes.ts'
import { pickLists } from './pick-lists.contract.ts'
import { type WagonSlot, WagonType, WagonTypeFields } from './pick-lists.schemas.ts'

export function WagonTypes() {
  const config = useCall(pickLists.config, {}, { live: ['wagon_type'] })
  return (
    <QueryState of={config} shape="form">
      {answer => <Types types={answer.wagon_types} />}
    </QueryState>
  )
}

const slotsOf = (rows: number, columns: number): WagonSlot[] =>
  Array.from({ length: rows * columns }, (_, i) => ({
    colour: coloursOfRows[Math.floor(i / columns)] ?? null,
    max_weight_g: null,
    max_volume_ml: null,
  }))

type Fields = { name: string; rows: number; columns: number; slots: WagonSlot[]; max_weight_g: number | null; active: boolean }

function Types({ types }: { types: readonly WagonType[] }) {
  const t = useT()
  const may = useIsAllowed(pickLists.createWagonType.access)
  const [chosen, choose] = useState<number | 'new'>(types[0]?.id ?? 'new')
  const type = types.find(one => one.id === chosen)
  return (
    <div className={style.types}>
      <div className={style.typeList}>
        {types.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('Until you make a wagon of your own, lists use one of 4 rows with 3 slots each.')}
          </Text>
        ) : null}
        {types.map(one => (
          <button
            key={one.id}
            type="button"
            className={style.type}
            aria-current={one.id === chosen}
            onClick={() => choose(one.id ?? 'new')}
          >
            <strong>{one.name}</strong>
            <span className={style.dim}>
              {number(one.rows)} × {number(one.columns)}
              {one.active ? '' : ` · ${t('not used')}`}
            </span>
          </button>
        ))}
        {may ? (
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => choose('new')}>
            {t('New wagon')}
          </Button>
        ) : null}
      </div>
      {type ? (
        <TypeForm key={`${type.id} ${type.version}`} type={type} may={may} gone={() => choose('new')} />
      ) : may ? (
        <TypeForm key="new" type={null} may={may} made={choose} />
      ) : null}
    </div>
  )
}

const fieldsOf = (type: WagonType | null): Fields =>
  type
    ? { name: type.name, rows: type.rows, columns: type.columns, slots: type.slots, max_weight_g: type.max_weight_g, active: type.active }
    : { name: '', rows: 4, columns: 3, slots: slotsOf(4, 3), max_weight_g: null, active: true }

function TypeForm({ type, may, gone, made }: { type: WagonType | null; may: boolean; gone?: () => void; made?: (id: number) => void }) {
  const t = useT()
  const edit = useEdit({
    schema: WagonTypeFields,
    initial: fieldsOf(type),
    save: body =>
      type
        ? send(pickLists.updateWagonType, { id: type.id ?? 0, body: { ...body, version: type.version } })
        : send(pickLists.createWagonType, { body }),
    refreshes: [pickLists.config],
    said: t('Wagon saved'),
    done: answer => made?.(answer.id ?? 0),
    conflict: { schema: WagonType, values: fieldsOf },
  })
  const remove = useSend(pickLists.deleteWagonType, {
    refreshes: [pickLists.config],
    said: t('Wagon deleted'),
    ...(gone ? { done: gone } : {}),
  })
  const [slot, chooseSlot] = useState(0)
  const { rows, columns, slots } = edit.values
  const resize = (newRows: number, newColumns: number) => {
    const next = slotsOf(newRows, newColumns).map((fresh, i) => {
      const [row, column] = [Math.floor(i / newColumns), i % newColumns]
      return row < rows && column < columns ? (slots[row * columns + column] ?? fresh) : fresh
    })
    edit.form.setValues({ rows: newRows, columns: newColumns, slots: next })
    chooseSlot(0)
  }
  const change = (which: (index: number) => boolean, some: Partial<WagonSlot>) =>
    edit.form.setFieldValue(
      'slots',
      slots.map((one, i) => (which(i) ? { ...one, ...some } : one)),
    )
  const askToRemove = async () => {
    if (!type?.id) return
    const sure = await confirm({
      title: t('Delete the wagon {{name}}?', { name: type.name }),
      body: t('Lists that use it keep their own copy.'),
      action: t('Delete wagon'),
      danger: true,
    })
    if (sure) remove.mutate({ id: type.id })
  }
  const here = slots[slot]
  const row = Math.floor(slot / columns)
  return (
    <Form
      edit={edit}
      action={type ? t('Save wagon') : t('Create wagon')}
      beside={
        type && may ? (
          <Button variant="subtle" color="brick" leftSection={<IconTrash size={16} />} onClick={() => void askToRemove()}>
            {t('Delete')}
          </Button>
        ) : null
      }
    >
      {may ? null : <Alert color="gray">{t('You do not have permission to edit wagons. Ask a lead.')}</Alert>}
      <TextInput
        label={t('Name')}
        {...disabledBecause(!may && t('You do not have permission to edit wagons. Ask a lead.'))}
        {...edit.of('name')}
      />
      <div className={style.pair}>
        <WholeNumberInput
          label={t('Rows of slots')}
          min={1}
          max={wagonSides.rows}
          {...disabledBecause(!may && t('You do not have permission to edit wagons. Ask a lead.'))}
          value={rows}
          onChange={value => typeof value === 'number' && value >= 1 && value <= wagonSides.rows && resize(value, columns)}
        />
        <WholeNumberInput
          label={t('Slots in a row')}
          min={1}
          max={wagonSides.columns}
          {...disabledBecause(!may && t('You do not have permission to edit wagons. Ask a lead.'))}
          value={columns}
          onChange={value => typeof value === 'number' && value >= 1 && value <= wagonSides.columns && resize(rows, value)}
        />
      </div>
      <NumberInput
        label={t('The whole wagon may carry')}
        description={t('Kilograms; empty has no limit')}
        min={1}
        max={5_000}
        decimalScale={1}
        {...disabledBecause(!may && t('You do not have permission to edit wagons. Ask a lead.'))}
        error={edit.form.errors.max_weight_g}
        value={edit.values.max_weight_g === null ? '' : edit.values.max_weight_g / 1_000}
        onChange={value =>
          edit.form.setFieldValue('max_weight_g', typeof value === 'number' && value > 0 ? Math.round(value * 1_000) : null)
        }
      />
      <Switch
        label={t('Used for new lists')}
        {...disabledBecause(!may && t('You do not have permission to edit wagons. Ask a lead.'))}
        {...edit.of('active', 'checkbox')}
      />
      <div>
        <Text size="sm" fw={500} mb={4}>
          {t('Slots, the upper row first. Select one to change it.')}
        </Text>
        <div className={style.narrow}>
          <div className={style.grid} style={{ gridTemplateColumns: `repeat(${columns}, minmax(5.5rem, 1fr))` }}>
            {slots.map((one, i) => (
              <button
                // biome-ignore lint/suspicious/noArrayIndexKey: a slot is its place on the wagon
                key={i}
                type="button"
                className={`${style.slot} ${style.slotButton}`}
                aria-pressed={slot === i}
                onClick={() => chooseSlot(i)}
              >
                <SlotNumber no={i + 1} colour={one.colour} large />
                <span className={style.slotMore}>{one.colour ? colourWord(one.colour) : t('No colour')}</span>
                <span className={style.slotMore}>
                  {[
                    one.max_weight_g === null ? null : weight(one.max_weight_g),
                    one.max_volume_ml === null ? null : `${number(one.max_volume_ml / 1_000, 1)} l`,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </button>
            ))}
          </div>
        </div>
      </div>
      {here ? (
        <Stack gap="sm">
          <Text fw={600}>{t('Slot {{number}}', { number: slot + 1 })}</Text>
          <NativeSelect
            label={t('Colour')}
            {...disabledBecause(!may && t('You do not have permission to edit wagons. Ask a lead.'))}
            value={here.colour ?? ''}
            data={[{ value: '', label: t('No colour') }, ...slotColours.map(value => ({ value, label: colourWord(value) }))]}
            onChange={({ currentTarget: { value } }) => change(i => i === slot, { colour: isOneOf(slotColours, value) ? value : null })}
          />
          <div className={style.pair}>
            <NumberInput
              label={t('Holds at most')}
              description={t('Kilograms; empty has no limit')}
              min={0.1}
              max={2_000}
              decimalScale={1}
              {...disabledBecause(!may && t('You do not have permission to edit wagons. Ask a lead.'))}
              value={here.max_weight_g === null ? '' : here.max_weight_g / 1_000}
              onChange={value =>
                change(i => i === slot, { max_weight_g: typeof value === 'number' && value > 0 ? Math.round(value * 1_000) : null })
              }
            />
            <NumberInput
              label={t('Room')}
              description={t('Litres; empty has no limit')}
              min={0.1}
              max={5_000}
              decimalScale={1}
              {...disabledBecause(!may && t('You do not have permission to edit wagons. Ask a lead.'))}
              value={here.max_volume_ml === null ? '' : here.max_volume_ml / 1_000}
              onChange={value =>
                change(i => i === slot, { max_volume_ml: typeof value === 'number' && value > 0 ? Math.round(value * 1_000) : null })
              }
            />
          </div>
          {may ? (
            <Group gap="xs">
              <Button size="compact-sm" variant="default" onClick={() => change(i => Math.floor(i / columns) === row, here)}>
                {t('Apply to whole row')}
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => change(() => true, { max_weight_g: here.max_weight_g, max_volume_ml: here.max_volume_ml })}
              >
                {t('Apply to all slots')}
              </Button>
            </Group>
          ) : null}
        </Stack>
      ) : null}
    </Form>
  )
}
