/** A field for a courier's parcel shop: its number, or a search near a postcode. */
import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { IconMapPin } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { number } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { type Received, useCall } from '#ui/query/calls.ts'
import { parcelShops } from './parcel-shops.contract.ts'

type Shop = Received<typeof parcelShops.find>[number]
export interface ChosenShop {
  id: string
  name: string
  address1: string
  postcode: string
  city: string
  country: string
}

interface ParcelShopChoiceProps {
  agent_code: string
  /** Where the search begins: the recipient's address. */
  near: { country: string; postcode: string; address1: string }
  value: ChosenShop
  onChange: (shop: ChosenShop) => void
  error?: ReactNode
}

const numbered = (id: string): ChosenShop => ({ id, name: '', address1: '', postcode: '', city: '', country: '' })

export function ParcelShopChoice({ agent_code, near, value, onChange, error }: ParcelShopChoiceProps) {
  const t = useT()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Group align="end" gap="xs" wrap="nowrap">
        <TextInput
          style={{ flex: 1 }}
          label={t('Number of the parcel shop')}
          description={
            value.name ? [value.name, value.address1, `${value.postcode} ${value.city}`.trim()].filter(Boolean).join(', ') : undefined
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={value.id}
          error={error}
          onChange={event => onChange(numbered(event.currentTarget.value))}
        />
        <Button
          variant="default"
          leftSection={<IconMapPin size={16} />}
          onClick={() => setOpened(true)}
          style={{ alignSelf: 'start', marginTop: 24 }}
        >
          {t('Find parcel shop')}
        </Button>
      </Group>
      {opened ? (
        <ShopSearch
          agent_code={agent_code}
          near={near}
          chosen={value.id}
          close={() => setOpened(false)}
          choose={shop => {
            onChange({
              id: shop.id,
              name: shop.name,
              address1: shop.address1,
              postcode: shop.postcode,
              city: shop.city,
              country: shop.country,
            })
            setOpened(false)
          }}
        />
      ) : null}
    </>
  )
}

interface ShopSearchProps extends Pick<ParcelShopChoiceProps, 'agent_code' | 'near'> {
  chosen: string
  close: () => void
  choose: (shop: Shop) => void
}

function ShopSearch({ agent_code, near, chosen, close, choose }: ShopSearchProps) {
  const t = useT()
  const country = near.country || 'DK'
  const [typed, setTyped] = useState(near.postcode)
  const [postcode, setPostcode] = useState(near.postcode.trim())
  const [marked, setMarked] = useState(chosen)
  const places = useCall(parcelShops.zipcodes, { country: country.toLowerCase() })
  const shops = useCall(
    parcelShops.find,
    {
      agent_code,
      country: country.toLowerCase(),
      postcode,
      ...(near.address1.trim() && postcode === near.postcode.trim() && { address: near.address1.trim().slice(0, 120) }),
    },
    { enabled: postcode !== '' },
  )
  const shop = shops.data?.find(one => one.id === marked)
  const city = places.data?.find(one => one.zipcode === typed.trim())?.city
  return (
    <Dialog opened onClose={close} size={560} title={t('Find parcel shop')}>
      <Stack gap="md">
        <form
          onSubmit={event => {
            event.preventDefault()
            // The form around the field is another one.
            event.stopPropagation()
            setPostcode(typed.trim())
          }}
        >
          <Group align="end" gap="xs" wrap="nowrap">
            <TextInput
              style={{ flex: 1 }}
              label={t('Postcode')}
              maxLength={20}
              value={typed}
              rightSection={
                city ? (
                  <Text size="sm" c="dimmed">
                    {city}
                  </Text>
                ) : undefined
              }
              rightSectionWidth={city ? 140 : undefined}
              onChange={event => setTyped(event.currentTarget.value)}
              data-autofocus
            />
            <Button type="submit" variant="default" disabled={typed.trim() === ''}>
              {t('Search')}
            </Button>
          </Group>
        </form>
        {postcode === '' ? null : (
          <QueryState of={shops} shape="rows">
            {rows =>
              rows.length === 0 ? (
                <EmptyList title={t('No parcel shop is near')} />
              ) : (
                <Radio.Group value={marked} onChange={setMarked} aria-label={t('Parcel shops')}>
                  <Stack gap="xs">
                    {rows.map(one => (
                      <Radio.Card key={one.id} value={one.id} p="sm" onDoubleClick={() => choose(one)}>
                        <Group wrap="nowrap" align="start" gap="sm">
                          <Radio.Indicator />
                          <div style={{ flex: 1 }}>
                            <Group justify="space-between" gap="xs">
                              <Text fw={500}>{one.name}</Text>
                              {one.distance_m === null ? null : (
                                <Text size="sm" c="dimmed">
                                  {one.distance_m < 1_000
                                    ? t('{{n}} m', { n: number(one.distance_m) })
                                    : t('{{n}} km', { n: number(Math.round(one.distance_m / 100) / 10) })}
                                </Text>
                              )}
                            </Group>
                            <Text size="sm">{[one.address1, `${one.postcode} ${one.city}`.trim()].filter(Boolean).join(', ')}</Text>
                            <Text size="sm" c="dimmed">
                              {one.opening_hours.join(' · ')}
                            </Text>
                          </div>
                        </Group>
                      </Radio.Card>
                    ))}
                  </Stack>
                </Radio.Group>
              )
            }
          </QueryState>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button disabled={!shop} onClick={() => shop && choose(shop)}>
            {t('Use this shop')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
