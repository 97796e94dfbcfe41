/** The person's menu: who it is, how the page looks, which language, and the way out. */
import { Menu, NativeSelect, SegmentedControl, Stack, Switch, Text, useMantineColorScheme } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { locales } from '#contract/limits.ts'
import { device, useDevice } from '#web/device.ts'
import { signOut, useSignedIn } from '#web/session.ts'
import style from '#web/shell/Shell.module.css'
import { chooseLocale, isLocale, localeNames, useLocale, useT } from '#web/translate.ts'

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .map(part => [...part][0] ?? '')
    .filter((_letter, place, all) => place === 0 || place === all.length - 1)
    .join('')
    .toUpperCase()

export function UserMenu() {
  const t = useT()
  const { user } = useSignedIn()
  return (
    <Menu position="bottom-end" width={280} closeOnItemClick={false} trapFocus>
      <Menu.Target>
        <button type="button" className={style.user} aria-label={t('Your menu, {{name}}', { name: user.name })}>
          {initials(user.name)}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Stack gap={2} px="sm" py="xs">
          <Text fw={600}>{user.name}</Text>
          <Text size="sm" c="dimmed">
            {user.email ?? user.user_name ?? user.employee_no}
          </Text>
        </Stack>
        <Menu.Divider />
        <Stack gap="sm" px="sm" py="xs">
          <LookChoice />
        </Stack>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Theme, density, language, shortcuts: what belongs to the eyes and hands of whoever sits here. */
export function LookChoice() {
  const t = useT()
  const locale = useLocale()
  const density = useDevice('density') ?? 'comfortable'
  const shortcuts = useDevice('shortcuts') ?? 'on'
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={t('Brightness')}
        value={colorScheme}
        onChange={value => setColorScheme(value as 'light' | 'dark' | 'auto')}
        data={[
          { value: 'light', label: t('Light') },
          { value: 'dark', label: t('Dark') },
          { value: 'auto', label: t('Automatic') },
        ]}
      />
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={t('Density')}
        value={density}
        onChange={value => device.write('density', value as 'compact' | 'comfortable')}
        data={[
          { value: 'comfortable', label: t('Comfortable') },
          { value: 'compact', label: t('Compact') },
        ]}
      />
      <NativeSelect
        aria-label={t('Language')}
        value={locale}
        onChange={event => isLocale(event.currentTarget.value) && void chooseLocale(event.currentTarget.value)}
        data={locales.map(one => ({ value: one, label: localeNames[one] }))}
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
