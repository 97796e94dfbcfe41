/** Try a price: what a parcel would cost by the price table, part by part. */
import { Alert, Button, SimpleGrid, Stack, Table, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ShippingMethod } from '#features/shipping/shipping-methods/shipping-methods.schemas.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { money, weight } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { type Received, useSend } from '#ui/query/calls.ts'
import { countryOptions } from './country-options.client.ts'
import { prices } from './prices.contract.ts'

const refusals: Record<NonNullable<Received<typeof prices.try>['why']>, string> = {
  no_price: 'There is no price for this place on this day.',
  too_heavy: 'No price step reaches this weight.',
  too_large: 'No price step takes this size.',
}
type Amount = number | ''

interface TrialProps {
  ofCompany: { company?: string }
  methods: readonly ShippingMethod[]
  /** `agent_code/method` that the list shows; empty for all. */
  method: string
}

export function PriceTrial({ ofCompany, methods, method }: TrialProps) {
  const t = useT()
  const first = methods.find(one => one.active) ?? methods[0]
  const [chosen, setChosen] = useState(method || (first ? `${first.agent_code}/${first.shipping_method}` : ''))
  const [country, setCountry] = useState('DK')
  const [postcode, setPostcode] = useState('')
  const [grams, setGrams] = useState<Amount>(1_000)
  const [sides, setSides] = useState<Amount[]>(['', '', ''])
  const ask = useSend(prices.try, { quiet: true })
  const [agent_code = '', shipping_method = ''] = chosen.split('/')
  const sized = sides.every(side => side !== '')
  const submit = () => {
    if (grams === '') return
    const [length, width, height] = sides.map(Number)
    ask.mutate({
      ...ofCompany,
      body: {
        ...{ agent_code, shipping_method, country, postcode: postcode.trim(), weight_g: grams },
        outer_mm: sized ? [length ?? 0, width ?? 0, height ?? 0] : null,
      },
    })
  }
  const whole = { min: 1, allowNegative: false, hideControls: true } as const
  const price = ask.data?.price
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap="md">
        <NativeChoice
          label={t('Shipping method')}
          data={methods.map(one => ({ value: `${one.agent_code}/${one.shipping_method}`, label: `${t(one.courier)}: ${t(one.name)}` }))}
          value={chosen}
          choose={setChosen}
        />
        <SimpleGrid cols={2}>
          <NativeChoice label={t('Country')} data={countryOptions()} value={country} choose={setCountry} />
          <TextInput label={t('Postcode')} value={postcode} maxLength={20} onChange={event => setPostcode(event.currentTarget.value)} />
        </SimpleGrid>
        <WholeNumberInput
          label={t('Weight')}
          suffix=" g"
          {...whole}
          max={2_000_000}
          value={grams}
          error={grams === '' ? t('Fill this in') : undefined}
          onChange={value => setGrams(typeof value === 'number' ? value : '')}
        />
        <SimpleGrid cols={3}>
          {[t('Length'), t('Width'), t('Height')].map((label, at) => (
            <WholeNumberInput
              key={label}
              label={label}
              suffix=" mm"
              {...whole}
              max={20_000}
              value={sides[at] ?? ''}
              onChange={value => setSides(sides.map((side, place) => (place === at ? (typeof value === 'number' ? value : '') : side)))}
            />
          ))}
        </SimpleGrid>
        <Button type="submit" loading={ask.isPending} {...disabledBecause(chosen === '' && t('Select one from the list first'))}>
          {t('Calculate')}
        </Button>
        {ask.error ? <Alert color="brick">{errorSentence(ask.error)}</Alert> : null}
        {ask.data?.why ? <Alert color="amber">{t(refusals[ask.data.why])}</Alert> : null}
        {price ? (
          <section aria-label={t('Price')}>
            <Text fw={600} fz="lg">
              {money(price.amount, price.currency)}
            </Text>
            <Text size="sm" c="dimmed">
              {[t('charged {{weight}}', { weight: weight(price.charged_g) }), price.zone ?? t('Everywhere')].join(' · ')}
            </Text>
            <Table mt="xs">
              <Table.Tbody>
                {price.parts.map(part => (
                  <Table.Tr key={part.name}>
                    <Table.Td>{part.name || t('Price step')}</Table.Td>
                    <Table.Td ta="end" className="num">
                      {money(part.amount, price.currency)}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </section>
        ) : null}
      </Stack>
    </form>
  )
}
