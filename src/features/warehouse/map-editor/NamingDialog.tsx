/** Naming the chosen locations by a pattern, with everything to be seen before it is done. */

import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDeferredValue, useMemo, useState } from 'react'
import type { Location } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { useT } from '#ui/kit/translate.ts'
import style from './Editor.module.css'
import type { Editor } from './editor-state.client.ts'
import { named, planNames, readPattern, type WalkingOrder } from './location-names.rules.ts'

const previewed = 200

export function NamingDialog({ editor, close }: { editor: Editor; close: () => void }) {
  const t = useT()
  const { drawing, mask } = editor
  const chosen = useMemo<Location[]>(
    () => drawing.locations.filter(one => mask.has(one.y * drawing.width + one.x)),
    [drawing.locations, drawing.width, mask],
  )
  const [text, setText] = useState('A-{01..20}-{1..5}')
  const [order, setOrder] = useState<WalkingOrder>({ along: 'columns', turn: 'serpentine', by: 'aisle', begin: 'bottom_left' })
  const late = useDeferredValue(text)
  const read = useMemo(() => readPattern(late), [late])
  const plan = useMemo(() => ('pattern' in read ? planNames(drawing, chosen, read.pattern, order) : null), [read, drawing, chosen, order])
  const taken = new Set(plan?.taken)
  const problem =
    'problem' in read
      ? t(read.problem)
      : plan && plan.missing > 0
        ? t('The pattern makes {{size}} names for {{count}} locations', { size: plan.size, count: chosen.length })
        : plan && plan.tooLong.length > 0
          ? t('A code may have at most 40 characters')
          : null
  const select = <K extends keyof WalkingOrder>(key: K, label: string, options: [WalkingOrder[K], string][]) => (
    <NativeChoice
      label={label}
      value={order[key]}
      choose={value => setOrder({ ...order, [key]: value })}
      data={options.map(([value, word]) => ({ value: value, label: t(word) }))}
    />
  )
  return (
    <Dialog opened onClose={close} size={640} title={t('Name {{count}} locations', { count: chosen.length })}>
      <Stack gap="md">
        <TextInput
          label={t('Pattern')}
          description={t('In curly brackets stands a range, {{numbers}} or {{letters}}, or a list. The last range turns fastest.', {
            numbers: '{01..20}',
            letters: '{A..F}',
          })}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          error={problem}
          data-autofocus
          spellCheck={false}
        />
        <div className={`${style.fields} ${style.two}`}>
          {select('along', t('Aisles run'), [
            ['columns', 'Up and down on the sheet'],
            ['rows', 'Across the sheet'],
          ])}
          {select('begin', t('Start'), [
            ['bottom_left', 'Bottom left'],
            ['bottom_right', 'Bottom right'],
            ['top_left', 'Top left'],
            ['top_right', 'Top right'],
          ])}
          {select('by', t('Sides'), [
            ['aisle', 'Both sides of an aisle together'],
            ['rack', 'One rack after the other'],
          ])}
          {select('turn', t('Next aisle'), [
            ['serpentine', 'Back the other way'],
            ['same', 'From the same end'],
          ])}
        </div>
        {plan && taken.size > 0 ? (
          <Alert color="brick" title={t('{{count}} of these codes are taken', { count: plan.taken.length })}>
            {plan.taken.slice(0, 6).join(', ')}
            {plan.taken.length > 6 ? ' …' : ''}
          </Alert>
        ) : null}
        {plan ? (
          <div className={style.preview}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('New code')}</th>
                  <th scope="col">{t('Code now')}</th>
                  <th scope="col">x, y</th>
                  <th scope="col">{t('Level')}</th>
                </tr>
              </thead>
              <tbody>
                {plan.names.slice(0, previewed).map(({ location, after }) => (
                  <tr key={`${location.code} ${location.x} ${location.y} ${location.side} ${location.level}`}>
                    <td className={after !== undefined && taken.has(after) ? style.clash : ''}>
                      <b>{after ?? '–'}</b>
                    </td>
                    <td>{location.code}</td>
                    <td>
                      {location.x}, {location.y}
                    </td>
                    <td>{location.level}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ) : null}
        {plan && plan.names.length > previewed ? (
          <Text size="sm" c="dimmed">
            {t('The first {{count}} are listed', { count: previewed })}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button
            {...disabledBecause(problem ?? (taken.size > 0 && t('{{count}} of these codes are taken', { count: taken.size })))}
            onClick={() => {
              if (plan) editor.change(so => named(so, plan))
              close()
            }}
          >
            {t('Name {{count}} locations', { count: chosen.length })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
