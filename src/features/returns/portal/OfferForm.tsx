/** What customers may ask for in the return portal, and how they may send. */
import { ActionIcon, Button, Checkbox, Group, NumberInput, Select, Stack } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { decimalsOf } from '#domain/money.ts'
import { methodLabels, outcomeLabels } from '#features/returns/returns/return-policy.labels.ts'
import { type CourierMethod, courierMethods, portalMethods } from '#features/returns/returns/returns.codes.ts'
import { countryOptions } from '#features/shipping/prices/country-options.client.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { type Edit, Form, useEdit } from '#ui/kit/Form.tsx'
import { country } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { labelMissing, mostCountryPrices, portalOutcomes } from './portal.codes.ts'
import { portal } from './portal.contract.ts'
import { type CourierWay, PortalOffer } from './portal.schemas.ts'

const OfferFields = PortalOffer.omit({ version: true })
  .refine(({ methods, label }) => !methods.includes('label') || label !== null, { path: ['label'], message: labelMissing })
  .refine(({ methods, qr }) => !methods.includes('qr') || qr !== null, { path: ['qr'], message: labelMissing })
type Values = Omit<PortalOffer, 'version'>

export function OfferForm() {
  const offer = useCall(portal.offer, {}, { live: ['return_portal'] })
  return (
    <QueryState of={offer} shape="form">
      {one => <Fields key={one.version === 0 ? 'new' : 'set'} offer={one} />}
    </QueryState>
  )
}

function Fields({ offer: { version: seen, ...offer } }: { offer: PortalOffer }) {
  const t = useT()
  const version = useRef(seen)
  const edit = useEdit({
    schema: OfferFields,
    initial: offer,
    save: values => send(portal.setOffer, { body: { ...values, version: version.current } }),
    refreshes: [portal.offer],
    said: t('Offer saved'),
    done: saved => {
      version.current = saved.version
    },
    conflict: {
      schema: PortalOffer,
      values: ({ version: fresh, ...values }) => {
        version.current = fresh
        return values
      },
    },
  })
  return (
    <Form edit={edit}>
      <div>
        <SettingsSection title={t('Outcomes')} help={t('What customers may ask for. With one alone they are not asked.')}>
          <Checkbox.Group aria-label={t('Outcomes')} {...edit.of('outcomes')}>
            <Stack gap="xs">
              {portalOutcomes.map(value => (
                <Checkbox key={value} value={value} label={t(outcomeLabels[value])} />
              ))}
            </Stack>
          </Checkbox.Group>
        </SettingsSection>
        <SettingsSection title={t('Ways to send')} help={t('How customers get their items to you.')}>
          <Checkbox.Group aria-label={t('Ways to send')} {...edit.of('methods')}>
            <Group gap="lg">
              {portalMethods.map(value => (
                <Checkbox key={value} value={value} label={t(methodLabels[value])} />
              ))}
            </Group>
          </Checkbox.Group>
        </SettingsSection>
        {courierMethods
          .filter(name => edit.values.methods.includes(name))
          .map(name => (
            <CourierFields key={name} edit={edit} name={name} />
          ))}
      </div>
    </Form>
  )
}

/** By which courier the labels or codes are made, and what they cost the customer. */
function CourierFields({ edit, name }: { edit: Edit<Values>; name: CourierMethod }) {
  const t = useT()
  const { currency } = useSignedIn().init.settings
  const couriers = useCall(portal.labelMethods, {}, { fresh: 60_000 })
  const way = edit.values[name]
  const set = (values: CourierWay) => edit.form.setFieldValue(name, values)
  const offered = (couriers.data ?? []).filter(({ qr }) => name === 'label' || qr)
  const options = offered.flatMap(({ agent_code, name: courier, methods }) =>
    methods.map(method => ({ value: `${agent_code}/${method.code}`, label: `${t(courier)}: ${t(method.name)}` })),
  )
  const titles = { label: t('Courier label'), qr: t('QR code') }
  const helps = {
    label: t('Customers print it. Nothing is charged where the shop or the courier is at fault.'),
    qr: t('Customers show it where they hand the parcel in. Only couriers that document it are listed.'),
  }
  const unit = 10 ** decimalsOf(currency)
  const amount = (price: number, change: (price: number) => void) => ({
    suffix: ` ${currency}`,
    min: 0,
    decimalScale: decimalsOf(currency),
    allowNegative: false,
    value: price / unit,
    onChange: (value: number | string) => change(Math.round((Number(value) || 0) * unit)),
  })
  const countries = countryOptions()
  const taken = way?.countries.map(one => one.country) ?? []
  const next = countries.find(({ value }) => !taken.includes(value))
  return (
    <SettingsSection title={titles[name]} help={helps[name]}>
      <Select
        label={t('Courier and method')}
        data={options}
        searchable
        value={way ? `${way.agent_code}/${way.shipping_method}` : null}
        error={edit.form.errors[name]}
        onChange={value => {
          if (value === null) return
          const at = value.indexOf('/')
          set({
            ...{ price: way?.price ?? 0, countries: way?.countries ?? [] },
            ...{ agent_code: value.slice(0, at), shipping_method: value.slice(at + 1) },
          })
        }}
      />
      <NumberInput
        label={t('Price for the customer')}
        {...disabledBecause(way === null && t('Select a courier first'))}
        {...amount(way?.price ?? 0, price => way && set({ ...way, price }))}
      />
      {way?.countries.map((row, place) => {
        const change = (fields: Partial<typeof row>) =>
          set({ ...way, countries: way.countries.map((one, at) => (at === place ? { ...one, ...fields } : one)) })
        return (
          <Group key={row.country} gap="xs" align="end" wrap="nowrap">
            <Select
              label={t('From country')}
              data={countries.filter(({ value }) => value === row.country || !taken.includes(value))}
              searchable
              value={row.country}
              onChange={country => country !== null && change({ country })}
              flex={2}
            />
            <NumberInput label={t('Price')} flex={1} {...amount(row.price, price => change({ price }))} />
            <ActionIcon
              variant="subtle"
              size="lg"
              aria-label={t('Remove {{country}}', { country: country(row.country) })}
              onClick={() => set({ ...way, countries: way.countries.filter((_, at) => at !== place) })}
            >
              <IconX size={18} />
            </ActionIcon>
          </Group>
        )
      })}
      {way && next && way.countries.length < mostCountryPrices ? (
        <Group>
          <Button
            variant="default"
            onClick={() => set({ ...way, countries: [...way.countries, { country: next.value, price: way.price }] })}
          >
            {t('Add country price')}
          </Button>
        </Group>
      ) : null}
    </SettingsSection>
  )
}
