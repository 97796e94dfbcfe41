/** A field for a locker of Instabox: its sort code, or a search near the address of the recipient. */
import { Alert, Button, Group, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { instant, time } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { parcelShops } from './parcel-shops.contract.ts'
import { type ChosenShop, ShopCards, ShopField } from './ShopField.tsx'

interface Recipient {
  address1: string
  postcode: string
  city: string
  country: string
  email: string
  phone: string
}

interface LockerChoiceProps {
  recipient: Recipient
  parcel: { weight_g: number; size_mm: [number, number, number] | null }
  value: ChosenShop
  onChange: (shop: ChosenShop) => void
  error?: ReactNode
}

export function LockerChoice({ recipient, parcel, value, onChange, error }: LockerChoiceProps) {
  const t = useT()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <ShopField
        label={t('Number of the locker')}
        help={t('Empty: Instabox chooses the locker.')}
        find={t('Find locker')}
        value={value}
        error={error}
        onChange={onChange}
        open={() => setOpened(true)}
      />
      {opened ? (
        <LockerSearch
          recipient={recipient}
          parcel={parcel}
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

interface LockerSearchProps extends Pick<LockerChoiceProps, 'recipient' | 'parcel'> {
  chosen: string
  close: () => void
  choose: (shop: ChosenShop) => void
}

function LockerSearch({ recipient, parcel, chosen, close, choose }: LockerSearchProps) {
  const t = useT()
  const [marked, setMarked] = useState(chosen)
  const street = recipient.address1.trim()
  const postcode = recipient.postcode.trim()
  const complete = street !== '' && postcode !== '' && recipient.country !== ''
  const body = {
    recipient: {
      street,
      postcode,
      city: recipient.city.trim(),
      country: recipient.country,
      email: recipient.email.trim(),
      mobile: recipient.phone.trim(),
    },
    parcels: [parcel],
    services: ['locker' as const],
  }
  const lockers = useCall(parcelShops.instaboxAvailability, { body }, { enabled: complete })
  const shops = (lockers.data?.options ?? []).map(one => ({
    id: one.sort_code,
    name: one.name,
    address1: one.address1,
    postcode: one.postcode,
    city: one.city,
    country: one.country || recipient.country,
  }))
  const locker = shops.find(one => one.id === marked)
  return (
    <Dialog opened onClose={close} size={560} title={t('Find locker')}>
      <Stack gap="md">
        {complete ? (
          <QueryState of={lockers} shape="rows">
            {({ options }) =>
              options.length === 0 ? (
                <EmptyList title={t('No locker is free there today')} />
              ) : (
                <ShopCards
                  label={t('Lockers')}
                  shops={options.map((one, i) => ({
                    ...(shops[i] ?? { id: one.sort_code, name: one.name, address1: '', postcode: '', city: '', country: '' }),
                    distance_m: null,
                    lines: [
                      ...one.hours.slice(0, 1).map(({ from, to }) => `${time(from)}–${time(to)}`),
                      ...(one.eta === null ? [] : [t('There {{time}}', { time: instant(one.eta) })]),
                    ],
                  }))}
                  marked={marked}
                  mark={setMarked}
                  choose={choose}
                />
              )
            }
          </QueryState>
        ) : (
          <Alert>{t('Enter the street and the postcode of the recipient first.')}</Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button {...disabledBecause(!locker && t('Select one from the list first'))} onClick={() => locker && choose(locker)}>
            {t('Use this locker')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
