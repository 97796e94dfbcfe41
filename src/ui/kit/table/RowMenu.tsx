/** What can be done with one row, in a menu below its dots. */
import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { MenuAction } from '../MenuAction.tsx'

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
          <MenuAction
            key={action.label}
            leftSection={action.icon}
            why={action.why}
            {...(action.danger ? { color: 'brick' } : {})}
            onClick={action.run}
          >
            {action.label}
          </MenuAction>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
