/** A field for a courier's parcel shop: its number, or a search near a postcode. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { instant } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { parcelShops } from './parcel-shops.contract.ts'
import { type ChosenShop, ShopCards, ShopField } from './ShopField.tsx'

interface ParcelShopChoiceProps {
  agent_code: string
  /** Couriers with many carriers have other shops for each method. */
  method?: string | undefined
  /** Where the search begins: the recipient's address. */
  near: { country: string; postcode: string; address1: string }
  value: ChosenShop
  onChange: (shop: ChosenShop) => void
  error?: ReactNode
}

export function ParcelShopChoice({ agent_code, method, near, value, onChange, error }: ParcelShopChoiceProps) {
  const t = useT()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <ShopField
        label={t('Number of the parcel shop')}
        find={t('Find parcel shop')}
        value={value}
        error={error}
        onChange={onChange}
        open={() => setOpened(true)}
      />
      {opened ? (
        <ShopSearch
          agent_code={agent_code}
          method={method}
          near={near}
          chosen={value.id}
          close={() => setOpened(false)}
          choose={shop => {
            onChange(shop)
            setOpened(false)
          }}
        />
      ) : null}
    </>
  )
}

interface ShopSearchProps extends Pick<ParcelShopChoiceProps, 'agent_code' | 'method' | 'near'> {
  chosen: string
  close: () => void
  choose: (shop: ChosenShop) => void
}

const chosenOf = ({ id, name, address1, postcode, city, country }: ChosenShop): ChosenShop => ({
  id,
  name,
  address1,
  postcode,
  city,
  country,
})

export function ShopSearch({ agent_code, method, near, chosen, close, choose }: ShopSearchProps) {
  const t = useT()
  const country = near.country || 'DK'
  const [typed, setTyped] = useState(near.postcode)
  const [postcode, setPostcode] = useState(near.postcode.trim())
  const [marked, setMarked] = useState(chosen)
  const [fresh, setFresh] = useState(false)
  const places = useCall(parcelShops.zipcodes, { country: country.toLowerCase() })
  const shops = useCall(
    parcelShops.find,
    {
      agent_code,
      country: country.toLowerCase(),
      postcode,
      ...(method !== undefined && { method }),
      ...(fresh && { fresh: '1' as const }),
      ...(near.address1.trim() && postcode === near.postcode.trim() && { address: near.address1.trim().slice(0, 120) }),
    },
    { enabled: postcode !== '' },
  )
  const found = shops.data?.find(one => one.id === marked)
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
            setFresh(false)
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
            <Button type="submit" variant="default" {...disabledBecause(typed.trim() === '' && t('Enter a postcode first'))}>
              {t('Search')}
            </Button>
          </Group>
        </form>
        {postcode === '' ? null : (
          <QueryState of={shops} shape="rows">
            {rows => (
              <Stack gap="xs">
                {rows.length === 0 ? (
                  <EmptyList title={t('No parcel shop is near')} />
                ) : (
                  <ShopCards
                    label={t('Parcel shops')}
                    shops={rows.map(({ opening_hours, locker, ...one }) => ({
                      ...one,
                      lines: locker ? [t('Parcel locker'), ...opening_hours] : opening_hours,
                    }))}
                    marked={marked}
                    mark={setMarked}
                    choose={choose}
                  />
                )}
                <ListAge seen_at={oldest(rows)} ask={() => setFresh(true)} />
              </Stack>
            )}
          </QueryState>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button {...disabledBecause(!found && t('Select one from the list first'))} onClick={() => found && choose(chosenOf(found))}>
            {t('Use this shop')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Null where the courier was asked just now. */
const oldest = (shops: readonly { seen_at: string | null }[]): string | null =>
  shops.reduce<string | null>((age, { seen_at }) => (seen_at !== null && (age === null || seen_at < age) ? seen_at : age), null)

/** How old the list is that answered, and a button that asks the courier. */
function ListAge({ seen_at, ask }: { seen_at: string | null; ask: () => void }) {
  const t = useT()
  if (seen_at === null) return null
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed">
        {t('As of {{time}}', { time: instant(seen_at) })}
      </Text>
      <Button size="compact-sm" variant="default" onClick={ask}>
        {t('Ask the courier now')}
      </Button>
    </Group>
  )
}
