/** What the tools above a list open. */
import { ActionIcon, Button, Checkbox, Group, Menu, Popover, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { device } from '#ui/device/device-storage.ts'
import { disabledBecause } from '../disabled.ts'
import { useT } from '../translate.ts'
import { type Column, type Columns, isShown, noChoice } from './columns.ts'
import { type Density, useDensity } from './density.ts'

interface ExportPanelProps {
  start: (format: 'csv' | 'xlsx') => void
  close: () => void
  children: ReactNode
}

export const ExportPanel = ({ start, close, children }: ExportPanelProps) => (
  <Menu opened onClose={close} position="bottom-end">
    <Menu.Target>{children}</Menu.Target>
    <Menu.Dropdown>
      <Menu.Item onClick={() => start('xlsx')}>Excel</Menu.Item>
      <Menu.Item onClick={() => start('csv')}>CSV</Menu.Item>
    </Menu.Dropdown>
  </Menu>
)

interface DisplayPanelProps<R> {
  columns: Columns<R>
  /** Columns that are chosen and do not fit. */
  leftOut: number
  close: () => void
  children: ReactNode
}

export function DisplayPanel<R>({ columns, leftOut, close, children }: DisplayPanelProps<R>) {
  const t = useT()
  const density = useDensity()
  const { ordered, choice, choose } = columns
  const others = ordered.slice(1)
  const show = (column: Column<R>, shown: boolean) => {
    const name = column.hidden ? 'shown' : 'hidden'
    const rest = choice[name].filter(key => key !== column.key)
    choose({ [name]: shown === Boolean(column.hidden) ? [...rest, column.key] : rest })
  }
  const shift = (place: number, by: number) => {
    const keys = others.map(column => column.key)
    const [moved] = keys.splice(place, 1)
    if (moved !== undefined) keys.splice(place + by, 0, moved)
    choose({ order: keys })
  }
  return (
    <Popover opened onChange={close} position="bottom-end" trapFocus>
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown p="sm" maw={320} style={{ maxHeight: '60dvh', overflow: 'auto' }}>
        <Stack gap={4}>
          <Text size="sm" fw={500} id="density">
            {t('Density')}
          </Text>
          <SegmentedControl<Density>
            fullWidth
            size="xs"
            mb="xs"
            aria-labelledby="density"
            value={density}
            onChange={value => device.write('density', value)}
            data={[
              { value: 'compact', label: t('Compact') },
              { value: 'normal', label: t('Normal') },
              { value: 'comfortable', label: t('Comfortable') },
            ]}
          />
          <Text size="sm" fw={500}>
            {t('Columns')}
          </Text>
          {leftOut > 0 ? (
            <Text size="sm" c="dimmed">
              {t('{{count}} of them do not fit into this window', { count: leftOut })}
            </Text>
          ) : null}
          {others.map((column, place) => (
            <Group key={column.key} justify="space-between" wrap="nowrap" gap="xs">
              <Checkbox
                size="sm"
                label={column.title}
                checked={isShown(column, choice)}
                onChange={event => show(column, event.currentTarget.checked)}
              />
              <Group gap={0} wrap="nowrap">
                <ActionIcon
                  aria-label={t('Move {{column}} left', { column: column.title })}
                  {...disabledBecause(place === 0 && t('Already the first'))}
                  onClick={() => shift(place, -1)}
                >
                  <IconArrowUp size={16} />
                </ActionIcon>
                <ActionIcon
                  aria-label={t('Move {{column}} right', { column: column.title })}
                  {...disabledBecause(place === others.length - 1 && t('Already the last'))}
                  onClick={() => shift(place, 1)}
                >
                  <IconArrowDown size={16} />
                </ActionIcon>
              </Group>
            </Group>
          ))}
          <Button size="compact-sm" variant="subtle" mt={4} onClick={() => choose(noChoice)}>
            {t('As it was at first')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
