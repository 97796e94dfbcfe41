/** The end of a row of ordered rules or the like: one place up, one place down, and the form. */
import { ActionIcon, Button, Group } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { disabledBecause } from './disabled.ts'
import { useT } from './translate.ts'

export function RuleActions({
  at,
  count,
  busy,
  move,
  edit,
  name,
}: {
  /** The place of the rule, from 0, among `count` rules. */
  at: number
  count: number
  /** The order is being saved. */
  busy: boolean
  move: (to: number) => void
  edit: () => void
  /** What the row holds, where it is no rule. */
  name?: string
}) {
  const t = useT()
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        disabled={busy}
        {...disabledBecause(at === 0 && t('Already the first'))}
        aria-label={name === undefined ? t('Move rule {{position}} up', { position: at + 1 }) : t('Move {{name}} up', { name })}
        onClick={() => move(at - 1)}
      >
        <IconArrowUp size={16} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        disabled={busy}
        {...disabledBecause(at === count - 1 && t('Already the last'))}
        aria-label={name === undefined ? t('Move rule {{position}} down', { position: at + 1 }) : t('Move {{name}} down', { name })}
        onClick={() => move(at + 1)}
      >
        <IconArrowDown size={16} />
      </ActionIcon>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={name === undefined ? t('Edit rule {{position}}', { position: at + 1 }) : t('Edit {{name}}', { name })}
        onClick={edit}
      >
        {t('Edit')}
      </Button>
    </Group>
  )
}
