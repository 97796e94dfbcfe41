/** What a menu offers. Where it cannot be done now, the reason stands below its name. */
import { Menu, type MenuItemProps, Text } from '@mantine/core'

interface MenuActionProps extends Omit<MenuItemProps, 'disabled'> {
  why?: string | false | null | undefined
  onClick: () => void
}

export function MenuAction({ why, children, ...item }: MenuActionProps) {
  return (
    <Menu.Item {...item} disabled={Boolean(why)}>
      {children}
      {why ? (
        <Text size="xs" c="dimmed">
          {why}
        </Text>
      ) : null}
    </Menu.Item>
  )
}
