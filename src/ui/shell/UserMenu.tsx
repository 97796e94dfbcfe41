/** The person's menu: who it is, how the page looks, which language, and the way out. */
import { Button, Divider, Input, NativeSelect, Popover, SegmentedControl, Stack, Switch, Text, useMantineColorScheme } from '@mantine/core'
import { IconClock, IconLogout, IconUserCog } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { locales } from '#contract/limits.ts'
import type { SessionUser } from '#contract/session.schemas.ts'
import { device, useDevice } from '#ui/device/device-storage.ts'
import { Link } from '#ui/kit/Link.tsx'
import { chooseLocale, isLocale, localeNames, useLocale, useT } from '#ui/kit/translate.ts'
import { signOut, useSession } from '#ui/query/session.ts'

interface UserMenuProps {
  user: SessionUser
  close: () => void
  children: ReactNode
}

export function UserMenu({ user, close, children }: UserMenuProps) {
  const t = useT()
  return (
    <Popover opened onChange={close} position="bottom-end" width={280} trapFocus returnFocus>
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown p={0} aria-label={user.name}>
        <Stack gap={2} px="md" py="sm">
          <Text fw={600}>{user.name}</Text>
          <Text size="sm" c="dimmed">
            {user.email ?? user.user_name ?? user.employee_no}
          </Text>
        </Stack>
        <Divider />
        <Stack gap="sm" px="md" py="md">
          <LookChoice />
        </Stack>
        <Divider />
        {user.device ? null : (
          <>
            <Button
              component={Link}
              to="/my-hours"
              variant="subtle"
              color="gray"
              fullWidth
              justify="flex-start"
              h={44}
              radius={0}
              leftSection={<IconClock size={16} />}
              onClick={close}
            >
              {t('My hours')}
            </Button>
            <Button
              component={Link}
              to="/settings/me"
              variant="subtle"
              color="gray"
              fullWidth
              justify="flex-start"
              h={44}
              radius={0}
              leftSection={<IconUserCog size={16} />}
              onClick={close}
            >
              {t('My settings')}
            </Button>
          </>
        )}
        <Button
          variant="subtle"
          color="gray"
          fullWidth
          justify="flex-start"
          h={44}
          radius={0}
          leftSection={<IconLogout size={16} />}
          onClick={() => void signOut()}
        >
          {t('Sign out')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Brightness, language, shortcuts: what belongs to the person at this device. */
export function LookChoice() {
  const t = useT()
  const locale = useLocale()
  const offered = useSession()?.init.settings.languages ?? locales
  const shortcuts = useDevice('shortcuts') ?? 'on'
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Input.Wrapper label={t('Brightness')} labelElement="div">
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t('Brightness')}
          value={colorScheme}
          onChange={value => setColorScheme(value)}
          data={[
            { value: 'light', label: t('Light') },
            { value: 'dark', label: t('Dark') },
            { value: 'auto', label: t('Automatic') },
          ]}
        />
      </Input.Wrapper>
      <NativeSelect
        label={t('Language')}
        value={locale}
        onChange={event => isLocale(event.currentTarget.value) && void chooseLocale(event.currentTarget.value)}
        data={offered.map(one => ({ value: one, label: localeNames[one] }))}
      />
      <Switch
        size="sm"
        label={t('Single-letter shortcuts')}
        checked={shortcuts === 'on'}
        onChange={event => device.write('shortcuts', event.currentTarget.checked ? 'on' : 'off')}
      />
    </>
  )
}
