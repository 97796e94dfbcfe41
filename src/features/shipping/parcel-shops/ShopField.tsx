/** The number of a parcel shop with a button that searches, and what a search found as cards. */
import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { IconMapPin } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { number } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'

export interface ChosenShop {
  id: string
  name: string
  address1: string
  postcode: string
  city: string
  country: string
}

const numbered = (id: string): ChosenShop => ({ id, name: '', address1: '', postcode: '', city: '', country: '' })
const placeOf = ({ address1, postcode, city }: ChosenShop): string => [address1, `${postcode} ${city}`.trim()].filter(Boolean).join(', ')

interface ShopFieldProps {
  label: string
  /** What an empty field means. */
  help?: string
  /** The words of the button. */
  find: string
  value: ChosenShop
  error?: ReactNode
  onChange: (shop: ChosenShop) => void
  open: () => void
}

export function ShopField({ label, help, find, value, error, onChange, open }: ShopFieldProps) {
  return (
    <Group align="end" gap="xs" wrap="nowrap">
      <TextInput
        style={{ flex: 1 }}
        label={label}
        description={value.name ? [value.name, placeOf(value)].filter(Boolean).join(', ') : help}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={value.id}
        error={error}
        onChange={event => onChange(numbered(event.currentTarget.value))}
      />
      <Button variant="default" leftSection={<IconMapPin size={16} />} onClick={open} style={{ alignSelf: 'start', marginTop: 24 }}>
        {find}
      </Button>
    </Group>
  )
}

export interface FoundShop extends ChosenShop {
  distance_m: number | null
  /** Hours, and what else helps to choose. */
  lines: readonly string[]
}

interface ShopCardsProps {
  label: string
  shops: readonly FoundShop[]
  marked: string
  mark: (id: string) => void
  choose: (shop: ChosenShop) => void
}

export function ShopCards({ label, shops, marked, mark, choose }: ShopCardsProps) {
  const t = useT()
  return (
    <Radio.Group value={marked} onChange={mark} aria-label={label}>
      <Stack gap="xs">
        {shops.map(({ distance_m, lines, ...shop }) => (
          <Radio.Card key={shop.id} value={shop.id} p="sm" onDoubleClick={() => choose(shop)}>
            <Group wrap="nowrap" align="start" gap="sm">
              <Radio.Indicator />
              <div style={{ flex: 1 }}>
                <Group justify="space-between" gap="xs">
                  <Text fw={500}>{shop.name}</Text>
                  {distance_m === null ? null : (
                    <Text size="sm" c="dimmed">
                      {distance_m < 1_000
                        ? t('{{n}} m', { n: number(distance_m) })
                        : t('{{n}} km', { n: number(Math.round(distance_m / 100) / 10) })}
                    </Text>
                  )}
                </Group>
                <Text size="sm">{placeOf(shop)}</Text>
                <Text size="sm" c="dimmed">
                  {lines.join(' · ')}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  )
}
