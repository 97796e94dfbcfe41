/** What can be done with one row, in a menu below its dots. */
import { Menu, Text } from '@mantine/core'
import type { ReactNode } from 'react'

export interface RowAction {
  label: string
  icon?: ReactNode
  run: () => void
  danger?: boolean
  /** Why it cannot be done now; it is shown, and cannot be clicked. */
  why?: string | null
}

export function RowMenu({ actions, close, children }: { actions: readonly RowAction[]; close: () => void; children: ReactNode }) {
  return (
    <Menu opened onClose={close} position="bottom-end" returnFocus>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {actions.map(action => (
          <Menu.Item
            key={action.label}
            leftSection={action.icon}
            disabled={Boolean(action.why)}
            {...(action.danger ? { color: 'brick' } : {})}
            onClick={action.run}
          >
            {action.label}
            {action.why ? (
              <Text size="xs" c="dimmed">
                {action.why}
              </Text>
            ) : null}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
