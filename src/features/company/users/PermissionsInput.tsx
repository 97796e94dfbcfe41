/** Input of a user's permissions: by role, or area by area; a permission that the editor lacks cannot be given. */
import { Button, Group, Input, SegmentedControl, Stack, Switch, Text } from '@mantine/core'
import { type Permission, permissionCode, permissionId } from '#contract/access.ts'
import { type DevicePreset, deviceCodes, devicePresets } from '#contract/device-accounts.ts'
import { entriesOf, isOneOf } from '#domain/objects.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { type Area, areas, presetNames } from './permissions.labels.ts'
import { holds } from './permissions.rules.ts'
import { type RightsPreset, rightsPresets } from './users.contract.ts'

interface RightsInputProps {
  value: readonly number[]
  onChange: (value: number[]) => void
  /** The user's present permissions: they may stay although the editor could not give them. */
  before: readonly number[]
  error?: React.ReactNode
  /** A group gives no permission that is given to each person alone. */
  group?: boolean
  /** A device has few. */
  device?: boolean
}

/** The areas of devices, with what devices may. */
const deviceAreas: Area[] = areas.flatMap(area => {
  const levels = area.levels.filter(level => isOneOf(deviceCodes, level.code))
  return levels.length > 0 ? [{ ...area, levels }] : []
})

export function RightsInput({ value, onChange, before, error, group = false, device = false }: RightsInputProps) {
  const t = useT()
  const { permissions: mine } = useSignedIn()
  const held = value.map(permissionCode).filter(code => code !== undefined)
  const had = before.map(permissionCode)
  const canGive = (code: Permission) => holds(mine, code) || mine.includes('admin') || had.includes(code)
  const set = (codes: readonly Permission[]) => onChange([...new Set(codes)].map(permissionId).sort((one, other) => one - other))
  const admin = held.includes('admin')
  const offered: [RightsPreset | DevicePreset, readonly Permission[]][] = device
    ? entriesOf<Record<DevicePreset, readonly Permission[]>>(devicePresets)
    : entriesOf<Record<RightsPreset, readonly Permission[]>>(rightsPresets)
  const presets = offered.filter(([, codes]) => codes.every(canGive))
  const shown = device ? deviceAreas : areas.filter(area => (area.beyondAdmin ? !group : !admin))
  const beside = held.filter(code => areas.some(area => area.beyondAdmin && area.levels.some(level => level.code === code)))
  const same = (codes: readonly Permission[]) => codes.length === held.length && codes.every(code => held.includes(code))
  return (
    <Input.Wrapper label={t('Permissions')} labelElement="div" error={error}>
      <Stack gap="xs" mt={4}>
        {presets.length > 0 ? (
          <Group gap={8} role="group" aria-label={t('As the job needs it')}>
            {presets.map(([preset, codes]) => (
              <Button
                key={preset}
                size="compact-sm"
                variant={same(codes) ? 'light' : 'default'}
                aria-pressed={same(codes)}
                onClick={() => set(codes)}
              >
                {t(presetNames[preset])}
              </Button>
            ))}
          </Group>
        ) : null}
        {device ? null : (
          <Switch
            label={t('Everything')}
            description={t('Administrator of the company: all areas, all settings, all users.')}
            checked={admin}
            {...disabledBecause(!canGive('admin') && t('You can give only permissions that you have'))}
            onChange={event => set(event.currentTarget.checked ? ['admin', ...beside] : beside)}
          />
        )}
        {shown.map(area => (
          <AreaInput key={area.title} area={area} held={held} canGive={canGive} set={set} />
        ))}
      </Stack>
    </Input.Wrapper>
  )
}

interface AreaInputProps {
  area: Area
  held: readonly Permission[]
  canGive: (code: Permission) => boolean
  set: (codes: readonly Permission[]) => void
}

function AreaInput({ area, held, canGive, set }: AreaInputProps) {
  const t = useT()
  const codes: readonly Permission[] = area.levels.map(level => level.code)
  // The highest level counts; a lower one beside it adds nothing.
  const level = area.levels.findLast(one => held.includes(one.code))
  const wordOf = (one: Area['levels'][number]) => (area.levels.length === 1 ? t('Yes') : t(one.title))
  const choose = (code: string) => set([...held.filter(one => !codes.includes(one)), ...codes.filter(one => one === code)])
  return (
    <Group justify="space-between" align="center" gap="xs" py={4} style={{ borderTop: '1px solid var(--edge)' }}>
      <div style={{ flex: '1 1 14rem', minWidth: 0 }}>
        <Text size="sm" fw={500}>
          {t(area.title)}
        </Text>
        <Text size="xs" c="dimmed">
          {level ? t(level.help) : t('Does not see it.')}
        </Text>
      </div>
      <SegmentedControl
        size="xs"
        aria-label={t(area.title)}
        value={level?.code ?? ''}
        onChange={choose}
        data={[
          { value: '', label: t('No') },
          ...area.levels.map(one => ({
            value: one.code,
            label: canGive(one.code) ? wordOf(one) : <span title={t('You can give only permissions that you have')}>{wordOf(one)}</span>,
            ...disabledBecause(!canGive(one.code) && t('You can give only permissions that you have')),
          })),
        ]}
      />
    </Group>
  )
}
